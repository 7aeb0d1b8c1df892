import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, chunk, delta, finish, raw, type Reply, stream, text } from '../../fakes/model-server.ts';
import { offered, openScene, type Scene } from '../support/scene.ts';

/** Unlisted shapes, at full size: each ends in words, nothing runs, and the panel still works. */
let scene: Scene;

beforeAll(async () => {
  scene = await openScene({ allow: ['write_note'] });
  scene.portside.expectComplaint(/Failed to load resource/);
});
afterAll(() => scene.close());

const megabytes = (count: number) => 'x'.repeat(count * 1024 * 1024);
const note = (value: string, pieces: number) =>
  call({ id: 'n1', name: offered('write_note'), arguments: JSON.stringify({ text: value }), pieces });
const calls = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    delta({
      tool_calls: [
        {
          index,
          id: `n${index}`,
          type: 'function',
          function: { name: offered('write_note'), arguments: '{"text":"x"}' },
        },
      ],
    }),
  );
const garbage = Uint8Array.from({ length: 100_000 }, (_, at) => (at * 7919) % 256);

const shapes: [what: string, reply: Reply][] = [
  ['10,000 calls in one message', stream(calls(10_000))],
  ['bytes that are no text', stream(raw(garbage), raw('\n\n'))],
  ['a line without an end', stream(raw(`data: ${megabytes(20)}`))],
  [
    'fields of unknown types',
    stream(
      chunk({ choices: 'none', usage: 'much', id: [] }),
      chunk({ choices: [{ delta: { content: { deep: [1, null] }, tool_calls: { 0: 'x' }, role: 7 } }] }),
      chunk([[], 5, null]),
      finish('stop'),
    ),
  ],
];

describe('a model server that sends', () => {
  it('arguments of 5 MB: the call fails in words, on its card and to the model, and is not made', async () => {
    const { model, mcp, ask, articles, toolCall } = scene;
    model.script(stream(note(megabytes(5), 80)), stream(text('Then a shorter one.')));
    await ask('My question');
    await articles('Assistant').getByText('Then a shorter one.').waitFor({ timeout: 45_000 });
    await toolCall('write_note').getByText('write_note failed').waitFor();
    expect(mcp.executions).toEqual([]);
    const told = model.requests[1]?.body.messages.at(-1)?.content ?? '';
    expect(told).toMatch(/"isError":true.*arguments/);
    expect(told.length).toBeLessThan(1000);
  }, 90_000);

  it.each(shapes)(
    '%s: a clear message, no execution, and the next question works',
    async (_what, reply) => {
      const { model, mcp, portside, ask, articles, stop } = scene;
      const { panel } = portside;
      const executed = mcp.executions.length;
      await panel.getByRole('button', { name: 'New chat' }).click();
      model.otherwise(reply);
      await ask('My question');
      const words = panel.getByRole('alert').or(panel.getByText(/too (large|long|many)|more than/i));
      await words.first().waitFor({ timeout: 45_000 });
      expect((await words.first().innerText()).length).toBeGreaterThan(20);
      model.otherwise(stream(text('Here I am.')));
      await stop();
      expect(mcp.executions.length - executed).toBe(0);
      await ask('Another question');
      await articles('Assistant').getByText('Here I am.').last().waitFor();
    },
    90_000,
  );
});
