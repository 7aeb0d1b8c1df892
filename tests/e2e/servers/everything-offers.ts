import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stream, text } from '../../fakes/model-server.ts';
import { contentOf, type EverythingScene, type Kind } from './everything-scene.ts';
import { everythingDocs } from './real-servers.ts';
import { until } from '../support/scene.ts';

/** Prompts and resources, by the menus of the message field. */
export function testOffers(scene: () => EverythingScene, kind: Kind): void {
  const panel = () => scene().portside.panel;
  const form = (name: string) => panel().getByRole('form', { name });
  const field = () => panel().getByRole('textbox', { name: 'Message' });
  const menu = (name: string) => panel().getByRole('listbox', { name, exact: true });
  const newChat = () => panel().getByRole('button', { name: 'New chat' }).click();
  const about = (method: string, uri: string) =>
    scene()
      .heard(method)
      .filter(({ params }) => params?.['uri'] === uri).length;

  /** Opens the menu of `/` or `@`, chooses from it, and fills in what is asked then. */
  async function take(key: '/' | '@', option: string, values: Record<string, string> = {}): Promise<void> {
    const draft = await field().inputValue();
    await field().press('End');
    await field().pressSequentially(draft === '' || key === '/' ? key : ` ${key}`);
    await menu(key === '/' ? 'Prompts and commands' : 'Context')
      .getByRole('option', { name: option })
      .click();
    if (Object.keys(values).length === 0) return;
    const asked = form('Arguments for');
    for (const [name, value] of Object.entries(values))
      await asked.getByRole('combobox', { name }).fill(value);
    await asked.getByRole('button', { name: key === '/' ? 'Insert' : 'Attach' }).click();
    await asked.waitFor({ state: 'detached' });
  }
  const chips = () => panel().locator('form').getByRole('list', { name: 'Context' }).getByRole('listitem');
  const becomes = (words: string) =>
    until(`the message becomes “${words}”`, async () => (await field().inputValue()).trim() === words);

  /** Takes out the text of a prompt, and then what it is known by, which an undo would need. */
  async function unwrite(): Promise<void> {
    await field().fill('');
    await chips().getByRole('button', { name: 'Remove' }).click();
    await until('nothing is attached', async () => (await chips().count()) === 0);
  }

  /** Sends the draft. @returns the text that the model gets for it */
  async function send(): Promise<string> {
    const before = scene().model.requests.length;
    scene().model.script(stream(text('So I read.')));
    await panel().getByRole('button', { name: 'Send', exact: true }).click();
    const { body } = await scene().model.waitForRequest(before);
    await scene().idle();
    return contentOf(body.messages.at(-1)?.content);
  }

  it('gives each of its prompts by the / menu, with what completes an argument', async () => {
    await newChat();
    await take('/', 'simple-prompt');
    await becomes('This is a simple prompt without arguments.');
    await chips()
      .filter({ hasText: 'simple-prompt' })
      .getByRole('button', { name: 'simple-prompt' })
      .first()
      .click();
    await panel()
      .getByRole('dialog')
      .getByText('The server wrote this. It’s part of your message.')
      .waitFor();
    await panel().getByRole('button', { name: 'Close preview' }).click();
    await unwrite();
    await take('/', 'args-prompt', { city: 'Oslo' });
    await becomes('What’s weather in Oslo?'.replace('’', "'"));
    await unwrite();

    await take('/', 'completable-prompt');
    const asked = form('Arguments for Team Management');
    await asked.getByRole('combobox', { name: 'department' }).pressSequentially('S');
    await asked.getByRole('option', { name: 'Support' }).waitFor();
    await asked.getByRole('option', { name: 'Sales' }).click();
    await asked.getByRole('combobox', { name: 'name' }).pressSequentially('E');
    await asked.getByRole('option', { name: 'Eve' }).click();
    await asked.getByRole('button', { name: 'Insert' }).click();
    await becomes('Please promote Eve to the head of the Sales team.');
    await unwrite();

    await take('/', 'resource-prompt');
    const which = form('Arguments for Resource Prompt');
    await which.getByRole('combobox', { name: 'resourceType' }).fill('Text');
    await which.getByRole('combobox', { name: 'resourceId' }).fill('5');
    const suggested = which.getByRole('option', { name: '5' });
    await suggested.waitFor();
    await which.getByRole('button', { name: 'Insert' }).hover();
    await panel().mouse.down();
    // Else the button moves from under the pointer, and nothing is pressed.
    expect(await suggested.count()).toBe(1);
    await panel().mouse.up();
    await becomes(
      'This prompt includes the Text resource with id: 5. Please analyze the following resource:',
    );
    await until('it and its resource are attached', async () => (await chips().count()) === 2);
    const sent = await send();
    expect(sent.split('Please analyze')).toHaveLength(2);
    expect(sent).toContain('Please analyze the following resource');
    expect(sent).toContain('Resource 5: This is a plaintext resource');
  });

  it('gives each of its resources and templates by the @ menu, and the model gets what they hold', async () => {
    await newChat();
    const documents = (await readdir(everythingDocs)).filter((name) => name.endsWith('.md'));
    for (const [index, name] of documents.entries()) {
      await take('@', name);
      await until(`${name} is attached`, async () => (await chips().count()) === index + 1);
    }
    await take('@', 'Dynamic Text Resource', { resourceId: '7' });
    await take('@', 'Dynamic Blob Resource', { resourceId: '8' });
    await until('both are attached', async () => (await chips().count()) === documents.length + 2);
    await field().fill('Read these');
    const sent = await send();
    for (const name of documents) {
      expect(sent).toContain((await readFile(join(everythingDocs, name), 'utf8')).trim());
    }
    expect(sent).toContain('Resource 7: This is a plaintext resource');
    expect(sent).toContain('Read these');
    await until('the chips are in the message now', async () => (await chips().count()) === 0);
  });

  it('has an attached resource read again once it says that it changed, until it was sent', async () => {
    const uri = 'demo://resource/dynamic/text/9';
    await newChat();
    await take('@', 'Dynamic Text Resource', { resourceId: '9' });
    await until('it is watched', () =>
      scene()
        .heard('resources/subscribe')
        .some(({ params }) => params?.['uri'] === uri),
    );
    const before = about('resources/read', uri);
    await scene().toggle('toggle-subscriber-updates');
    await until('it is read again', () => about('resources/read', uri) > before);
    await scene().toggle('toggle-subscriber-updates'); // so that it stays as it is seen
    await chips().getByRole('button').first().click();
    const preview = panel().getByRole('dialog', { name: /^Preview/ });
    const held = await preview.locator('pre').innerText();
    await preview.getByRole('button', { name: 'Close preview' }).click();
    await field().fill('What does it say?');
    const sent = await send();
    // What the user looks at has no nonce.
    expect(sent.replaceAll(/(<\/?external)-\w{8}/g, '$1')).toContain(held.trim());
    await until('it is not watched any more', () =>
      scene()
        .heard('resources/unsubscribe')
        .some(({ params }) => params?.['uri'] === uri),
    );
  });

  if (kind === 'sse') return; // what is on the screen is the same

  it('shows what a resource would send when Space is pressed on it, and adds it from there', async () => {
    await newChat();
    await field().pressSequentially('@features');
    await menu('Context').getByRole('option', { name: 'features.md' }).waitFor();
    await field().press('ArrowDown');
    await field().press('ArrowUp');
    await field().press('Space');
    const preview = panel().getByRole('dialog', { name: 'Preview features.md' });
    await preview.getByText(/about .* tokens/).waitFor();
    await preview.getByRole('button', { name: 'Add' }).click();
    const adding = chips().filter({ hasText: 'adding' });
    await until('it is attached', async () => (await chips().count()) === 1 && (await adding.count()) === 0);
    expect(await field().inputValue()).toBe('');
    await chips().getByRole('button', { name: 'Remove' }).click();
  });
}
