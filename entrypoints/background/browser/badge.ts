import { browser } from 'wxt/browser';

import { t } from '../../../locales/texts/worker.ts';

/** Amber, as what waits for the user is in the panel. */
const COLOUR = '#9a5b00';

/**
 * The toolbar button says how many calls wait for the user. The browser forgets badges when it closes, and keeps those
 * of a worker that died: a starting worker shows what it finds.
 */
export function showWaiting(count: number): void {
  const shown = [
    browser.action.setBadgeText({ text: count === 0 ? '' : String(count) }),
    browser.action.setBadgeBackgroundColor({ color: COLOUR }),
    browser.action.setTitle({ title: t(($) => $.badge.title, { waiting: count }) }),
  ];
  Promise.all(shown).catch((error: unknown) => console.warn('The badge could not be shown.', error));
}
