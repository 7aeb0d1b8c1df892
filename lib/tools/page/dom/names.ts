import * as dom from './dom.ts';
import type { Look, Place } from './visibility/hidden.ts';
import { oneLine, textIn } from './inner-words.ts';
import { MOST_FOLLOWED, labelledByElements } from './labels.ts';
import { isNamedByContent } from './roles.ts';
import { valueOf } from './fields/value-and-states.ts';

const LONGEST = 200;
/** Characters of a page's text that are looked at for a name. */
const LONGEST_TEXT = 2_000;
const WORD = /[\p{L}\p{N}]/u;
const NAMING = /^(aria-|alt$|title$|placeholder$)/;
const LABELLED = /^(input|textarea|select|meter|progress|output|button)$/;
/** What holds a value, which changes. */
const FIELDS = /^(input|textarea|select|meter|progress)$/;
const VALUED = /^(slider|spinbutton|scrollbar|progressbar|meter)$/;
const TITLES: Record<string, string> = {
  fieldset: 'legend',
  table: 'caption',
  figure: 'figcaption',
  svg: 'title',
};

/**
 * What assistive technology calls an element, by the order of https://w3c.github.io/accname/, of which the text that lies in it
 * or in a label is only what is seen, where any is. A library for that takes hidden text too, and asks the page's own names for
 * its parts.
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

/** `values`: what fields in a label hold is told, or that there are any is noted: by them nothing is known again. `followed`: references. */
export type Named = {
  look: Look;
  element: Element;
  role: string;
  name: string;
  place?: Place;
  values?: 'told' | 'noted';
  followed?: number;
};
type Candidate = (of: Named) => string | null | undefined;

/**
 * Which words count: those that are `seen`; also the `drawn` ones that are cut off, as those for screen readers are; `all`, also of
 * what is not displayed.
 */
type Which = 'seen' | 'drawn' | 'all';

/** @param isReferred whether it is referred to by an id: references in it are not followed again */
function wordsIn(of: Named, root: Element, which: Which, isReferred = false, place?: Place): string {
  const words = {
    look: of.look,
    hidden: 0,
    left: LONGEST_TEXT,
    isName: true,
    isUnseenToo: which !== 'seen',
  } as const;
  const instead = (element: Element, name: string, { seen }: Place): string | undefined =>
    insteadOf(of, element, name, which, seen !== 'all', isReferred);
  return textIn({ ...words, instead }, root, place);
}

/** What is said of an element in a name in place of the text that lies in it. */
function insteadOf(
  of: Named,
  element: Element,
  name: string,
  which: Which,
  mayBeHidden: boolean,
  isReferred: boolean,
): string | undefined {
  if (FIELDS.test(name)) return fieldIn(of, element, name, !mayBeHidden);
  if (which === 'drawn' && !dom.isDrawn(element)) return '';
  if (!dom.hasAttributes(element)) return titleOf(of, element, name);
  if (dom.attribute(element, 'aria-hidden') === 'true') return '';
  if (VALUED.test(dom.attribute(element, 'role') ?? '')) return fieldIn(of, element, name, !mayBeHidden);
  const referred = isReferred ? '' : referredBy(of, element);
  const said = referred || ariaLabel(element) || titleOf(of, element, name);
  return said && (!mayBeHidden || which === 'all' || dom.isDrawn(element)) ? said : undefined;
}

/** Of what draws itself. */
function titleOf(of: Named, element: Element, name: string): string | undefined {
  if (name === 'svg') return byTitle({ ...of, element, name }) || undefined;
  if (name !== 'img' || dom.attribute(element, 'alt') !== null) return undefined;
  return dom.attribute(element, 'title') ?? undefined;
}

const ariaLabel = (element: Element): string => dom.attribute(element, 'aria-label')?.trim() ?? '';

