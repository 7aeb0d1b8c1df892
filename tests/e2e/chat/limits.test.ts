import { beforeEach, describe, expect, it } from 'vitest';
import { call, stream, text } from '../../fakes/model-server.ts';
import { offered, scenes, type Scene } from '../support/scene.ts';

let scene: Scene;
const shared = scenes({ allow: ['add', 'write_note'] });

beforeEach(async () => {
  scene = await shared.next();
});

const add = call({ id: 'c1', name: offered('add'), arguments: '{"a":2,"b":40}' });
const setTraits = (chosen: { tools?: boolean; contextWindow?: number }) =>
  scene.portside.command('setModel', { providerId: 1, id: 'test-model', chosen });

describe('the step limit', () => {
  it('ends the run with a warning in the answer, and Continue goes on from there', async () => {
    const { model, mcp, ask, articles, portside, idle } = scene;
    await portside.command('saveSettings', { maxIterations: 1 });
    model.script(stream(text('Let me add.'), add), stream(text('It is 42.')));
    await ask('Add them');
    await portside.panel.getByText('Step limit reached').first().waitFor();
    await idle();
    expect(await articles('Assistant').innerText()).toMatch(/limit/i);
    expect(mcp.executions).toHaveLength(1);
    expect(model.requests).toHaveLength(1);
    await portside.panel.getByRole('button', { name: 'Continue' }).click();
    await articles('Assistant').getByText('It is 42.').waitFor();
    expect(mcp.executions).toHaveLength(1);
    expect(model.requests[1]?.body.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
    ]);
    await idle();
  });

  it('counts every tool in the line that they fold to, as soon as the run has ended there', async () => {
    const { model, ask, portside, idle } = scene;
    await portside.command('saveSettings', { maxIterations: 2 });
    const again = call({ id: 'c2', name: offered('add'), arguments: '{"a":42,"b":1}' });
    model.script(stream(add), stream(again));
    await ask('Add them twice');
    await portside.panel.getByText('Step limit reached').first().waitFor();
    await idle();
    await portside.panel.getByRole('button', { name: /^2 steps:/ }).waitFor();
  });
});

describe('a model without tool calling', () => {
  it('gets no tools and answers in one pass', async () => {
    const { model, ask, articles } = scene;
    await setTraits({ tools: false });
    model.script(stream(text('In words only.')));
    await ask('Add them');
    await articles('Assistant').getByText('In words only.').waitFor();
    expect(model.requests[0]?.body.tools).toBeUndefined();
    expect(model.requests).toHaveLength(1);
  });
});

describe('a small context window', () => {
  it('has older turns summarised: visible, expandable, with the originals kept', async () => {
    const { model, ask, articles, portside, idle } = scene;
    // So that the tools fit easily into the window.
    await portside.command('disconnect', { id: 1 });
    await setTraits({ tools: true, contextWindow: 4000 });
    model.otherwise(stream(text('Understood.')));
    const story = (turn: number) => `Turn ${turn}. ${'The ship sailed on. '.repeat(150)}`;
    for (let turn = 1; turn <= 6; turn++) {
      await ask(story(turn));
      await articles('Assistant')
        .nth(turn - 1)
        .getByText('Understood.')
        .waitFor();
      await idle();
    }
    const summary = portside.panel.getByRole('button', { name: /^Earlier messages summarised/ }).first();
    await summary.press('Enter'); // a click may meet the log while it still scrolls
    await portside.panel
      .getByText('The model reads this instead of the older messages above.')
      .first()
      .waitFor();
    expect(await articles('You').count()).toBe(6);
    await articles('You').filter({ hasText: 'Turn 1.' }).waitFor();
    const last = JSON.stringify(model.requests.at(-1)?.body.messages);
    expect(last).toContain('Turn 6.');
    expect(last).not.toContain('Turn 1. The ship');
  });
});
