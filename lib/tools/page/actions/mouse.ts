import * as dom from '../dom/dom.ts';
import { rowOf } from '../dom/rows.ts';
import { describe } from '../dom/marks.ts';
import { elementOf } from '../dom/refs.ts';
import type { ActArgs } from './act-args.ts';
import { type Done, freePoint, NEEDS_USER, nothing } from './done.ts';
import { drag } from './dragging.ts';
import type { Point } from './events/fire-pointer.ts';
import { hasRoom, isLabelledBox } from '../dom/visibility/transparent.ts';
import { aimAt, elementAt, pointOn } from './aim.ts';
import { hover, type Press, press } from './press.ts';

export async function click(
  element: Element,
  { button = 'left', count = 1, modifiers = [] }: ActArgs,
): Promise<Done> {
  const what = describe(element);
  if (element instanceof HTMLInputElement && /^(file|color)$/.test(element.type))
    return nothing(
      `${what} opens a picker of the browser’s, which only the user’s own press does: use ${element.type === 'file' ? 'upload_file' : 'fill_form'}`,
    );
  if (element instanceof HTMLSelectElement && element.size < 2 && !element.multiple)
    return nothing(`the list of ${what} is the browser’s own: use select_option`);
  const link = linkInNewTab(element, button, modifiers);
  if (link && isLeftToTab(link)) return leftToTab(what, link);
  const drawn = drawnFor(element);
  const point = freePoint(drawn);
  if ('did' in point) return point;
  const row = rowOf(element);
  const renewed = ({ x, y }: Point): Element | undefined => {
    const there = elementAt(document, { x, y });
    for (let at = there; at; at = dom.elementAround(at))
      if (describe(at) === what) return rowOf(at) === row ? at : undefined;
    return undefined;
  };
  const pressing = () => press(drawn, point, { button, count, modifiers }, renewed);
  const [pressed, isFollowed] = link ? await unfollowed(pressing) : [await pressing(), false];
  // Lists of many a library choose before the click.
  if (!pressed)
    return { did: `Pressed ${what}, which the page took away before it was clicked.`, why: NEEDS_USER };
  const isOff = dom.attribute(element, 'aria-disabled') === 'true';
  return {
    did: `Clicked ${what}.`,
    why: isOff ? 'the page calls it disabled' : NEEDS_USER,
    ...(isFollowed && link && opened(link)),
  };
}

/** What takes the presses of a box that is too small for them, or covered: its label, which is drawn as the box. */
function drawnFor(element: Element): Element {
  if (!isLabelledBox(element) || Element.prototype.matches.call(element, ':disabled')) return element;
  if (hasRoom(element) && !('cover' in aimAt(element))) return element;
  const labels = [...((element as HTMLInputElement).labels ?? [])];
  return labels.find((label) => !('cover' in aimAt(label))) ?? element;
}

const opened = (link: Link): Pick<Done, 'opens' | 'why'> =>
  isScript(link)
    ? { why: 'its address is a script for a new tab, which only the user’s own press opens' }
    : { opens: link.href };

const isScript = ({ protocol }: Link): boolean => protocol === 'javascript:';

/** Whether it takes a tool of its own, which asks about where it goes. */
const isLeftToTab = (link: Link): boolean =>
  !isScript(link) && (link.origin !== location.origin || link.download !== '');

const leftToTab = (what: string, { href }: Link): Done =>
  nothing(`${what} opens a new tab: use open_tab with ${href}`);

type Link = HTMLAnchorElement | HTMLAreaElement;

/**
 * Presses Enter where that may follow a link to a new tab.
 * @returns where it leads to, if the page let it be followed; or why it was not pressed
 */
export async function enterLink(
  element: Element,
  what: string,
  pressing: () => Promise<void>,
): Promise<Partial<Done>> {
  const link = linkInNewTab(element);
  if (link && isLeftToTab(link)) return leftToTab(what, link);
  const [, isFollowed] = link ? await unfollowed(pressing) : [await pressing(), false];
  return isFollowed && link ? opened(link) : {};
}

/** The link that such a press opens in a new tab, which browsers let only the user's own press do. */
export function linkInNewTab(
  element: Element,
  button: Press['button'] = 'left',
  modifiers: Press['modifiers'] = [],
): Link | undefined {
  const link = Element.prototype.closest.call(element, 'a[href], area[href]');
  if (!(link instanceof HTMLAnchorElement || link instanceof HTMLAreaElement) || button === 'right')
    return undefined;
  const isAsked = button === 'middle' || modifiers.includes('Control') || modifiers.includes('Meta');
  return isAsked || isInNewTab(dom.attribute(link, 'target') ?? baseTarget()) ? link : undefined;
}

export const baseTarget = (): string => {
  const [base] = dom.select(document, 'base[target]');
  return (base && dom.attribute(base, 'target')) ?? '';
};

/** Source: https://html.spec.whatwg.org/multipage/document-sequences.html#the-rules-for-choosing-a-navigable */
export const isInNewTab = (target: string): boolean =>
  target !== '' && !/^_(self|parent|top)$/i.test(target) && !(window.top && isNamed(window.top, target));

/** Whether a window, or a frame in it, has a name; one of another site does not tell its own. */
function isNamed(frame: Window, name: string): boolean {
  try {
    if (frame.name === name) return true;
  } catch {
    // of another site
  }
  for (let at = 0; at < frame.length; at += 1) if (frame[at] && isNamed(frame[at]!, name)) return true;
  return false;
}

/** Has the browser follow no link that is pressed, once the page's own scripts were told. @returns whether it would have, too */
async function unfollowed<T>(pressing: () => Promise<T>): Promise<[T, boolean]> {
  let isFollowed = false;
  const keep = (event: Event): void => {
    if (event.isTrusted) return; // the user's own
    isFollowed ||= !event.defaultPrevented;
    event.preventDefault();
  };
  const types = ['click', 'auxclick'];
  for (const type of types) addEventListener(type, keep);
  try {
    return [await pressing(), isFollowed];
  } finally {
    for (const type of types) removeEventListener(type, keep);
  }
}

export function pointAt(element: Element): Done {
  const point = freePoint(element);
  if ('did' in point) return point;
  hover(element, point);
  return {
    did: `Moved onto ${describe(element)}.`,
    why: 'what only a style shows (:hover), no script can bring about',
  };
}

export async function dragOnto(element: Element, { to = '' }: ActArgs): Promise<Done> {
  const onto = elementOf(to);
  const what = describe(element);
  if (!onto) return nothing(`${to} is not on the page any more, or in another frame: take a new snapshot`);
  const end = aimAt(onto);
  const start = freePoint(element);
  if ('did' in start) return start;
  // Looking for the one may have scrolled the other away.
  const after = 'cover' in end ? end : pointOn(onto);
  if ('cover' in after)
    return nothing(
      `${describe(onto)} can’t be seen together with ${what}, or is covered: scroll, and try again`,
    );
  const isDropped = await drag(element, start, after);
  const told = `Dragged ${what} onto ${describe(onto)}.`;
  return isDropped === false
    ? { did: `${told} Nothing there takes it.`, isError: true }
    : { did: told, why: NEEDS_USER };
}
