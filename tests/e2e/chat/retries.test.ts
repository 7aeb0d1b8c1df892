import { beforeEach, describe, expect, it } from 'vitest';
import { outline } from '../../fakes/rows.ts';
import { answer, call, stream, text } from '../../fakes/model-server.ts';
import { offered, scenes, type Scene } from '../support/scene.ts';

let scene: Scene;
const shared = scenes({ allow: ['write_note', 'fail'] });

beforeEach(async () => {
  scene = await shared.next();
  // What Chromium itself writes to the console for a request that fails.
  scene.portside.expectComplaint(/Failed to load resource/);
});

const waiting = () => scene.portside.panel.getByRole('group', { name: 'Waiting to retry' });
const busy = answer(503, { error: { message: 'busy' } });

describe('a request that fails', () => {
  it('is made again by itself, with a countdown, until it is answered', async () => {
    const { model, ask, articles, stored } = scene;
    const busyLonger = answer(503, { error: { message: 'busy' } }, { 'retry-after': '8' }); // to be seen
    model.script(busyLonger, busy, stream(text('Here I am.')));
    await ask('Hello');
    await waiting()
      .getByText(/^Retrying/)
      .waitFor();
    await waiting().getByText('attempt 2 of 5').waitFor();
    await articles('Assistant').getByText('Here I am.').waitFor();
    expect(await waiting().count()).toBe(0);
    expect(model.requests).toHaveLength(3);
    expect(outline((await stored()).messages)).toEqual(['user: Hello', 'assistant: Here I am.']);
  });

  it('waits as long as the server asks for', async () => {
    const { model, ask, articles } = scene;
    model.script(
      answer(429, { error: { message: 'slow down' } }, { 'retry-after': '2' }),
      stream(text('Now.')),
    );
    await ask('Hello');
    await articles('Assistant').getByText('Now.').waitFor();
    const [first, second] = model.requests;
    expect((second?.time ?? 0) - (first?.time ?? 0)).toBeGreaterThanOrEqual(2000);
  });

  it('is given up by Cancel: nothing more is sent, and the next question works', async () => {
    const { model, ask, articles, idle } = scene;
    model.script(
      answer(503, { error: { message: 'busy' } }, { 'retry-after': '60' }),
      stream(text('Here I am.')),
    );
    await ask('Hello');
    await waiting().getByRole('button', { name: 'Cancel' }).click();
    await idle();
    expect(model.requests).toHaveLength(1);
    await ask('Still there?');
    await articles('Assistant').getByText('Here I am.').waitFor();
    expect(model.requests[1]?.body.messages.at(-1)?.content).toContain('Still there?');
  });

  it('is made again at once by Retry', async () => {
    const { model, ask, articles } = scene;
    model.script(
      answer(503, { error: { message: 'busy' } }, { 'retry-after': '60' }),
      stream(text('Here I am.')),
    );
    await ask('Hello');
    await waiting().getByRole('button', { name: 'Retry' }).click();
    await articles('Assistant').getByText('Here I am.').waitFor();
    expect(model.requests).toHaveLength(2);
  });

  it('repeats no call that was made before it', async () => {
    const { model, mcp, ask, articles } = scene;
    const note = call({ id: 'n1', name: offered('write_note'), arguments: '{"text":"x"}' });
    model.script(stream(note), busy, stream(text('Noted.')));
    await ask('Note it');
    await articles('Assistant').getByText('Noted.').waitFor();
    expect(mcp.executions).toHaveLength(1);
    expect(model.requests).toHaveLength(3);
  });

  it('waits over a worker’s death', async () => {
    const { model, ask, articles, portside } = scene;
    model.script(
      answer(503, { error: { message: 'busy' } }, { 'retry-after': '3' }),
      stream(text('Here I am.')),
    );
    await ask('Hello');
    await waiting().waitFor();
    await portside.endWorker();
    await articles('Assistant').getByText('Here I am.').waitFor({ timeout: 45_000 });
    expect(model.requests).toHaveLength(2);
    const [first, second] = model.requests;
    expect((second?.time ?? 0) - (first?.time ?? 0)).toBeGreaterThanOrEqual(3000);
  });
});

describe('Run again', () => {
  it('makes a failed call once more, and the model goes on from its result', async () => {
    const { model, mcp, ask, articles, toolCall, idle } = scene;
    model.script(
      stream(call({ id: 'c1', name: offered('fail'), arguments: '{}' })),
      stream(text('It broke.')),
      stream(text('It broke again.')),
    );
    await ask('Try it');
    await articles('Assistant').getByText('It broke.').waitFor();
    await idle();
    mcp.hold('fail');
    await scene.unfold();
    await toolCall('fail').getByRole('button', { name: 'Run again' }).click();
    await mcp.until(() => mcp.executions.length === 2);
    mcp.release('fail');
    await articles('Assistant').getByText('It broke again.').waitFor();
    expect(await articles('Assistant').getByText('It broke.', { exact: true }).count()).toBe(0);
    expect(model.requests[2]?.body.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
    ]);
  });

  it('makes one that succeeded once more, from its details', async () => {
    const { model, mcp, ask, articles, toolCall, idle } = scene;
    model.script(
      stream(call({ id: 'c1', name: offered('write_note'), arguments: '{"text":"Tide"}' })),
      stream(text('Noted.')),
      stream(text('Noted once more.')),
    );
    await ask('Note it');
    await articles('Assistant').getByText('Noted.').waitFor();
    await idle();
    const made = mcp.executions.length;
    await scene.unfold();
    expect(await toolCall('write_note').getByRole('button', { name: 'Run again' }).count()).toBe(0);
    await toolCall('write_note').getByRole('button', { name: 'Show details' }).click();
    await toolCall('write_note').getByRole('button', { name: 'Run again' }).click();
    await articles('Assistant').getByText('Noted once more.').waitFor();
    expect(mcp.executions).toHaveLength(made + 1);
  });
});
