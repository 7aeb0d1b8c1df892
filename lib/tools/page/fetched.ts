import { AppError } from '../../errors.ts';
import type { PageContent, PageReading } from '../../types/page.ts';
import { parsed } from './article.ts';
import { composePage, fitted } from './compose.ts';
import { withoutUnseen } from './unseen.ts';
import { withoutStyles } from './unstyled.ts';

/** Bytes that are read, and milliseconds that it may take. */
const MOST_BYTES = 10_000_000;
const MOST_MS = 20_000;

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
 * What an address has, asked without cookies: a page as Markdown, anything else that `readOther` can read as text. A
 * redirect is not followed: the user was asked about this address, and by hand a browser does not tell where it leads
 * (https://fetch.spec.whatwg.org/#concept-filtered-response-opaque-redirect).
 * @param readOther of a file of that name, type and bytes; without it only text is read
 * @throws AppError `not_fetched`
 */
export async function readFetched(
  reading: PageReading,
  readOther?: (file: File) => Promise<Pick<PageContent, 'text' | 'pictures' | 'mimeType'>>,
): Promise<PageContent> {
  const signal = AbortSignal.timeout(MOST_MS);
  try {
    const response = await fetch(reading.url, {
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      redirect: 'manual',
      signal,
    });
    const { url } = reading;
    // Where there is no browser, its status says so.
    if (response.type === 'opaqueredirect' || Math.floor(response.status / 100) === 3) throw redirected(url);
    if (!response.ok) throw failed(`${url} answered with HTTP ${response.status}.`);
    const { bytes, isCut } = await readBytes(response);
    const mimeType = (response.headers.get('content-type') ?? '').toLowerCase();
    const notes = isCut ? [`[Only the first ${MOST_BYTES} bytes were read.]`] : [];
    if (bytes.length === 0) {
      const empty = `[The answer is empty (HTTP ${response.status}).]`;
      return fitted({ title: '', url }, '', { ...reading, notes: [empty, ...notes] });
    }
    if (/html/.test(mimeType)) return composeFetched(reading, decoded(bytes, mimeType), notes);
    if (/^text\/|json|xml|javascript|^$/.test(mimeType) || !readOther)
      return fitted({ title: '', url }, requireText(decoded(bytes, mimeType), mimeType), {
        ...reading,
        notes,
      });
    const { text, ...other } = await readOther(new File([bytes], nameOf(url), { type: mimeType }));
    return { ...fitted({ title: '', url }, text, { ...reading, notes }), ...other };
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (signal.aborted)
      throw failed(`${reading.url} did not answer in full within ${MOST_MS / 1000} seconds.`);
    throw failed(
      `${reading.url} could not be fetched: its server was not reached, broke off, or sends round in circles.`,
      'Check the address, or open it in a tab.',
    );
  }
}

const redirected = (url: string): AppError =>
  failed(
    `${url} redirects, and a browser does not tell where to.`,
    'Fetch the address that it leads to: often the same with https:// or www., or with or without a slash at its end. ' +
      'Or open it with open_tab, which tells where it led.',
  );

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
  const common = { contentType: 'text/html', isCut, frames: 0, drawn: [] };
  const frames = [{ ...common, url, base: url, title, html: page.body.innerHTML, hidden: left }];
  const content = composePage({ ...reading, part: 'page', title, frames });
  if (content.text === '')
    throw failed(`${url} shows no text without its scripts.`, 'Open it in a tab, and read that.');
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

async function readBytes(response: Response): Promise<{ bytes: Uint8Array<ArrayBuffer>; isCut: boolean }> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    parts.push(part);
    size += part.length;
    if (size > MOST_BYTES) break; // which also ends the request
  }
  const bytes = new Uint8Array(await new Blob(parts).slice(0, MOST_BYTES).arrayBuffer());
  return { bytes, isCut: size > MOST_BYTES };
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

/** @throws AppError when it is none */
function requireText(text: string, mimeType: string): string {
  if (!text.includes('\0')) return withoutUnseen(text).text;
  throw failed(`What is there is no text (${mimeType || 'of no type'}).`);
}

const nameOf = (url: string): string => new URL(url).pathname.split('/').pop() || 'file';

const failed = (message: string, fix?: string): AppError =>
  new AppError({ code: 'not_fetched', message, ...(fix !== undefined && { fix }) });
