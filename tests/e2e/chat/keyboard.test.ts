import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, gate, stream, text } from '../../fakes/model-server.ts';
import { GUARDED_MS, offered, openScene, type Scene, until } from '../support/scene.ts';

let scene: Scene;

beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.close());

const panel = () => scene.portside.panel;
const press = (key: string) => panel().keyboard.press(key);
const message = () => panel().getByRole('textbox', { name: 'Message', exact: true });
const button = (name: string) => panel().getByRole('button', { name, exact: true });
const focused = () =>
  panel().evaluate(
    '(document.activeElement.getAttribute("aria-label") || document.activeElement.innerText || "").trim()',
  ) as Promise<string>;
const note = () => call({ id: 'c', name: offered('write_note'), arguments: '{"text":"a"}' });

async function answered(question: string, reply: string): Promise<void> {
  scene.model.script(stream(text(reply)));
  await message().fill(question);
  await press('Enter');
  await scene.articles('Assistant').getByText(reply).waitFor();
  await scene.idle();
}

describe('the keys', () => {
  it('send with Enter, break the line with Shift+Enter, and bring the last message back with Up', async () => {
    await message().focus();
    await message().pressSequentially('One');
    const height = async () => (await message().boundingBox())?.height ?? 0;
    const ofOneLine = await height();
    await press('Shift+Enter');
    await message().pressSequentially('Two');
    expect(await height()).toBeGreaterThan(ofOneLine);
    expect(await message().inputValue()).toBe('One\nTwo');
    scene.model.script(stream(text('Both lines.')));
    await press('Enter');
    await scene.articles('Assistant').getByText('Both lines.').waitFor();
    await scene.idle();
    expect(await height()).toBe(ofOneLine);
    const edit = scene.articles('You').last().getByRole('button', { name: 'Edit' });
    expect(await edit.getAttribute('title')).toBe('Edit (↑)');
    await message().focus();
    await press('ArrowUp');
    const edited = panel().getByRole('textbox', { name: 'Edit message' });
    await edited.waitFor();
    expect(await edited.inputValue()).toBe('One\nTwo');
    await edited.press('Escape');
    await edited.waitFor({ state: 'detached' });
  });

  it('open the menus with / and @, walk and close them', async () => {
    await message().focus();
    await message().fill('');
    await message().pressSequentially('/');
    const prompts = panel().getByRole('listbox', { name: 'Prompts and commands' });
    await prompts.waitFor();
    await press('ArrowDown');
    await press('Escape');
    await prompts.waitFor({ state: 'detached' });
    await message().fill('');
    await message().pressSequentially('With @');
    const context = panel().getByRole('listbox', { name: 'Context' });
    await context.waitFor();
    await press('Escape');
    await context.waitFor({ state: 'detached' });
    await message().fill('');
  });

  it('lead to a new chat, to the history’s search and back, and to the message', async () => {
    await press('Control+Shift+O');
    await panel().getByRole('article').first().waitFor({ state: 'detached' });
    await press('Control+k');
    await panel().getByRole('region', { name: 'History' }).waitFor();
    await until('the search has the focus', async () => (await focused()) === 'Search chats');
    await press('Escape');
    await panel().getByRole('region', { name: 'History' }).waitFor({ state: 'detached' });
    await panel().getByRole('log').focus();
    await press('Alt+m');
    expect(await focused()).toBe('Message');
  });

  it('stop a run with Escape, one thing a press', async () => {
    const { model, ask, articles, idle } = scene;
    model.script(stream(text('Half '), gate()));
    await ask('Go on and on');
    await articles('Assistant').getByText('Half').waitFor();
    await message().pressSequentially('/');
    await panel().getByRole('listbox', { name: 'Prompts and commands' }).waitFor();
    await press('Escape');
    await panel().getByRole('listbox', { name: 'Prompts and commands' }).waitFor({ state: 'detached' });
    expect(await button('Stop').count()).toBe(1);
    await press('Escape');
    await idle();
    await message().fill('');
  });

  it.each([
    ['the message', () => message().focus()],
    ['the conversation', () => panel().getByRole('log').focus()],
    ['a button elsewhere', () => button('History').focus()],
    ['the approval, to which Alt+A leads', () => press('Alt+a')],
  ])('allow a call with Ctrl+Enter and deny it with Escape, with the focus in %s', async (_place, go) => {
    const { model, mcp, ask, articles, idle } = scene;
    const dialog = panel().getByRole('alertdialog', { name: 'Approve write_note' });
    const before = mcp.executions.length;
    for (const [key, reply] of [
      ['Control+Enter', 'It is noted.'],
      ['Escape', 'Not this time.'],
    ] as const) {
      await button('New chat').click();
      model.script(stream(note()), stream(text(reply)));
      await ask('Note it');
      await dialog.waitFor();
      await go();
      await sleep(GUARDED_MS);
      expect(await dialog.locator('kbd').allTextContents()).toEqual(['Ctrl ⏎', 'Esc']);
      await press(key);
      // The run goes on: no key has stopped it.
      await articles('Assistant').getByText(reply).waitFor();
      await idle();
      expect(mcp.executions).toHaveLength(before + 1);
    }
  });

  it('answer one question for each press: an Escape that is held down does not stop the run, too', async () => {
    const { model, ask, articles, idle } = scene;
    const dialog = panel().getByRole('alertdialog', { name: 'Approve write_note' });
    const pause = gate();
    model.script(stream(note()), stream(text('Half '), pause, text('and all.')));
    await ask('Note it');
    await dialog.waitFor();
    await sleep(GUARDED_MS);
    await panel().keyboard.down('Escape');
    await articles('Assistant').getByText('Half').waitFor();
    await panel().keyboard.down('Escape');
    await panel().keyboard.up('Escape');
    pause.open();
    await articles('Assistant').getByText('Half and all.').waitFor();
    await idle();
  });

  it('are listed by ? outside of text fields, and by a button', async () => {
    const list = panel().getByRole('dialog', { name: 'Keyboard shortcuts' });
    await message().focus();
    await message().pressSequentially('?');
    expect(await message().inputValue()).toBe('?');
    expect(await list.count()).toBe(0);
    await message().fill('');
    await panel().getByRole('log').focus();
    await press('?');
    await list.getByText('Search history').waitFor();
    await list.getByText('Allow once').waitFor();
    const outside = list.locator('section').filter({ hasText: 'On any page' });
    const keysOf = (does: string) =>
      outside.locator('dl > div').filter({ hasText: does }).locator('kbd').allTextContents();
    await outside.getByText('Open Portside').waitFor(); // once the browser has told its keys
    expect(await keysOf('Open Portside')).toEqual(['Alt', 'Shift', 'O']);
    expect(await keysOf('Ask about the selection')).toEqual(['Alt', 'Shift', 'S']);
    expect(await keysOf('In the address bar')).toEqual(['ps']);
    await outside.getByText('chrome://extensions/shortcuts').waitFor();
    await press('Escape');
    await list.waitFor({ state: 'detached' });
    expect(await focused()).toBe(await panel().getByRole('log').getAttribute('aria-label'));
    await button('Keyboard shortcuts').click();
    await list.waitFor();
    await press('Escape');
    await list.waitFor({ state: 'detached' });
    expect(await focused()).toBe('Keyboard shortcuts');
  });
});

it('Tab goes through the bar, the conversation and the dock in the order in which they stand', async () => {
  await button('New chat').click();
  await answered('Hello', 'Hello yourself.');
  await button('History').focus();
  const order = ['History'];
  for (let stops = 0; stops < 40 && order.at(-1) !== 'Message'; stops += 1) {
    await press('Tab');
    order.push(await focused());
  }
  const places = ['History', 'Settings', 'Conversation', 'Regenerate', 'Message'].map((name) =>
    order.findIndex((stop) => stop === name),
  );
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(order.findIndex((stop) => stop.startsWith('Servers:'))).toBeGreaterThan(0);
});
