import { beforeEach, describe, expect, it } from 'vitest';
import { gate, stream, text } from '../../fakes/model-server.ts';
import { scenes, type Scene, until } from '../support/scene.ts';

let scene: Scene;
const shared = scenes();

beforeEach(async () => {
  scene = await shared.next();
});

const page = () => scene.portside.panel;
const button = (name: string) => page().getByRole('button', { name, exact: true });
const field = () => page().getByRole('textbox', { name: 'Message', exact: true });
const you = (words: string) => scene.articles('You').filter({ hasText: words });
const answer = (words: string) => scene.articles('Assistant').filter({ hasText: words });
const asked = () =>
  scene.model.requests.map(({ body }) =>
    body.messages.filter(({ role }) => role !== 'system').map(({ content }) => content),
  );

/** Asks, and waits until the answer is there and nothing goes on any more. */
async function talk(question: string, reply: string, shown = reply): Promise<void> {
  scene.model.script(stream(text(reply)));
  await scene.ask(question);
  await answer(shown).waitFor();
  await scene.idle();
}

const focused = (name: string) =>
  until(`${name} has the focus`, () =>
    page()
      .getByLabel(name, { exact: true })
      .or(button(name))
      .first()
      .evaluate((node) => node === document.activeElement),
  );

it('leaves the keyboard where the next step is, when its own button goes', async () => {
  await talk('One', Array.from({ length: 14 }, (_, at) => `Paragraph ${at}.`).join('\n\n'), 'Paragraph 13.');
  const rules = await answer('Paragraph 13.').evaluate(
    (node) =>
      [...node.querySelectorAll('.prose *')].filter((each) => getComputedStyle(each).borderTopWidth !== '0px')
        .length,
  );
  expect(rules).toBe(0);
  await answer('Paragraph 13.').getByRole('button', { name: 'Delete' }).press('Enter');
  await focused('Undo');
  await button('Undo').press('Enter');
  await answer('Paragraph 13.').waitFor();
  await focused('Message');
  scene.model.script(stream(text('Another answer.')));
  await answer('Paragraph 13.').getByRole('button', { name: 'Regenerate', exact: true }).press('Enter');
  await answer('Another answer.').waitFor();
  await focused('Message');
});

describe('a message of the user’s', () => {
  it('is edited in its place and sent as another version, which can be left again', async () => {
    await talk('What is a lee shore?', 'A shore downwind.');
    scene.model.script(stream(text('A shore upwind.')));
    await you('lee shore').getByRole('button', { name: 'Edit' }).click();
    const editor = page().getByRole('textbox', { name: 'Edit message' });
    await until('the editor has the focus', () => editor.evaluate((node) => node === document.activeElement));
    expect(await editor.inputValue()).toBe('What is a lee shore?');
    await editor.fill('What is a weather shore?');
    await editor.press('Enter');
    await answer('A shore upwind.').waitFor();
    expect(asked().at(-1)).toEqual(['What is a weather shore?']);
    expect(await scene.articles('You').count()).toBe(1);
    await you('weather shore').getByText('2 of 2').waitFor();
    await scene.idle();
    await you('weather shore').getByRole('button', { name: 'Previous version' }).click();
    await answer('A shore downwind.').waitFor();
    await you('What is a lee shore?').getByText('1 of 2').waitFor();
    await scene.portside.reopenPanel();
    await answer('A shore downwind.').waitFor();
    await you('What is a lee shore?').getByRole('button', { name: 'Next version' }).click();
    await answer('A shore upwind.').waitFor();
  });

  it('is left as it was by Escape', async () => {
    await talk('First words', 'An answer.');
    await you('First words').getByRole('button', { name: 'Edit' }).click();
    const editor = page().getByRole('textbox', { name: 'Edit message' });
    await editor.fill('Other words');
    await editor.press('Escape');
    await you('First words').waitFor();
    expect(await editor.count()).toBe(0);
    expect(scene.model.requests).toHaveLength(1);
  });

  it('that was sent last is edited by Up in an empty composer', async () => {
    await talk('Once', 'One.');
    await talk('Twice', 'Two.');
    await field().press('ArrowUp');
    expect(await page().getByRole('textbox', { name: 'Edit message' }).inputValue()).toBe('Twice');
  });
});

