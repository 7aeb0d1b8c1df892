import type { ModelTurn } from '../../types/model.ts';

/** `cut`: the server broke off. `misread`: it could not read a call. `unknown`: a word that no server is known for. */
export type Finish = ModelTurn['finish'] | 'cut' | 'misread' | 'unknown';

/** Proper ends: of OpenAI, Anthropic, Cohere, Together and those after them. */
const PROPER =
  /^(stop|stopped|stop_sequence|eos|eos_token|end|end_turn|complete|completed|done|finished|success|normal|tool_?calls?|tool_use|function_?calls?)$/;

const OTHERS: readonly (readonly [Finish, RegExp])[] = [
  // OpenRouter, vLLM, DeepSeek.
  ['cut', /^(error|server_error|abort(ed)?|cancell?ed|timeout|insufficient_system_resource)$/],
  ['misread', /malformed_(function|tool)_call/],
  // OpenAI, Anthropic, Mistral, Google, Together.
  ['length', /length|max_?\w{0,40}tokens|token_limit|context_window/],
  ['filtered', /filter|safety|recitation|block|prohibited|spii|refus|moderat|sensitive/],
];

/**
 * What a `finish_reason` means. Whether there are calls decides what follows a proper end, not its name: servers say
 * `stop` or `tool_calls` for either.
 */
export function readFinish(reason: string): Finish {
  const word = reason
    .trim()
    .toLowerCase()
    .replaceAll('-', '_')
    .replace(/^finish_reason_/, '');
  if (PROPER.test(word)) return 'stop';
  return OTHERS.find(([, pattern]) => pattern.test(word))?.[0] ?? 'unknown';
}
