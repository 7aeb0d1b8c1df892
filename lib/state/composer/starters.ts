import type { Settings } from '../../types/settings.ts';
import { STARTERS, type StarterId } from '../../types/starter.ts';
import { language } from '../../../locales/translate.ts';
import { t } from '../../../locales/texts/shared.ts';

export type Starter = { id: StarterId; name: string; text: string };

/** Those of `ids` that are switched on, with the user's own texts. */
export function startersOf(chosen: Settings['starters'], ids: readonly StarterId[] = STARTERS): Starter[] {
  return ids.filter((id) => chosen[id]?.isOff !== true).map((id) => starterOf(id, chosen));
}

export function starterOf(id: StarterId, chosen: Settings['starters']): Starter {
  const { name, text } = t(($) => $.starters, { language: ownLanguage() })[id];
  return { id, name, text: chosen[id]?.text ?? text };
}

/** The browser's language, as the language of the texts calls it; without its usual region. */
function ownLanguage(): string {
  const own = new Intl.Locale(navigator.language).minimize().toString();
  return new Intl.DisplayNames(language(), { type: 'language' }).of(own) ?? own;
}
