import * as dom from './dom.ts';
import type { Look } from './hidden.ts';
import { oneLine, textIn } from './inner-words.ts';
import { isNamedByContent } from './roles.ts';

const LONGEST = 200;
/** Characters of a page's text that are looked at for a name. */
const LONGEST_TEXT = 2_000;
const TITLES: Record<string, string> = { fieldset: 'legend', table: 'caption', figure: 'figcaption' };

/**
 * What assistive technology calls an element, by the order of https://w3c.github.io/accname/, of which the text that lies in it
 * or in a label is only what is seen. A library for that takes hidden text too, and asks the page's own names for its parts.
 */
export function nameOf(look: Look, element: Element, role: string): string {
  const name = dom.localName(element);
  const { ownerDocument: document } = element;
  const label = { look, hidden: 0, left: LONGEST_TEXT, isLabel: true } as const;
  const seenIn = (of: Element): string => textIn({ ...label }, of);
  // One that is hidden names, too.
  const allIn = (of: Element): string => textIn({ ...label, isUnseenToo: true }, of);
  const labelled = (): string =>
    (dom.attribute(element, 'aria-labelledby') ?? '')
      .split(/\s+/)
      .map((id) => (id === '' ? null : Document.prototype.getElementById.call(document, id)))
      .map((by) => by && (dom.attribute(by, 'aria-label') ?? (seenIn(by) || allIn(by))))
      .join(' ');
  const labels = (): string => {
    const { labels: all = null } = element as HTMLInputElement;
    return /^(input|textarea|select|meter|progress|output|button)$/.test(name)
      ? [...(all ?? [])].map(seenIn).join(' ')
      : '';
  };
  const titled = (): string => {
    const [title] = name in TITLES ? dom.select(element, `:scope > ${TITLES[name]}`) : [];
    return title ? seenIn(title) : '';
  };
  const content = (): string => {
    if (name === 'input') return buttonText(element as HTMLInputElement);
    if (!isNamedByContent(role)) return '';
    const text = textIn({ look, hidden: 0, left: LONGEST_TEXT }, element);
    return text.trim() === '' ? drawnName(element) : text;
  };
  const candidates = [
    labelled,
    () => dom.attribute(element, 'aria-label'),
    labels,
    () => dom.attribute(element, 'alt'),
    titled,
    content,
    () => dom.attribute(element, 'title'),
    () => dom.attribute(element, 'placeholder') ?? dom.attribute(element, 'aria-placeholder'),
  ];
  for (const candidate of candidates) {
    const line = oneLine((candidate() ?? '').slice(0, LONGEST_TEXT));
    if (line !== '') return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
  }
  return '';
}

function buttonText({ type, value }: HTMLInputElement): string {
  if (type === 'submit') return value || 'Submit';
  if (type === 'reset') return value || 'Reset';
  return type === 'button' ? value : '';
}

/** Of a picture that stands for the words of a button or a link. */
function drawnName(element: Element): string {
  const [drawn] = dom.select(element, '[aria-label], svg > title, [title]');
  if (!drawn) return '';
  return dom.attribute(drawn, 'aria-label') ?? dom.attribute(drawn, 'title') ?? dom.textContent(drawn) ?? '';
}
