import { describe, expect, it } from 'vitest';
import type { AgentDeps } from '../../lib/agent/deps.ts';
import type { StreamModel } from '../../lib/types/model.ts';
import { outline } from '../fakes/rows.ts';
import { calls, failed, prepared, says } from '../fakes/scripted-model.ts';
import { run, tools } from './harness.ts';
import { replayed } from './replay.ts';

const long = 'x'.repeat(3500);

/**
 * A model that goes by what it is sent, as models do: looks three times, the second time at two things, then answers.
 * Every third request fails half-way, in a way that may pass.
 */
function moody(): StreamModel {
  let requests = 0;
  return async function* answer({ messages, toolChoice }) {
    requests += 1;
    if (requests % 3 === 0) {
      yield { type: 'text', text: 'Hm' };
      yield failed('model_busy', 'Busy.', { retryable: true });
      return;
    }
    const text = messages.map(({ content }) => content).join('\n');
    const looked = Math.max(0, ...[...text.matchAll(/look \{"step":(\d)/g)].map(([, step]) => Number(step)));
    if (toolChoice === 'none') yield* says(`Up to look {"step":${looked}}.`);
    else if (looked === 3) yield* says('Done');
    else if (looked === 1) yield* calls(['mcp__1__look', { step: 2 }], ['mcp__1__nothing', {}]);
    else yield* calls(['mcp__1__look', { step: looked + 1, long }]);
  };
}

/** Runs to the end with a worker that dies after every so many events; what was written down is all that is left. */
async function survive(everySo: number, changes: Partial<AgentDeps>, contextWindow: number) {
  const model = moody();
  let id = 0;
  let recorded = await replayed(collectNothing(), 0);
  for (let lives = 0; lives < 500; lives += 1) {
    const given = new Set(recorded.chat.messages.map((message) => message.id));
    const events = run({ model }, recorded.next, {
      prepare: async () => prepared(model, tools, { contextWindow }),
      newId: () => `m${++id}`,
      approve: async ({ status }) =>
        status === 'running' ? 'allow' : { decision: Promise.resolve({ decision: 'allow' }) },
      takeSteers: async () =>
        [{ id: 's', text: 'Faster' }]
          .filter((steer) => !given.has(steer.id))
          .map((steer) => {
            given.add(steer.id);
            return steer;
          }),
      ...changes,
    });
    recorded = await replayed(events, everySo + lives, recorded);
    if (recorded.ended) return { lives, outline: outline(recorded.chat.messages) };
  }
  throw new Error('The run never ended.');
}

async function* collectNothing() {}

describe('a run whose worker dies again and again', () => {
  it.each([
    ['with all there is', {}, 1_000_000],
    ['with a context that has to be summarised', {}, 3000],
    ['up to its limit', { maxIterations: 2 }, 1_000_000],
  ])('ends as it would have ended: %s', async (_what, changes, contextWindow) => {
    const whole = await survive(Infinity, changes, contextWindow);
    expect(whole.lives).toBe(0);
    expect(whole.outline).toContain('user: Faster');
    expect(whole.outline.some((line) => line.startsWith('summary'))).toBe(contextWindow < 10_000);
    for (let events = 1; events <= 40; events += 1) {
      expect((await survive(events, changes, contextWindow)).outline).toEqual(whole.outline);
    }
  });
});
