import { beforeEach, describe, expect, it } from 'vitest';
import { gate, stream, text } from '../../fakes/model-server.ts';
import { readRows } from '../support/rows.ts';
import { scenes, type Scene, until } from '../support/scene.ts';

let scene: Scene;
const shared = scenes();

beforeEach(async () => {
  scene = await shared.next();
});

const conversation = async () => (await scene.portside.command('listConversations', {})).conversations[0];
const id = async () => (await conversation())?.id ?? '';
const lastAnswer = async () => {
  const { messages } = await scene.stored();
  return messages.findLast(({ role }) => role === 'assistant')?.id ?? '';
};

describe('a chat in the real worker', () => {
  it('gets its title from the model after the first answer, and from the user for good', async () => {
    const { model, ask, articles, idle, portside } = scene;
    const question = 'How do I bake bread that is dark, sour and keeps for a week?';
    const told = gate();
    const title = (name: string) => portside.panel.getByRole('link', { name, exact: true });
    model.titles(stream(text('“Baking ', 'bread”')));
    model.script(stream(text('Mix'), told, text(' and wait.')), stream(text('Gladly.')));
    await ask(question);
    await told.reached;
    await portside.panel.getByRole('button', { name: 'History', exact: true }).click();
    await title('How do I bake bread that is dark, sour…').waitFor();
    told.open();
    await title('Baking bread').waitFor();
    await portside.panel.getByRole('button', { name: 'Close history' }).click();
    await articles('Assistant').getByText('Mix and wait.').waitFor();
    await portside.command('setConversation', { id: await id(), title: '  My bread ' });
    await ask('Thanks');
    await idle();
    await until('the second answer stands', () => model.requests.length === 2);
    expect((await conversation())?.title).toBe('My bread');
    expect(model.titleRequests).toHaveLength(1);
    expect(model.titleRequests[0]?.body.tools).toBeUndefined();
  });

  it('shows an answer that is written anew, and the one before it again', async () => {
    const { model, ask, articles, idle, portside } = scene;
    model.script(stream(text('Red.')), stream(text('Blue.')));
    await ask('A colour');
    await articles('Assistant').getByText('Red.').waitFor();
    await idle();
    const messageId = await lastAnswer();
    await portside.command('regenerate', { messageId, runId: crypto.randomUUID() });
    await articles('Assistant').getByText('Blue.').waitFor();
    expect(await articles('Assistant').count()).toBe(1);
    await idle();
    await portside.command('switchVersion', { messageId });
    await articles('Assistant').getByText('Red.').waitFor();
    expect(await articles('Assistant').count()).toBe(1);
  });

  it('can be branched off, deleted, and had back by the next worker', async () => {
    const { model, ask, articles, idle, portside } = scene;
    model.script(stream(text('Red.')));
    await ask('A colour');
    await articles('Assistant').getByText('Red.').waitFor();
    await idle();
    const first = await id();
    const fork = await portside.command('forkConversation', {
      messageId: await lastAnswer(),
      conversationId: crypto.randomUUID(),
    });
    expect(fork.title).toBe('A colour (branch)');
    await portside.command('deleteConversations', { ids: [first] });
    const listed = async () =>
      (await portside.command('listConversations', {})).conversations.map((each) => each.id);
    expect(await listed()).toEqual([fork.id]);
    await portside.endWorker();
    await portside.command('restoreConversations', { ids: [first] });
    expect(new Set(await listed())).toEqual(new Set([fork.id, first]));
    expect(await readRows(portside.options, 'messages')).toHaveLength(4);
  });
});
