import { en } from '../../locales/en-options.ts';
import type { Learned } from '../../lib/types/model.ts';

/** What a model's refusals taught, each in a few words; what they did not is not there. */
export function learnedWords({ traits, dropped, renamed, quirks }: Learned): string[] {
  const words = en.learned;
  return [
    ...(traits?.tools === false ? [words.noTools] : []),
    ...(traits?.vision === false ? [words.noVision] : []),
    ...(traits?.contextWindow ? [words.reads(traits.contextWindow)] : []),
    ...(dropped ?? []).map((entry) => words.dropped(entry)),
    ...Object.entries(renamed ?? {}).map(([name, other]) => words.renamed(name, other)),
    ...Object.entries(quirks ?? {})
      .filter(([, on]) => on)
      .map(([name]) => words.quirk(name)),
  ];
}
