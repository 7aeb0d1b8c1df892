import type { When } from '../../lib/state/composer/starting.ts';
import type { Settings } from '../../lib/types/settings.ts';

export type SendSettings = Pick<Settings, 'enterSends' | 'whileLive'>;

/** What a message does while a run is live, unless the user wants it otherwise. */
export const usualWay = ({ whileLive }: SendSettings): When => (whileLive === 'now' ? 'now' : 'queue');

/** The other one of the two. */
export const otherWay = (settings: SendSettings): When => (usualWay(settings) === 'now' ? 'queue' : 'now');

/** What Enter does: how it sends, or null for a new line. */
export function enterDoes(
  { shiftKey, altKey, ctrlKey, metaKey }: Pick<KeyboardEvent, 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey'>,
  settings: SendSettings,
): When | null {
  if (shiftKey) return null;
  if (altKey) return 'steer';
  if (ctrlKey || metaKey) return settings.enterSends ? otherWay(settings) : usualWay(settings);
  return settings.enterSends ? usualWay(settings) : null;
}
