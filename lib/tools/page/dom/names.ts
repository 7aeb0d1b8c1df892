import * as dom from './dom.ts';
import type { Look, Place } from './visibility/hidden.ts';
import { oneLine, textIn } from './inner-words.ts';
import { isNamedByContent } from './roles.ts';

const LONGEST = 200;
/** Characters of a page's text that are looked at for a name. */
const LONGEST_TEXT = 2_000;
const NAMING = /^(aria-|alt$|title$|placeholder$)/;
const LABELLED = /^(input|textarea|select|meter|progress|output|button)$/;
const TITLES: Record<string, string> = { fieldset: 'legend', table: 'caption', figure: 'figcaption' };

/**
 * What assistive technology calls an element, by the order of https://w3c.github.io/accname/, of which the text that lies in it
 * or in a label is only what is seen. A library for that takes hidden text too, and asks the page's own names for its parts.
 */
export function nameOf(look: Look, element: Element, role: string): string {
  const name = dom.localName(element);
  const by = namedBy(element, role, name);
  return by ? nameBy(by, { look, element, role, name }) : '';
}

/** By what an element may be named, as its own name, its role and its attributes tell; undefined where it has no name. */
export function namedBy(element: Element, role: string, name: string): readonly Candidate[] | undefined {
  if (dom.attributeNames(element).some((each) => NAMING.test(each))) return CANDIDATES;
  if (LABELLED.test(name)) return LABELS;
  if (name in TITLES) return TITLE;
  return isNamedByContent(role) ? CONTENT : undefined;
}

export function nameBy(candidates: readonly Candidate[], of: Named): string {
  for (const candidate of candidates) {
    const text = candidate(of);
    const line = text ? oneLine(text.slice(0, LONGEST_TEXT)) : '';
    if (line !== '') return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
  }
  return '';
}

type Named = { look: Look; element: Element; role: string; name: string; place?: Place };
type Candidate = (of: Named) => string | null | undefined;

const seenIn = (look: Look, of: Element): string =>
  textIn({ look, hidden: 0, left: LONGEST_TEXT, isLabel: true }, of);

/** A label that is hidden names, too. */
const allIn = (look: Look, of: Element): string =>
  textIn({ look, hidden: 0, left: LONGEST_TEXT, isLabel: true, isUnseenToo: true }, of);

const byLabels: Candidate = ({ look, element, name }) => {
  if (!LABELLED.test(name)) return '';
  return look
    .labelsOf(element)
    .map((each) => seenIn(look, each))
    .join(' ');
};

const byTitle: Candidate = ({ look, element, name }) => {
  const title = name in TITLES ? dom.first(element, `:scope > ${TITLES[name]}`) : null;
  return title && seenIn(look, title);
};

/** Without attributes that name. */
const CONTENT: readonly Candidate[] = [contentOf];
const LABELS: readonly Candidate[] = [byLabels, contentOf];
const TITLE: readonly Candidate[] = [byTitle, contentOf];
const CANDIDATES: readonly Candidate[] = [
  ({ look, element }) =>
    dom
      .attribute(element, 'aria-labelledby')
      ?.split(/\s+/)
      .map((id) => (id === '' ? null : Document.prototype.getElementById.call(element.ownerDocument, id)))
      .map((by) => by && (dom.attribute(by, 'aria-label') ?? (seenIn(look, by) || allIn(look, by))))
      .join(' '),
  ({ element }) => dom.attribute(element, 'aria-label'),
  byLabels,
  ({ element }) => dom.attribute(element, 'alt'),
  byTitle,
  contentOf,
  ({ element }) => dom.attribute(element, 'title'),
  ({ element }) => dom.attribute(element, 'placeholder') ?? dom.attribute(element, 'aria-placeholder'),
];

function contentOf({ look, element, role, name, place }: Named): string {
  if (name === 'input') return buttonText(element as HTMLInputElement);
  if (!isNamedByContent(role)) return '';
  const text = textIn({ look, hidden: 0, left: LONGEST_TEXT }, element, place);
  return text.trim() === '' ? drawnName(element) : text;
}

function buttonText({ type, value }: HTMLInputElement): string {
  if (type === 'submit') return value || 'Submit';
  if (type === 'reset') return value || 'Reset';
  return type === 'button' ? value : '';
}

/** Of a picture that stands for the words of a button or a link. */
function drawnName(element: Element): string {
  const drawn = dom.first(element, '[aria-label], title, [title]');
  if (!drawn) return '';
  return dom.attribute(drawn, 'aria-label') ?? dom.attribute(drawn, 'title') ?? dom.textContent(drawn) ?? '';
}