/** The one that is named is none of its own label. */
function fieldIn(of: Named, field: Element, name: string, isSeen: boolean): string {
  if (field === of.element || !isSeen) return '';
  if (name === 'input' && isButton(field as HTMLInputElement)) return buttonText(field as HTMLInputElement);
  of.values ??= 'noted';
  return of.values === 'told' ? (valueOf(field, name) ?? '') : '';
}

function referredBy(of: Named, element: Element): string {
  let text = '';
  for (const by of labelledByElements(element)) {
    of.followed = (of.followed ?? 0) + 1;
    if (of.followed > MOST_FOLLOWED) break;
    text += ` ${textOf(of, by, element === of.element)}`;
  }
  return text.trim();
}

/** Of what is referred to, by the element itself also where that is hidden. */
function textOf(of: Named, by: Element, isOwn: boolean): string {
  const name = dom.localName(by);
  const isField = FIELDS.test(name);
  const value = isField ? fieldIn(of, by, name, of.look.placeOf(by).seen === 'all') : '';
  const said = value || ariaLabel(by) || titleOf(of, by, name);
  if (said || isField) return said ?? '';
  return wordsIn(of, by, 'seen', true) || (isOwn ? wordsIn(of, by, 'all', true) : '');
}

const byLabels: Candidate = (of) => {
  const labels = LABELLED.test(of.name) ? of.look.labelsOf(of.element) : [];
  // A stranger’s label in the page would give its button another name.
  const isOwn = labels.length > 0 && of.role === 'button';
  if (isOwn && (contentOf(of).trim() || dom.attribute(of.element, 'title')?.trim())) return '';
  return labels.map((each) => ariaLabel(each) || drawnWords(of, each)).join(' ');
};

const byTitle: Candidate = (of) => {
  const title = of.name in TITLES ? dom.first(of.element, `:scope > ${TITLES[of.name]}`) : null;
  return title && (of.name === 'svg' ? dom.textContent(title) : wordsIn(of, title, 'seen'));
};

/** Without attributes that name. */
const CONTENT: readonly Candidate[] = [contentOf];
const LABELS: readonly Candidate[] = [byLabels, contentOf];
const TITLE: readonly Candidate[] = [byTitle, contentOf];
const CANDIDATES: readonly Candidate[] = [
  (of) => referredBy(of, of.element),
  ({ element }) => dom.attribute(element, 'aria-label'),
  byLabels,
  ({ element }) => dom.attribute(element, 'alt'),
  byTitle,
  contentOf,
  ({ element }) => dom.attribute(element, 'title'),
  ({ element }) => dom.attribute(element, 'placeholder') ?? dom.attribute(element, 'aria-placeholder'),
];

/** Words that are seen; of what shows none, or signs alone, also those that are cut off. */
function drawnWords(of: Named, root: Element, place?: Place): string {
  const seen = wordsIn(of, root, 'seen', false, place);
  if (WORD.test(seen) || dom.childElementCount(root) === 0) return seen;
  return wordsIn(of, root, 'drawn', false, place);
}

/** What has no such words is named by those that are hidden from assistive technology alone. */
function contentOf(of: Named): string {
  const { look, element, role, name, place } = of;
  if (name === 'input') return buttonText(element as HTMLInputElement);
  if (!isNamedByContent(role)) return '';
  const drawn = drawnWords(of, element, place);
  if (drawn.trim() !== '' || dom.childElementCount(element) === 0) return drawn;
  const hidden = textIn({ look, hidden: 0, left: LONGEST_TEXT }, element, place);
  return hidden.trim() === '' && element instanceof SVGElement ? titleIn(element) : hidden;
}

/** Of a link in a drawing, as of a drawing. */
function titleIn(element: Element): string {
  const title = dom.first(element, ':scope > title');
  return (title && dom.textContent(title)) ?? '';
}

const isButton = ({ type }: HTMLInputElement): boolean => /^(button|submit|reset|image)$/.test(type);

function buttonText({ type, value }: HTMLInputElement): string {
  if (type === 'submit') return value || 'Submit';
  if (type === 'reset') return value || 'Reset';
  return type === 'button' ? value : '';
}