describe('an answer', () => {
  it('is copied as markdown', async () => {
    await scene.portside.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await talk('List it', '- **one**\n- two', 'one');
    await answer('one').getByRole('button', { name: 'Copy', exact: true }).last().click();
    await page().getByText('Copied').waitFor();
    await field().focus();
    await page().keyboard.press('Control+V');
    await until('it is pasted', async () => (await field().inputValue()) === '- **one**\n- two');
  });

  it('is written anew, by another model too, and the versions can be switched', async () => {
    const { portside, model } = scene;
    const { id } = await portside.command('saveProvider', {
      name: 'Other models',
      preset: 'custom',
      baseUrl: model.url,
      model: 'other-model',
    });
    expect(id).toBe(2);
    await talk('Say something', 'First try.');
    model.script(stream(text('Second try.')));
    await button('Regenerate').click();
    await answer('Second try.').waitFor();
    await answer('Second try.').getByText('2 of 2').waitFor();
    await scene.idle();
    model.script(stream(text('Third try.')));
    await button('Regenerate with another model').click();
    await page().getByRole('menuitem', { name: 'other-model' }).click();
    await answer('Third try.').waitFor();
    expect(model.requests.map(({ body }) => body.model)).toEqual(['test-model', 'test-model', 'other-model']);
    expect(asked()).toEqual([['Say something'], ['Say something'], ['Say something']]);
    await answer('Third try.').getByText('3 of 3').waitFor();
    await scene.idle();
    expect(await page().getByRole('combobox', { name: 'Model' }).innerText()).toContain('test-model');
    await button('Previous version').last().click();
    await answer('Second try.').waitFor();
    await button('Previous version').last().press('Enter');
    await answer('First try.').getByText('1 of 3').waitFor();
    expect(await scene.articles('Assistant').count()).toBe(1);
  });

  it('begins a chat of its own that leaves the first one alone', async () => {
    await talk('One', 'Answer one.');
    await talk('Two', 'Answer two.');
    await answer('Answer one.').getByRole('button', { name: 'Branch' }).click();
    await answer('Answer two.').waitFor({ state: 'detached' });
    await answer('Answer one.').waitFor();
    await talk('Three', 'Answer three.');
    expect(asked().at(-1)).toEqual(['One', 'Answer one.', 'Three']);
    await button('History').click();
    await page().getByRole('region', { name: 'History' }).getByRole('link').nth(1).click();
    await answer('Answer two.').waitFor();
  });

  it('is deleted with what follows it, and comes back by Undo', async () => {
    await talk('One', 'Answer one.');
    await talk('Two', 'Answer two.');
    await you('Two').getByRole('button', { name: 'Delete' }).click();
    await answer('Answer two.').waitFor({ state: 'detached' });
    expect(await you('Two').count()).toBe(0);
    await page().getByText('Message deleted').waitFor();
    await button('Undo').click();
    await answer('Answer two.').waitFor();
    await page().getByText('Message deleted').waitFor({ state: 'detached' });
    await focused('Message');
  });

  it('is quoted where it is selected', async () => {
    await talk('Tell me', 'The wind backs to the south.');
    await answer('The wind').getByText('The wind backs').selectText();
    const tops = ['Quote', 'Copy'].map(async (name) => (await button(name).last().boundingBox())?.y ?? 0);
    const [quote = 0, foot = 0] = await Promise.all(tops);
    expect(quote + 28).toBeLessThanOrEqual(foot);
    await button('Quote').click();
    expect(await field().inputValue()).toBe('> The wind backs to the south.\n\n');
    await field().fill('');
    await answer('The wind').getByText('The wind backs').selectText();
    await page().keyboard.press('Alt+q');
    await until('it is quoted', async () => (await field().inputValue()).startsWith('> The wind'));
  });

  it('can be copied and branched off, but not changed, while a run is live', async () => {
    await talk('One', 'Answer one.');
    const pause = gate();
    scene.model.script(stream(text('Slow '), pause, text('answer.')));
    await scene.ask('Two');
    await pause.reached;
    const first = answer('Answer one.');
    await until('Delete is off', () => first.getByRole('button', { name: 'Delete' }).isDisabled());
    expect(await first.getByRole('button', { name: 'Delete' }).getAttribute('title')).toBe(
      'Stop the answer first, or wait for it to finish',
    );
    expect(await first.getByRole('button', { name: 'Branch' }).isEnabled()).toBe(true);
    pause.open();
    await scene.idle();
    await until('Delete is on', () => first.getByRole('button', { name: 'Delete' }).isEnabled());
  });
});
