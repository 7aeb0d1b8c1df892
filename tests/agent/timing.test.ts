import { expect, it } from 'vitest';
import type { AssistantMessage } from '../../lib/types/message.ts';
import type { ModelEvent } from '../../lib/types/model.ts';
import { NOW } from '../fakes/rows.ts';
import { ends, failed, scriptedModel } from '../fakes/scripted-model.ts';
import { run } from './harness.ts';

/** The message of a turn in which each event comes so many milliseconds after the one before it. */
async function messageOf(...turn: [afterMs: number, event: ModelEvent][]): Promise<AssistantMessage> {
  let now = NOW;
  async function* slowly(): AsyncIterable<ModelEvent> {
    for (const [afterMs, event] of turn) {
      now += afterMs;
      yield event;
    }
  }
  for await (const event of run(scriptedModel(slowly), {}, { now: () => now }))
    if (event.type === 'message_end') return event.message;
  throw new Error('No message came.');
}

const reasoning: ModelEvent = { type: 'reasoning', text: 'Hm. ' };
const text: ModelEvent = { type: 'text', text: 'Yes.' };

it.each<[string, [number, ModelEvent][], AssistantMessage['timing']]>([
  [
    'up to the answer',
    [
      [100, reasoning],
      [400, reasoning],
      [300, text],
      [900, reasoning],
      [50, ends({})],
    ],
    { firstTokenMs: 100, reasoningMs: 700 },
  ],
  [
    'up to a call',
    [
      [100, reasoning],
      [200, { type: 'call', position: 0, name: 'x', arguments: '' }],
      [50, ends({})],
    ],
    { firstTokenMs: 100, reasoningMs: 200 },
  ],
  [
    'to the end, if nothing follows',
    [
      [100, reasoning],
      [70, ends({ reasoning: 'Hm. ' })],
    ],
    { firstTokenMs: 100, reasoningMs: 70 },
  ],
  [
    'to where it broke off',
    [
      [100, reasoning],
      [30, failed('model_refused', 'No.')],
    ],
    { firstTokenMs: 100, reasoningMs: 30 },
  ],
  [
    'not at all',
    [
      [100, text],
      [70, ends({})],
    ],
    { firstTokenMs: 100 },
  ],
])('a message says how long its model reasoned: %s', async (_what, turn, timing) => {
  expect((await messageOf(...turn)).timing).toEqual(timing);
});
