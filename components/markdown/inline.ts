import type { MarkedToken, Token, Tokens } from 'marked';
import { addTo, drawn, type Ink, write } from './ink.ts';
import { type FootnoteToken, lexInline, type OwnToken, type ReferenceToken } from './lexer.ts';
import { addressOf, hostOf, misleads, names } from './link.ts';
import { drawFormula } from './formula.ts';
import { inertTags } from './sanitise.ts';
import { isLong } from '../ui/long-text.tsx';
import { t } from '../../locales/texts/panel.ts';

/** Marks inside marks; what lies deeper is shown as it was written. */
const DEEPEST = 12;

/** Draws a piece of a paragraph, a heading or a cell at the end of `into`: much of it as `LongText`. */
export function drawText(text: string, into: Element, ink: Ink): void {
  const pieces = lexInline(text);
  if (!isLong(text)) return drawInline(pieces.flat(), into, ink);
  for (const piece of pieces) {
    const place = addTo(into, 'span');
    ink.after.push(() => (place.className = 'piece'));
    drawInline(piece, place, ink);
  }
}

/** Draws what stands in a paragraph at the end of `into`. */
function drawInline(tokens: Token[], into: Element, ink: Ink, depth = 0): void {
  /** Elements of the model's own HTML that are open. */
  const open: Element[] = [into];
  const inner = (): Element => open.at(-1) ?? into;
  for (const token of tokens) {
    if (depth > DEEPEST) write(token.raw, inner());
    else if (token.type !== 'html') drawToken(token as MarkedToken | OwnToken, inner(), ink, depth);
    else if (!openOrClose(token.raw, open)) write(token.raw, inner());
  }
}

/** `<kbd>` and the like. False for HTML that is shown as text. */
function openOrClose(tag: string, open: Element[]): boolean {
  const [, slash, name = ''] = /^<(\/?)([a-z]+)\s*\/?>$/i.exec(tag) ?? [];
  const known = name.toLowerCase();
  if (!inertTags.has(known)) return false;
  if (slash) {
    if (open.length < 2 || open.at(-1)?.localName !== known) return false;
    open.pop();
    return true;
  }
  const element = document.createElement(known);
  open.at(-1)?.append(element);
  if (known !== 'br' && open.length < DEEPEST) open.push(element);
  return true;
}

function drawToken(token: MarkedToken | OwnToken, into: Element, ink: Ink, depth: number): void {
  const element = (name: string, tokens: Token[]): void => {
    const child = document.createElement(name);
    drawInline(tokens, child, ink, depth + 1);
    into.append(child);
  };
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      return element(token.type, token.tokens);
    case 'codespan':
      return drawCode(token.text, into);
    case 'br':
      return into.append(document.createElement('br'));
    case 'link':
      return drawLink(token, into, ink, depth);
    case 'image':
      return drawImage(token.text, unescaped(token.href), into, ink);
    case 'math':
      return drawFormula(token, into, ink);
    case 'reference':
      return drawReference(token, into, ink, depth);
    case 'footnote':
      return drawNote(token, into, ink);
    case 'escape':
      return write(token.text, into);
    case 'text':
      return token.tokens
        ? drawInline(token.tokens, into, ink, depth + 1)
        : write(unescaped(token.text), into);
    default:
      return write(token.raw, into);
  }
}

function drawCode(text: string, into: Element): void {
  const code = document.createElement('code');
  code.textContent = text;
  into.append(code);
}

/** With its real host in its name (see `.host` and `a[data-host]` for where it is seen). Any other address stays text. */
function drawLink(token: Tokens.Link, into: Element, ink: Ink, depth: number): void {
  const url = addressOf(unescaped(token.href));
  if (!url || into.closest('a')) {
    const asWritten = url !== null || token.raw.length > 300;
    return asWritten ? drawInline(token.tokens, into, ink, depth + 1) : write(token.raw, into);
  }
  const link = document.createElement('a');
  link.href = url.href;
  link.title = token.title ? `${hostOf(url)}: ${unescaped(token.title)}` : url.href;
  drawInline(token.tokens, link, ink, depth + 1);
  into.append(link);
  ink.after.push(() => finishLink(link, url));
}

