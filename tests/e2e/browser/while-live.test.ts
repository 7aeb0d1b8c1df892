import { beforeEach, describe, expect, it } from 'vitest';
import { call, gate, hang, stream, text } from '../../fakes/model-server.ts';
import { offered, scenes, type Scene, until } from '../support/scene.ts';

let scene: Scene;
const shared = scenes({ allow: ['write_note'] });

beforeEach(async () => {
  scene = await shared.next();
});

const note = call({ id: 'n1', name: offered('write_note'), arguments: '{"text":"x"}' });
const queued = () => scene.portside.panel.getByRole('group', { name: 'Queued message' });
const field = () => scene.portside.panel.getByRole('textbox', { name: 'Message' });
const asked = () => scene.model.requests.map(({ body }) => body.messages.at(-1)?.content);

async function sendBy(way: 'Send during this answer' | 'Stop and send', words: string): Promise<void> {
  const { panel } = scene.portside;
  await field().fill(words);
  await panel.getByRole('button', { name: 'More ways to send' }).click();
  await panel.getByRole('menuitem', { name: way }).click();
}

describe('while a run is live, a message', () => {
  it('that steers reaches the model at the next step, after the tool’s result', async () => {
    const { model, mcp, ask, articles } = scene;
    mcp.hold('write_note');
    model.script(stream(note), stream(text('Short and done.')));
    await ask('Note it');
    await mcp.until(() => mcp.executions.length === 1);
    await sendBy('Send during this answer', 'Be short');
    await queued().getByText('Be short').waitFor();
    mcp.release('write_note');
    await articles('Assistant').getByText('Short and done.').waitFor();
    expect(model.requests[1]?.body.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'user',
    ]);
    expect(asked()).toEqual(['Note it', 'Be short']);
    expect(await queued().count()).toBe(0);
    await articles('You').getByText('Be short').waitFor();
  });

  it('that steers where no step follows is sent when the run ends', async () => {
    const { model, ask, articles } = scene;
    const pause = gate();
    model.script(stream(text('First '), pause, text('answer.')), stream(text('Second answer.')));
    await ask('One');
    await pause.reached;
    await sendBy('Send during this answer', 'Two');
    await queued().waitFor();
    pause.open();
    await articles('Assistant').getByText('Second answer.').waitFor();
    expect(asked()).toEqual(['One', 'Two']);
  });

  it('that stops the run is sent at once, and the old request ends', async () => {
    const { model, ask, articles, stored } = scene;
    const pause = gate();
    model.script(stream(text('A long '), pause, text('story')), stream(text('The short one.')));
    await ask('Tell me');
    await articles('Assistant').getByText('A long').waitFor();
    await sendBy('Stop and send', 'The short one');
    await model.requests[0]?.closed;
    expect(model.requests[0]?.aborted).toBe(true);
    await articles('Assistant').getByText('The short one.').waitFor();
    expect(asked()).toEqual(['Tell me', 'The short one']);
    expect((await stored()).messages.filter(({ role }) => role === 'assistant')).toMatchObject([
      { status: 'partial', content: 'A long ' },
      { status: 'complete' },
    ]);
  });

  it('can be moved up, taken out and edited while it waits', async () => {
    const { model, ask, articles } = scene;
    const pause = gate();
    model.script(stream(text('One'), pause), stream(text('Answer two')), stream(text('Answer three')));
    await ask('First');
    await pause.reached;
    for (const words of ['second', 'third', 'fourth', 'fifth']) {
      await ask(words);
      await queued().getByText(words).waitFor();
    }
    await queued().filter({ hasText: 'third' }).getByRole('button', { name: 'Move up' }).click();
    await until('third stands first', async () => (await queued().first().innerText()).includes('third'));
    await queued()
      .filter({ hasText: 'fourth' })
      .getByRole('button', { name: 'Remove queued message' })
      .click();
    await queued().filter({ hasText: 'fourth' }).waitFor({ state: 'detached' });
    await queued().filter({ hasText: 'fifth' }).getByRole('button', { name: 'Edit queued message' }).click();
    await until('its text is back in the field', async () => (await field().inputValue()).includes('fifth'));
    pause.open();
    await articles('Assistant').getByText('Answer three').waitFor();
    expect(asked()).toEqual(['First', 'third', 'second']);
  });
});

describe('Stop', () => {
  it('cancels the call on its server and asks the model nothing more, in a run with a queue too', async () => {
    const { model, mcp, ask, idle, toolCall, portside } = scene;
    mcp.hold('write_note');
    model.script(stream(note), stream(text('Never asked for.')));
    await ask('Note it');
    await mcp.until(() => mcp.executions.length === 1);
    await ask('And then this');
    await queued().waitFor();
    await portside.panel.getByRole('button', { name: 'Stop', exact: true }).click();
    await mcp.until(() => mcp.cancelled.includes('write_note'));
    await toolCall('write_note').getByText('cancelled').waitFor();
    await idle();
    expect(await queued().count()).toBe(0);
    expect(await field().inputValue()).toContain('And then this');
    expect(model.requests).toHaveLength(1);
  });

  it('hangs up on a model’s server that has not said anything yet', async () => {
    const { model, ask, idle, portside } = scene;
    model.script(hang());
    await ask('Hello');
    const request = await model.waitForRequest(0);
    await portside.panel.getByRole('button', { name: 'Stop', exact: true }).click();
    await request.closed;
    expect(request.aborted).toBe(true);
    await idle();
    expect(model.requests).toHaveLength(1);
  });
});
