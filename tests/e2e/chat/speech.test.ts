import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, gate, stream, text } from '../../fakes/model-server.ts';
import { decide, offered, openScene, type Scene, until } from '../support/scene.ts';

let scene: Scene;

beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.close());

type Heard = { spoken: string[]; status: string[] };

/** Writes down whatever a screen reader is told from now on. */
async function listen(): Promise<() => Promise<Heard>> {
  const { panel } = scene.portside;
  await panel.evaluate(`{
    const heard = window.heard = { spoken: [], status: [] };
    const note = (selector, list) => {
      const region = document.querySelector(selector);
      const say = () => { const words = region.textContent; if (words && words !== list.at(-1)) list.push(words); };
      new MutationObserver(say).observe(region, { childList: true, characterData: true, subtree: true });
    };
    note('[aria-live="polite"]', heard.spoken);
    note('.dock [role="status"]', heard.status);
  }`);
  return () => panel.evaluate('window.heard') as Promise<Heard>;
}

it('speaks sentences of the answer when they are finished, code and tables by what they are, and its end', async () => {
  const { model, ask, articles, idle } = scene;
  const [half, fast] = [gate(), gate()];
  model.script(
    stream(
      text('The session ', 'ends. A new ', 'one beg'),
      half,
      text('ins, see [the issue](https://example.com/1708).\n\n```js\na();\n', 'b();\n```\n'),
      fast,
      text('| a | b |\n|---|---|\n| 1 | 2 |\n\nThat is all.'),
    ),
  );
  const heard = await listen();
  await ask('Tell me');
  await half.reached;
  await until('a sentence is spoken', async () => (await heard()).spoken.length > 0);
  expect((await heard()).spoken).toEqual(['The session ends.']);
  half.open();
  await fast.reached;
  fast.open();
  await articles('Assistant').getByText('That is all.').waitFor();
  await idle();
  await until('all is spoken', async () => (await heard()).spoken.join(' ').includes('That is all.'));
  const { spoken, status } = await heard();
  expect(spoken.join(' ')).toBe(
    'The session ends. A new one begins, see the issue. Code, 2 lines. Table, 1 row. That is all.',
  );
  expect(status[0]).toBe('Thinking');
  expect(status.at(-1)).toBe('Answer ready');
  expect(await scene.portside.panel.getByRole('log').getAttribute('aria-live')).toBe('off');
});

it('is not flooded by a fast answer, and falls silent when the reader goes into the conversation', async () => {
  const { model, ask, articles, idle, portside } = scene;
  const sentences = Array.from({ length: 400 }, (_, index) => `This is the sentence number ${index}. `);
  model.script(stream(text(...sentences, 'The end of it.')));
  const heard = await listen();
  await ask('Tell me much');
  await articles('Assistant').getByText('The end of it.').waitFor();
  await idle();
  await until('something is spoken', async () => (await heard()).spoken.length > 0);
  const { spoken } = await heard();
  expect(spoken.join(' ').length).toBeLessThan(2000);
  expect(spoken.every((words) => /^This is .*\.$/.test(words))).toBe(true);
  await portside.panel.getByRole('log').focus();
  expect(await portside.panel.locator('[aria-live="polite"]').innerText()).toBe('');
});

it('says once that a call waits for the user, and with which key they get to it', async () => {
  const { model, ask, articles, portside, idle } = scene;
  model.script(
    stream(call({ id: 'c', name: offered('write_note'), arguments: '{"text":"a"}' })),
    stream(text('As you wish.')),
  );
  const heard = await listen();
  await ask('Note it');
  const dialog = portside.panel.getByRole('alertdialog', { name: 'Approve write_note' });
  await dialog.waitFor();
  await until('it is said', async () => (await heard()).spoken.length > 0);
  await portside.panel.keyboard.press('Alt+a');
  await until('the approval has the focus', () =>
    dialog.evaluate((element) => element === document.activeElement),
  );
  await decide(dialog, 'Deny');
  await articles('Assistant').getByText('As you wish.').waitFor();
  await idle();
  const { spoken, status } = await heard();
  expect(spoken.filter((words) => words.includes('write_note'))).toEqual([
    'write_note asks for your approval. Press Alt+A to go to it.',
  ]);
  expect(status).toContain('Waiting for your approval');
});
