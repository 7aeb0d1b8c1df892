import type { PageContent, PageReading } from '../../../types/page.ts';
import { Unreadable } from '../../../unreadable.ts';
import { parsed } from './article.ts';
import { composePage, fitted } from './compose.ts';
import { type Fetched, MOST_BYTES } from './fetch.ts';
import { withoutUnseen } from './unseen.ts';
import { withoutStyles } from './unstyled.ts';

/** Characters of a page's HTML: what makes Markdown of it holds up the panel. */
const MOST_HTML = 2_000_000;

/** What holds nothing to read. */
const EMPTY =
  'template, noscript, svg, canvas, video, audio, object, embed, iframe, frame, head, link, meta, input, textarea, ' +
  'select, button';
/** What is hidden without its styles. */
const HIDDEN = 'dialog:not([open]), [hidden]';
/** What its own style, without its spaces, hides: where all of a row are in it. */
const HIDES = [
  [
    /(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|opacity:(?:0(?:\.0*)?|\.0+)(?![\d.])|font-size:(?:0(?![.\d]*[1-9])|[12](?:\.\d*)?px)|text-indent:-\d{4}|clip-path:inset\((?:50|100)%|transform:scale\(0(?:\.0*)?\))/,
  ],
  [/(?:^|;)position:(?:absolute|fixed)/, /(?:^|;)(?:left|top):-(?:[5-9]\d\d|\d{4})/],
  // Padding gives a box of no height the shape of a picture.
  [
    /^(?!.*padding)/,
    /(?:^|;)(?:max-)?(?:width|height):0(?:px)?(?:;|$)/,
    /(?:^|;)overflow(?:-[xy])?:(?:hidden|clip)/,
  ],
];
/** What the model has to know of a page that was never drawn. */
const UNDRAWN = '[The page was fetched and not drawn: what its style sheets hide from people may be in it.]';

/**
 * What an address answered with, as a model reads it: a page as Markdown, anything else that `readOther` can read as text.
 * @param readOther of a file of that name, type and bytes
 * @throws Unreadable
 */
export async function readFetched(
  reading: PageReading,
  { bytes, mimeType, status, isCut }: Fetched,
  readOther: (file: File) => Promise<Pick<PageContent, 'text' | 'pictures' | 'mimeType'>>,
): Promise<PageContent> {
  const { url } = reading;
  const notes = isCut ? [`[Only the first ${MOST_BYTES} bytes were read.]`] : [];
  if (bytes.length === 0) {
    const empty = `[The answer is empty (HTTP ${status}).]`;
    return fitted({ title: '', url }, '', { ...reading, notes: [empty, ...notes] });
  }
  if (/html/.test(mimeType)) return composeFetched(reading, decoded(bytes, mimeType), notes);
  if (/^text\/|json|xml|javascript|^$/.test(mimeType))
    return fitted({ title: '', url }, requireText(decoded(bytes, mimeType)), { ...reading, notes });
  const { text, ...other } = await readOther(new File([bytes], nameOf(url), { type: mimeType }));
  return { ...fitted({ title: '', url }, text, { ...reading, notes }), ...other };
}

/** A page that was never drawn: of what is not seen only what says so itself is left out. */
function composeFetched(reading: PageReading, html: string, notes: string[]): PageContent {
  const plain = withoutStyles(html.slice(0, MOST_HTML));
  const page = parsed(plain.html, reading.url);
  const title = page.querySelector('title')?.textContent ?? '';
  for (const element of page.querySelectorAll(EMPTY)) element.remove();
  // A user sees it, such as a price of which the words for the blind stand beside it; an extractor leaves it out.
  for (const element of page.querySelectorAll('[aria-hidden]')) element.removeAttribute('aria-hidden');
  const left = removeHidden(page);
  const { url } = reading;
  const isCut = plain.isCut || html.length > MOST_HTML;
  const common = { contentType: 'text/html', isCut, frames: [], drawn: [] };
  const frames = [{ ...common, url, base: url, title, html: page.body.innerHTML, hidden: left }];
  const content = composePage({ ...reading, part: 'page', title, frames });
  if (content.text === '') throw new Unreadable({ why: 'scripted' });
  const isStyled = /<style|stylesheet/i.test(html);
  return { ...content, text: [content.text, ...(isStyled ? [UNDRAWN] : []), ...notes].join('\n\n') };
}

/** @returns how many characters that was */
function removeHidden(page: Document): number {
  let left = 0;
  const styled = [...page.querySelectorAll('[data-style]')].filter((element) => {
    const style = (element.getAttribute('data-style') ?? '').toLowerCase().replaceAll(/\s+/g, '');
    return HIDES.some((row) => row.every((each) => each.test(style)));
  });
  for (const element of [...page.querySelectorAll(HIDDEN), ...styled]) {
    if (page.contains(element)) left += element.textContent.trim().length;
    element.remove();
  }
  return left;
}

function decoded(bytes: Uint8Array, mimeType: string): string {
  const label = marked(bytes) ?? (/charset="?([\w-]+)/.exec(mimeType) ?? ownCharset(bytes, mimeType))?.[1];
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes); // an unknown charset
  }
}

/** What its first bytes mark it as, which goes before all else (https://encoding.spec.whatwg.org/#bom-sniff). */
function marked([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined;
}

/** What a page says of itself (https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding). */
function ownCharset(bytes: Uint8Array, mimeType: string): RegExpExecArray | null {
  if (!/html/.test(mimeType)) return null;
  const beginning = new TextDecoder('latin1').decode(bytes.subarray(0, 1024));
  return /<meta[^>]*\bcharset\s*=\s*["']?([\w-]+)/i.exec(beginning);
}

/** @throws Unreadable when it is none */
function requireText(text: string): string {
  if (text.includes('\0')) throw new Unreadable({ why: 'noPlainText' });
  return withoutUnseen(text).text;
}

const nameOf = (url: string): string => new URL(url).pathname.split('/').pop() || 'file';
