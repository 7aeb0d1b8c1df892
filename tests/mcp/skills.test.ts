import { expect, it, onTestFinished } from 'vitest';
import type { SkillEntry } from '../../lib/types/tools/skill.ts';
import { SKILL, startSkillsServer, TEA } from '../fakes/skills-server.ts';
import { config, createRig, noUser } from './harness.ts';

const idle = () => ({ signal: new AbortController().signal, elicit: noUser });

async function start() {
  const server = await startSkillsServer();
  onTestFinished(() => server.close());
  const rig = createRig();
  const listed = () => rig.tools.at(-1)?.find(({ name }) => name === SKILL);
  const connect = () => rig.connect(config(server.url));
  const read = (file?: string, skill: SkillEntry | undefined = listed()?.skill) =>
    rig.readSkill(1, { uri: SKILL, ...skill! }, file, idle());
  /** Tells of a change, once that is listened for. */
  const changed = async () => {
    await expect.poll(() => server.asked).toContain('subscriptions/listen');
    server.changed();
  };
  return { server, rig, connect, listed, read, changed };
}

it('skills are listed with what they say of themselves, and no file of them is read', async () => {
  const { server, rig, connect, listed } = await start();
  await connect();
  expect(listed()).toMatchObject({
    title: 'tea',
    description: 'How tea is made here',
    skill: { resources: { length: 3 } },
  });
  expect(rig.status(1)).toMatchObject({ state: 'connected', toolCount: 0 });
  expect(server.asked).toContain('skills/list');
  expect(server.asked.join()).not.toContain('resources/read');
});

it('a skill is loaded when it is asked for, its files by their paths, and folders by what was listed', async () => {
  const { server, connect, read } = await start();
  await connect();
  expect(await read()).toBe(TEA);
  expect(await read('./leaves/green.md')).toBe('Eighty degrees, three minutes.');
  expect(await read('leaves/')).toBe('leaves/green.md\nleaves/black.md');
  expect(await read('.')).toBe('SKILL.md\nleaves/');
  expect(server.asked.filter((each) => each.startsWith('resources/') && each !== 'resources/list')).toEqual([
    'resources/templates/list',
    `resources/read ${SKILL}`,
    'resources/read skill://tea/leaves/green.md',
  ]);
});

it.each([
  ['another text', TEA.replace('Boil', 'Spill')],
  ['a longer text', `${TEA} And more.`],
])('%s than was listed is not given out, and the skills are listed anew', async (_what, text) => {
  const { server, connect, read } = await start();
  await connect();
  server.instead.set(SKILL, text);
  const before = server.asked.filter((each) => each === 'skills/list').length;
  await expect(read()).rejects.toMatchObject({ code: 'skill_unverified' });
  expect(server.asked.filter((each) => each === 'skills/list')).toHaveLength(before + 1);
});

it('a frontmatter that says something else than the list is not given out', async () => {
  const { connect, listed, read } = await start();
  await connect();
  const skill = listed()?.skill as SkillEntry;
  const other = { ...skill, frontmatter: { ...skill.frontmatter, description: 'How coffee is made' } };
  await expect(read(undefined, other)).rejects.toMatchObject({ code: 'skill_unverified' });
});

it('a file that was not listed is not asked for', async () => {
  const { server, connect, read } = await start();
  await connect();
  server.files.set('skill://tea/secret.md', 'x');
  await expect(read('secret.md')).rejects.toMatchObject({ code: 'skill_no_file' });
  await expect(read('skill://other/SKILL.md')).rejects.toMatchObject({ code: 'skill_no_file' });
  expect(server.asked.join()).not.toContain('resources/read');
});

it('folders of a skill that is made anew each time are asked for', async () => {
  const { server, connect, read } = await start();
  server.isDynamic = true;
  await connect();
  expect(await read('leaves/')).toBe('leaves/green.md\nleaves/black.md');
  expect(server.asked).toContain('resources/directory/read skill://tea/leaves');
  expect(await read('leaves/black.md')).toBe('Boiling, four minutes.');
});

it('a skill that is not listed is found by its address, and stays known when the lists are read again', async () => {
  const { server, rig, connect, listed, changed } = await start();
  server.lists = false;
  await connect();
  expect(listed()).toBeUndefined();
  await rig.addSkill(1, SKILL, idle());
  expect(listed()).toMatchObject({ title: 'tea' });
  const before = server.asked.length;
  server.files.set(SKILL, TEA.replace('Boil', 'Heat'));
  await changed();
  await expect.poll(() => server.asked.slice(before)).toContain(`skills/get ${SKILL}`);
  await expect.poll(() => JSON.stringify(listed()?.skill)).toContain('tea/SKILL.md');
  await expect(rig.addSkill(1, 'skill://none/SKILL.md', idle())).rejects.toMatchObject({
    code: 'server_refused',
  });
});

it('a skill of more than any host must take is listed with what is wrong, and a broken entry is left out', async () => {
  const { server, connect, listed, rig, changed } = await start();
  for (let at = 0; at < 510; at += 1) server.files.set(`skill://tea/x/${at}.md`, 'x');
  await connect();
  expect(listed()).toMatchObject({ problem: expect.stringMatching(/513 files/), skill: { resources: [] } });
  server.files.set(SKILL, TEA.replace('name: tea', 'name: coffee'));
  await changed();
  await expect.poll(listed).toBeUndefined();
  expect(JSON.stringify(rig.log(1))).toMatch(/skills\/list was left out/);
});

it('a skill whose frontmatter is more than can be shown is listed without it, and can’t be loaded', async () => {
  const { server, connect, listed } = await start();
  server.files.set(SKILL, TEA.replace('name: tea', `license: ${'x'.repeat(300_000)}\nname: tea`));
  await connect();
  expect(listed()).toMatchObject({ title: 'tea', problem: 'What the server lists of it is too large.' });
  expect(JSON.stringify(listed()).length).toBeLessThan(2_000);
});
