import { expect, it } from 'vitest';
import { filledSystem, systemPrompt } from '../../lib/agent/context/system-prompt.ts';
import { tokensOf } from '../../lib/types/tokens.ts';
import { DEFAULT_SYSTEM } from '../../lib/types/default-system.ts';
import { FENCE } from '../fakes/rows.ts';

const at = { now: new Date(2026, 10, 23), language: 'de-AT', readsPages: true };

it('the default system prompt tells the date and the language, and takes at most 150 tokens with what a block is', () => {
  const text = filledSystem(DEFAULT_SYSTEM, at) ?? '';
  expect(text).toContain(
    'Today is Monday, November 23, 2026; the browser’s language is Austrian German'.replace('’', "'"),
  );
  expect(text).toContain('call read_page first');
  expect(tokensOf(systemPrompt(text, [], FENCE))).toBeLessThanOrEqual(150);
});

it('a model that is sent no tool is not told of one, and an empty prompt tells nothing', () => {
  expect(filledSystem('Be {{language}}.', { ...at, readsPages: false })).toBe('Be Austrian German.');
  expect(filledSystem(' \n', at)).toBeUndefined();
});