function finishLink(link: HTMLAnchorElement, url: URL): void {
  link.target = '_blank';
  link.rel = 'noreferrer noopener nofollow';
  const { textContent: text } = link;
  const to = hostOf(url);
  if (misleads(text, url)) {
    const host = document.createElement('span');
    host.className = 'host';
    host.textContent = ` (${to})`;
    link.append(host);
  } else if (!names(text, url)) {
    link.dataset['host'] = to;
    link.ariaLabel = `${text} (${to})`;
  }
}

/** Text as written, until its label is defined. */
function drawReference(token: ReferenceToken, into: Element, ink: Ink, depth: number): void {
  const text = document.createElement('span');
  const bare = /^!?\[/.exec(token.raw)?.[0] ?? '';
  write(bare, text);
  if (token.image) write(token.text, text);
  else drawInline(token.tokens, text, ink, depth + 1);
  write(token.raw.slice(bare.length + token.text.length), text);
  into.append(text);
  const { shared, final } = ink;
  const inLink = into.closest('a') !== null;
  const become = ({ href, title }: { href: string; title: string | null }): void => {
    if (inLink) return;
    const link = { ...token, type: token.image ? 'image' : 'link', href, title } as
      | Tokens.Link
      | Tokens.Image;
    text.replaceWith(...drawn(shared, final, (holder, under) => drawToken(link, holder, under, depth + 1)));
  };
  ink.after.push(() => {
    if (final) return shared.links.use(token.label, become);
    const known = shared.links.get(token.label);
    if (known) become(known);
  });
}

function drawNote(token: FootnoteToken, into: Element, ink: Ink): void {
  const mark = document.createElement('sup');
  mark.textContent = token.raw;
  into.append(mark);
  ink.after.push(() => ink.shared.notes.mark(token.label, mark, ink.final));
}

let parser: DOMParser | undefined;
/** Of a few references that come again and again. */
const resolved = new Map<string, string>();
const MOST_RESOLVED = 1_000;

/** The text with its character references (`&amp;`, `&#8212;`) resolved, by the browser's own table. */
const unescaped = (text: string): string =>
  text.replace(/&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});/g, (reference) => {
    parser ??= new DOMParser();
    const known = resolved.get(reference);
    if (known !== undefined) return known;
    const read = parser.parseFromString(`<p>${reference}`, 'text/html').body.textContent;
    if (resolved.size < MOST_RESOLVED) resolved.set(reference, read);
    return read;
  });

/** Raster images only: an SVG could load something from elsewhere. See cut.ts for how long one may be. */
const inside = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/;

/**
 * An image from elsewhere is a button that says what it is and where it would come from, and loads on a click: its
 * address could carry off what the model knows. One inside the text is shown.
 */
function drawImage(alt: string, href: string, into: Element, ink: Ink): void {
  const url = addressOf(href);
  const say = (words: string): void => into.append(words);
  if (into.closest('a') || (!inside.test(href) && url?.protocol !== 'https:')) {
    if (url?.protocol === 'http:')
      return say(t(($) => $.markdown.insecureImage, { alt: alt || 'none', host: url.host }));
    return say(`${alt === '' ? t(($) => $.markdown.image) : alt}${url ? ` (${url.host})` : ''}`);
  }
  const slot = document.createElement('span');
  into.append(slot);
  ink.after.push(() => slot.replaceWith(url ? remote(alt, url) : picture(alt, href)));
}

function picture(alt: string, src: string): HTMLImageElement {
  const image = document.createElement('img');
  image.alt = alt;
  image.decoding = 'async';
  image.referrerPolicy = 'no-referrer';
  image.src = src;
  return image;
}

function remote(alt: string, url: URL): HTMLButtonElement {
  const button = document.createElement('button');
  button.className = 'btn s remote-image';
  button.title = url.href;
  button.ariaLabel = t(($) => $.markdown.showImage, { alt: alt || 'none', host: url.host });
  for (const words of [t(($) => $.markdown.showImage, { alt: 'none', host: url.host }), alt]) {
    const line = document.createElement('span');
    line.textContent = words;
    button.append(line);
  }
  button.addEventListener('click', () => {
    const image = picture(alt, url.href);
    image.addEventListener('error', () =>
      image.replaceWith(String(t(($) => $.markdown.imageFailed, { alt: alt || 'none', host: url.host }))),
    );
    button.replaceWith(image);
  });
  return button;
}
