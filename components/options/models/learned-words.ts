import type { Learned } from '../../../lib/types/model.ts';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';

/** What a model's refusals taught, each in a few words; what they did not is not there. */
export function learnedWords({ traits, dropped, renamed, quirks }: Learned): string[] {
  return [
    ...(traits?.tools === false ? [t(($) => $.learned.noTools)] : []),
    ...(traits?.vision === false ? [t(($) => $.learned.noVision)] : []),
    ...(traits?.contextWindow
      ? [t(($) => $.learned.reads, { tokens: units.window(traits.contextWindow) })]
      : []),
    ...(dropped ?? []).map(droppedWords),
    ...Object.entries(renamed ?? {}).map(([name, other]) => t(($) => $.learned.renamed, { name, other })),
    ...Object.entries(quirks ?? {})
      .filter(([, on]) => on)
      .map(([name]) => quirkWords(name)),
  ];
}

/** @param entry a parameter's name, or `name=value` where only this value is refused */
function droppedWords(entry: string): string {
  const [name = '', value] = entry.split('=');
  return value === undefined
    ? t(($) => $.learned.dropped, { name })
    : t(($) => $.learned.droppedValue, { name, value });
}

/** What lib/models/request-quirks.ts does differently, by its names. */
export function quirkWords(name: string): string {
  const quirks: Record<string, string> = t(($) => $.learned.quirks);
  return quirks[name] ?? name;
}
