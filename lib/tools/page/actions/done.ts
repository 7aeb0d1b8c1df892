import * as dom from '../dom/dom.ts';
import { describe, type lookLater } from '../dom/marks.ts';
import { roleOf } from '../dom/roles.ts';
import type { Point } from './events/fire-pointer.ts';
import { aimAt } from './aim.ts';

/**
 * What was done, as far as the script in the page can tell. `why`: the likely reason, should nothing come of it; `isUndone`:
 * nothing was sent to the page; `opens`: what a link or a form of the document's own site leads to, for a new tab; `sends`: where
 * a form went that was sent to one; `isRechecked`: it is looked at again with what changed.
 */
export type Done = {
  did: string;
  isError?: true;
  isUndone?: true;
  why?: string;
  opens?: string;
  sends?: string;
  isRechecked?: true;
};

/**
 * `recheck` looks later whether it is still so, and tells what is not: pages take back what was done. `last`: how the page was
 * before its last step, of which something should come.
 */
export type Checked = Done & Parameters<typeof lookLater>[1];

export const NEEDS_USER =
  'the page may need more time, or may take only what the user does by hand (isTrusted): then use ask_user';

/** Neither a timer nor an observer of the page's can be had to work in such a tab, beyond `servedFrame`. */
const BEHIND =
  'the tab is not in front, where no page is drawn, and this one may wait for that: bring it there with switch_tab, look, and do it again if it is not done';

/** Where nothing came of what was done, the likely reason is another one in a tab that is behind. */
export function seenBehind(done: Checked): Checked {
  if (!document.hidden || done.isUndone) return done;
  if (done.isError) return { ...done, did: `${done.did} The likely reason: ${BEHIND}.` };
  return done.why === NEEDS_USER || done.why === OFF_SCREEN ? { ...done, why: BEHIND } : done;
}

export const OFF_SCREEN = 'the snapshot has what is off screen, too';

/** Browsers keep errors in a page to themselves, and events may have been sent before. */
export const brokeOff = (what: string, error: unknown): Done => ({
  did: `It broke off at ${what}, and may have been done in part: ${String(error)}`,
  isError: true,
});

export const nothing = (why: string): Done => ({
  did: `Nothing was done: ${why}.`,
  isError: true,
  isUndone: true,
});

/** Why no press may go to an element, or the point of it that is free. */
export function freePoint(element: Element): Point | Done {
  if (Element.prototype.matches.call(element, ':disabled'))
    return nothing(`${describe(element)} is disabled`);
  const point = aimAt(element);
  if (!('cover' in point)) return point;
  const { cover } = point;
  if (!cover) return nothing(`${describe(element)} has no place on the page that can be pressed`);
  return nothing(`${describe(element)} is covered by ${describe(nearNamed(cover))}`);
}

/** What an element is, or lies in, that has a role. */
export function nearNamed(element: Element): Element {
  for (let at: Element | null = element; at; at = dom.elementAround(at))
    if (roleOf(at) !== '' && !/^(paragraph|listitem)$/.test(roleOf(at))) return at;
  return element;
}
