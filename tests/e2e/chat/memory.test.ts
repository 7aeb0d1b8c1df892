import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, stream, text } from '../../fakes/model-server.ts';
import { readRows } from '../support/rows.ts';
import { decide, offered, openScene, type Scene } from '../support/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ allow: ['look_up'] });
});
afterAll(() => scene.close());

const page = () => scene.portside.options;
const panel = () => scene.portside.panel;
const card = () => panel().getByRole('alertdialog', { name: 'Keep this note?' });
const chip = () => panel().getByRole('button', { name: /^Memory/ });
const row = (name: string) => page().getByRole('listitem', { name });
const propose = (note: string) =>
  stream(call({ id: 'r', name: 'remember', arguments: JSON.stringify({ note }) }));
const notes = async () => (await readRows(page(), 'notes')).map(({ id: _id, ...note }) => note);
/** What the last request told the model, and offered it. */
const sent = () => {
  const { messages = [], tools = [] } = scene.model.requests.at(-1)?.body ?? {};
  const last = String(messages.at(-1)?.content);
  return { system: String(messages[0]?.content), last, tools: JSON.stringify(tools) };
};

it('a note is written, is shown as a chip once it is to be sent, and goes along', async () => {
  await page().evaluate("location.hash = '#memory'");
  await page().getByText('There are no notes yet.').waitFor();
  await page().getByRole('button', { name: 'Add note' }).click();
  await page().getByRole('textbox', { name: 'Note' }).fill('I sail on Lake Constance.');
  await page().getByRole('button', { name: 'Save' }).click();
  await row('I sail on Lake Constance.').waitFor();
  expect(await chip().count()).toBe(0);
  await page().getByRole('switch', { name: 'Send in all chats' }).click();
  await chip().getByText('1 note').waitFor();
  await chip().click();
  await panel().getByRole('dialog', { name: 'Memory' }).getByText('I sail on Lake Constance.').waitFor();
  await panel().getByRole('button', { name: 'Close preview' }).click();

  scene.model.script(propose('Owns a blue boat.'), stream(text('Noted.')));
  await scene.ask('My boat is blue.');
  await card().getByText('Owns a blue boat.').waitFor();
  expect(sent().system).toContain('- I sail on Lake Constance.');
  await card().getByRole('button', { name: 'Edit' }).click();
  await card().getByRole('textbox', { name: 'Note' }).fill('Owns a red boat.');
  await decide(card(), 'Keep');
  await scene.articles('Assistant').getByText('Noted.').waitFor();
  expect(sent().last).toContain('The user kept the note.');
  await row('Owns a red boat.').waitFor();
  await chip().getByText('2 notes').waitFor();
});

it('what is proposed in a chat that has read others says so, is kept as theirs, or not at all', async () => {
  const look = stream(call({ id: 'l', name: offered('look_up'), arguments: '{"word":"port"}' }));
  scene.model.script(
    look,
    propose('Trusts every port.'),
    propose('Reads of ports.'),
    stream(text('As you like.')),
  );
  await scene.ask('What is a port?');
  await card().getByText('Trusts every port.').waitFor();
  expect(await decide(card().filter({ hasText: 'Trusts every port.' }), 'No')).toContain(
    'This chat has read “Test server”. The note may come from there.',
  );
  await decide(card().filter({ hasText: 'Reads of ports.' }), 'Keep');
  await scene.articles('Assistant').getByText('As you like.').waitFor();
  const theirs = row('Reads of ports.');
  await theirs.getByText('Proposed in a chat that had read Test server.').waitFor();
  expect(await notes()).toEqual([
    { text: 'I sail on Lake Constance.' },
    { text: 'Owns a red boat.' },
    { text: 'Reads of ports.', from: ['Test server'] },
  ]);
  await page().getByRole('searchbox', { name: 'Search notes' }).fill('boat');
  await theirs.waitFor({ state: 'detached' });
  await row('Owns a red boat.').getByRole('button', { name: 'Remove Owns a red boat.' }).click();
  await row('Owns a red boat.').getByRole('button', { name: 'Remove', exact: true }).click();
  await page().getByText('No note has these words.').waitFor();
  await chip().getByText('2 notes').waitFor();

  scene.model.script(stream(text('Ahoy.')), stream(text('Bare.')));
  await scene.ask('Hello');
  await scene.articles('Assistant').getByText('Ahoy.').waitFor();
  expect(sent().system).not.toContain('boat');
  expect(sent().system).toMatch(/<external-\w+ from="Test server">\nReads of ports\./);
  expect(sent().tools).toContain('"remember"');
  await panel().getByRole('button', { name: 'Don’t send memory in this chat' }).click();
  await chip().waitFor({ state: 'detached' });
  await scene.ask('And now?');
  await scene.articles('Assistant').getByText('Bare.').waitFor();
  expect(sent().system).not.toMatch(/Lake Constance|Reads of ports/);
  expect(sent().tools).not.toContain('"remember"');
});
