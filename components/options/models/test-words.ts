import type { ModelTest } from '../../../lib/types/model.ts';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';

/** One thing that a test looked at: whether it works, null where neither is better, and in words. */
export type Step = { works: boolean | null; words: string };

/** What a test showed, a step at a time; none of a test that failed. */
export function stepsOf(test: ModelTest): Step[] {
  if (test.error) return [];
  const { contextWindow } = test.traits;
  return [
    { works: true, words: t(($) => $.test.answered, { ms: units.duration(test.totalMs) }) },
    { works: test.streams, words: t(($) => $.test.streams, { yes: test.streams }) },
    { works: test.calledTool, words: t(($) => $.test.calledTool, { yes: test.calledTool }) },
    { works: test.reasoned || null, words: t(($) => $.test.reasoned, { yes: test.reasoned }) },
    ...(contextWindow
      ? [{ works: true, words: t(($) => $.test.reads, { tokens: units.window(contextWindow) }) }]
      : []),
  ];
}
