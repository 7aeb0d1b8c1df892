import { en } from '../../locales/en-options.ts';
import type { ModelTest } from '../../lib/types/model.ts';

/** One thing that a test looked at: whether it works, null where neither is better, and in words. */
export type Step = { works: boolean | null; words: string };

/** What a test showed, a step at a time; none of a test that failed. */
export function stepsOf(test: ModelTest): Step[] {
  if (test.error) return [];
  const { contextWindow } = test.traits;
  return [
    { works: true, words: en.test.answered(test.totalMs) },
    { works: test.streams, words: en.test.streams(test.streams) },
    { works: test.calledTool, words: en.test.calledTool(test.calledTool) },
    { works: test.reasoned || null, words: en.test.reasoned(test.reasoned) },
    ...(contextWindow ? [{ works: true, words: en.test.reads(contextWindow) }] : []),
  ];
}
