import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SKILL, startSkillsServer, type SkillsServer } from '../../fakes/skills-server.ts';
import { call, stream, text } from '../../fakes/model-server.ts';
import { addServer, decide, openScene, type Scene, server, until } from '../support/scene.ts';

let scene: Scene;
let kitchen: SkillsServer;
let name: string;

beforeAll(async () => {
  kitchen = await startSkillsServer();
  scene = await openScene();
  const id = await addServer(scene.portside, server(kitchen.url, { name: 'Kitchen', trusted: true }));
  name = `skill__${id}__tea`;
});
afterAll(async () => {
  await scene?.close();
  await kitchen?.close();
});

const panel = () => scene.portside.panel;
const field = () => panel().getByRole('textbox', { name: 'Message' });
const option = () => panel().getByRole('option', { name: /tea.*How tea is made here/ });
/** Once it is read. */
const chip = (title: RegExp) =>
  panel().getByRole('list', { name: 'Context' }).getByRole('button', { name: title });
const load = (args: object = {}) =>
  stream(
    call({ id: 'c0', name: 'use_skill', arguments: JSON.stringify({ skill: name, ...args }), index: 0 }),
  );
const reads = () => kitchen.asked.filter((each) => each.startsWith('resources/read'));

it('a skill is chosen after /, read once its listing was seen and allowed, and sent as its server’s words', async () => {
  await field().pressSequentially('/tea');
  await option().click();
  const review = panel().getByRole('form', { name: 'Use the skill tea' });
  await review.getByText('skill://tea/leaves/green.md').waitFor();
  expect(reads()).toEqual([]);
  await review.getByRole('button', { name: 'Allow and use' }).click();
  await chip(/^tea/).waitFor();
  expect(reads()).toEqual([`resources/read ${SKILL}`]);
  scene.model.script(stream(text('Put the kettle on.')));
  await scene.ask('Make me some');
  await scene.articles('Assistant').getByText('Put the kettle on.').waitFor();
  await scene.idle();
  const { body } = scene.model.requests.at(-1)!;
  expect(JSON.stringify(body.messages.at(-1))).toMatch(
    /<external-\w+ title=\\?"tea\\?" source=\\?"The skill tea of the MCP server Kitchen/,
  );
  expect(body.tools?.map((tool) => tool.function.name)).toContain('use_skill');
});

it('its other files are read as the model asks, without a question as long as it is what was allowed', async () => {
  scene.model.script(load({ file: 'leaves/green.md' }), stream(text('Three minutes.')));
  await scene.ask('How long?');
  await scene.articles('Assistant').getByText('Three minutes.').waitFor();
  await scene.idle();
  expect(JSON.stringify(scene.model.requests.at(-1)!.body.messages.at(-1))).toContain('Eighty degrees');
});

it('once a file of it has changed, the model’s call waits, and its card shows what has', async () => {
  kitchen.files.set('skill://tea/leaves/green.md', 'Ninety degrees, two minutes.');
  kitchen.changed();
  await until('the change is known', async () => {
    const [skill] = await scene.portside.command('listSkills', { conversationId: '' });
    return skill?.isAllowed === false;
  });
  scene.model.script(load({ file: 'leaves/green.md' }), stream(text('Two minutes.')));
  await scene.ask('And now?');
  const card = panel().getByRole('alertdialog');
  await card.getByText('This skill has changed since you allowed it.').waitFor();
  const diff = card.getByRole('group', { name: 'Definition' });
  expect(await diff.getByRole('deletion').or(diff.locator('del')).first().innerText()).toContain(
    'leaves/green.md',
  );
  await decide(card, 'Allow once');
  await scene.articles('Assistant').getByText('Two minutes.').waitFor();
  await scene.idle();
  expect(JSON.stringify(scene.model.requests.at(-1)!.body.messages.at(-1))).toContain('Ninety degrees');
});

it('stands in the sheet of tools, where a chat goes without it', async () => {
  await panel()
    .getByRole('button', { name: /^Servers: / })
    .click();
  const sheet = panel().getByRole('dialog', { name: 'Tools for this chat' });
  await sheet.getByRole('button', { name: 'Tools from Kitchen' }).click();
  await sheet.getByRole('region', { name: 'Skills' }).getByRole('checkbox', { name: /^tea/ }).uncheck();
  await sheet.getByRole('button', { name: 'Close tools' }).click();
  scene.model.script(stream(text('No tea.')));
  await scene.ask('More?');
  await scene.articles('Assistant').getByText('No tea.').waitFor();
  await scene.idle();
  const use = scene.model.requests.at(-1)!.body.tools?.find((tool) => tool.function.name === 'use_skill');
  expect(use?.function.description).not.toContain(name);
  await field().pressSequentially('/tea');
  await panel().getByText('No prompts or commands match “tea”.').waitFor();
});

it('a folder of one’s own is imported in the settings, and chosen after / without a question', async () => {
  const folder = join(await mkdtemp(join(tmpdir(), 'portside-')), 'haiku');
  await mkdir(join(folder, 'examples'), { recursive: true });
  await writeFile(
    join(folder, 'SKILL.md'),
    '---\nname: haiku\ndescription: How haiku are written\n---\nSeventeen syllables.\n',
  );
  await writeFile(join(folder, 'examples/frog.md'), 'An old silent pond');
  const page = scene.portside.options;
  await page.goto(`${page.url().split('#')[0]}#prompts`);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Import skills' }).click();
  await (await chooser).setFiles(folder);
  const row = page.getByRole('listitem', { name: 'haiku' });
  await row.getByText('Skill: How haiku are written').waitFor();
  await row.getByText('2 files').waitFor();

  await panel().getByRole('button', { name: 'New chat' }).click();
  await field().fill('');
  await field().pressSequentially('/haiku');
  await panel()
    .getByRole('option', { name: /haiku.*How haiku are written/ })
    .click();
  await chip(/^haiku/).waitFor();
  scene.model.script(stream(text('A frog jumps in.')));
  await scene.ask('One on harbours');
  await scene.articles('Assistant').getByText('A frog jumps in.').waitFor();
  await scene.idle();
  expect(JSON.stringify(scene.model.requests.at(-1)!.body.messages.at(-1))).toMatch(
    /source=\\?"A skill of the user.*Seventeen syllables/,
  );
});
