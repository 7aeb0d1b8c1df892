import { AppError } from '../../../../lib/errors.ts';
import type { Done } from '../../../../lib/tools/page/actions/done.ts';
import type { Dialog } from '../../../../lib/tools/page/actions/page-override.ts';
import { ofSite, quoted, tabLine } from '../../../../lib/tools/own/own-tool.ts';
import type { PageTab } from '../../../../lib/types/page.ts';
import { dialogLines } from './dialogs.ts';
import type { PageChanges } from './page-changes.ts';

export const NO_ANSWER =
  'It was sent to the page, which has not answered since: it may show a dialog that waits for the user: ask_user has them answer it. What came of it is unknown, and what was not done of it by now is left undone. Look before you do it again.';
export const NOT_REACHED =
  'No page of that address is there: it could not be reached, or the browser lets no extension look into it.';
export const NO_PAGE =
  'It led to an address of which no page came: it may have saved a file on the user’s computer, or opened another program.';
const OWN_TOO = 'The page changes there by itself, too: look whether this came of what was done.';
const LIST_CAME =
  'Nothing visible changed since Enter, but that a list came, of which nothing is chosen by it: choose of that, if it is wanted.';
const GAVE_BACK =
  'The browser had put it in front, and the user was brought back to the tab that they were in.';
export const WENT_AWAY = 'The page went away as it was done: look whether it was.';

export const staleRef = (ref: string): AppError =>
  new AppError({
    code: 'stale_ref',
    message: `No element of the page has the reference ${JSON.stringify(ref)}, or not any more, or it is in another row by now.`,
    fix: 'Take a new snapshot, and use a reference exactly as it stands there.',
  });

export const otherPage = (): AppError =>
  new AppError({
    code: 'page_changed',
    message: 'The tab shows another page than when this was allowed: nothing was done.',
    fix: 'Take a snapshot of the tab, and act on what it shows.',
  });

export type Outcome = {
  done: Done;
  /** The address before, and the site that the call was judged by. */
  url: string;
  site: string;
  /** The tab as it is now; undefined once it is closed. */
  now: PageTab | undefined;
  newTabs: PageTab[];
  changes: PageChanges;
  dialogs: Dialog[];
  /** A page was to be left for another, and stayed. */
  isPageless: boolean;
  /** A tab with what a form was sent to came to the front. */
  wasInFront: boolean;
};

/** What the model is told of an action that was done. */
export function outcomeText(outcome: Outcome): string {
  const { done, url, site, now, newTabs, changes, dialogs, isPageless, wasInFront } = outcome;
  const seen = changes === 'busy' ? [] : (changes ?? []);
  const changed = seen.flatMap(({ text }) => (text === '' ? [] : [text]));
  const back = takenBack(changes);
  const focus = seen.find((each) => each.focus !== undefined)?.focus;
  const lines = [
    done.did,
    ...dialogLines(dialogs),
    ...(now ? [] : ['The tab is closed now.']),
    ...(changes === 'busy' ? [NO_ANSWER] : []),
    ...(now && (changes === null || now.url !== url) ? [wentTo(ofSite(now, site), changes === null)] : []),
    ...newTabs.map((each) => `A new tab is there: ${tabLine(ofSite(each, site))}`),
    ...(wasInFront ? [GAVE_BACK] : []),
    ...(focus === undefined ? [] : [`The focus is on ${focus} now.`]),
    ...(changed.length > 0 ? [`What changed (-: before, +: now):\n${changed.join('\n\n')}`] : []),
    ...(back === '' ? [] : [`The page took it back: ${back} now.`]),
  ];
  const isHere = now?.url === url && changes !== null && changes !== 'busy';
  const isStill = isHere && newTabs.length + dialogs.length === 0 && !done.isError && back === '';
  if (isPageless) lines.push(`${NO_PAGE} Do not do it again.`);
  else if (isStill && changed.length === 0) lines.push(unchanged(done, seen));
  else if (isStill && seen.every((each) => each.isUnanswered || each.text === ''))
    lines.push(
      seen.some((each) => each.isUnanswered === 'but_by_a_list')
        ? LIST_CAME
        : `Nothing visible changed since Enter: ${done.why}.`,
    );
  else if (isStill && seen.every((each) => each.isOwnToo || each.text === '')) lines.push(OWN_TOO);
  return lines.join('\n');
}

/** What an action did and the page undid. */
export const takenBack = (changes: PageChanges): string =>
  changes === 'busy' ? '' : (changes ?? []).flatMap((each) => each.takenBack ?? []).join('; ');

function wentTo({ url = 'one of a site that Portside may not see', title }: PageTab, isNew: boolean): string {
  if (!isNew) return `The address is now: ${url}`;
  const named = title === undefined ? '' : ` ${quoted(title)}`;
  return `The tab shows another page now: ${url}${named}. Its references are new: take a snapshot.`;
}

function unchanged({ why = '' }: Done, changes: { count: number; byItself: string }[]): string {
  const isInvisible = changes.some(({ count }) => count > 0);
  const seen = isInvisible ? ' The page did change something that no snapshot shows, such as a style.' : '';
  const own = changes.flatMap(({ byItself }) => byItself || []).join('\n');
  const moving = own && `\nThe page changes this by itself, whatever is done:\n${own}`;
  return `Nothing visible changed within a second: ${why}.${seen}${moving}`;
}
