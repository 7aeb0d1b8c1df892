import { expect, it } from 'vitest';
import { readFinish } from '../../lib/models/reply/finish.ts';

it.each([
  [
    [
      'stop',
      'STOP',
      'tool_calls',
      'tool_use',
      'function_call',
      'end_turn',
      'tool-calls',
      'FINISH_REASON_STOP',
      'eos',
      'COMPLETE',
    ],
    'stop',
  ],
  [['length', 'model_length', 'max_tokens', 'MAX_TOKENS', 'max_output_tokens', 'max_new_tokens'], 'length'],
  [['content_filter', 'SAFETY', 'RECITATION', 'blocked', 'PROHIBITED_CONTENT', 'refusal'], 'filtered'],
  [['error', 'abort', 'cancelled', 'timeout', 'insufficient_system_resource'], 'cut'],
  [['MALFORMED_FUNCTION_CALL', 'function_call_filter: MALFORMED_FUNCTION_CALL'], 'misread'],
  [['because', 'pause_turn', 'stop it'], 'unknown'],
])('the reasons %j mean %s', (reasons, finish) => {
  expect(reasons.map(readFinish)).toEqual(reasons.map(() => finish));
});
