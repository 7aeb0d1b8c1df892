import 'fake-indexeddb/auto';
import { expect, it, vi } from 'vitest';
import { createOwnSkills } from '../../entrypoints/background/chat/own-skills.ts';
import { createSkillAttachments } from '../../entrypoints/background/chat/skill-attachments.ts';
import { createSettingsFile } from '../../entrypoints/background/data/settings-file.ts';
import { readSetup } from '../../entrypoints/background/subscribe/setup.ts';
import { saveSettings } from '../../lib/storage/configuration/settings.ts';
import { putPrompt } from '../../lib/storage/configuration/prompts.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import { foreignIn } from '../../lib/trust/taint.ts';
import type { UserMessage } from '../../lib/types/message.ts';
import { OWN_TOOLS } from '../../lib/types/tools/tool-source.ts';
import { TEA } from '../fakes/skills-server.ts';
import { startWorkerServers } from './rig.ts';

vi.mock('wxt/browser', () => ({ browser: {} }));

const folder = (text = TEA) => [
  { path: 'skills/tea/SKILL.md', text },
  { path: 'skills/tea/leaves/green.md', text: 'Eighty degrees.' },
];
const NAME = 'skill__own__tea';

async function start() {
  const db = await openDatabase(crypto.randomUUID());
  const rig = startWorkerServers(db);
  const ownSkills = createOwnSkills(db, rig.tools.syncOwn);
  const called = async (args: Record<string, unknown>) => {
    const { skillOf } = await rig.tools.offer('c1', undefined);
    const { toolName = '', serverId = null } = skillOf?.({ skill: NAME, ...args }) ?? {};
    const call = { callId: 'm1.0', conversationId: 'c1', serverId, toolName };
    const options = {
      signal: new AbortController().signal,
      started: async () => {},
      accepted: async () => {},
      progress: () => {},
    };
    const row = { ...call, arguments: '{}', createdAt: new Date().toISOString() };
    const { permission } = await rig.tools.judge(row as Parameters<typeof rig.tools.judge>[0]);
    return { permission, ...(await rig.tools.call(call, args, options)) };
  };
  return { db, rig, ownSkills, called };
}

it('skills of one’s own are found by a model, and read by their files and folders', async () => {
  const { db, rig, ownSkills, called } = await start();
  expect(await ownSkills.importAll({ files: folder() })).toEqual({ names: ['tea'] });
  await saveSettings(db, { tierPermissions: { reads: 'allow' } });
  const { tools } = await rig.tools.offer('c1', undefined);
  expect(tools.find(({ name }) => name === 'use_skill')?.description).toContain(
    JSON.stringify({ skill: NAME, about: 'How tea is made here' }),
  );
  expect(await called({})).toMatchObject({ permission: 'allow', result: { text: TEA } });
  expect(await called({ file: 'leaves' })).toMatchObject({ result: { text: 'leaves/green.md' } });
  expect(await called({ file: 'leaves/green.md' })).toMatchObject({ result: { text: 'Eighty degrees.' } });
  expect(await called({ file: '../other' })).toMatchObject({ status: 'error' });
});

it('a skill replaces one of its name, and no prompt; what is none is refused as a whole', async () => {
  const { db, ownSkills } = await start();
  await ownSkills.importAll({ files: folder() });
  await ownSkills.importAll({ files: folder(TEA.replace('here', 'there')) });
  expect(await db.getAll('prompts')).toMatchObject([
    { name: 'tea', skill: { description: 'How tea is made there' } },
  ]);
  await putPrompt(db, { name: 'cake', text: 'Bake.' });
  const cake = folder(TEA.replace('name: tea', 'name: cake'));
  await expect(ownSkills.importAll({ files: cake })).rejects.toMatchObject({ code: 'name_taken' });
  await expect(ownSkills.importAll({ files: [{ path: 'a.md', text: '' }] })).rejects.toMatchObject({
    code: 'no_skill',
  });
  const bad = [...folder(), { path: 'x/SKILL.md', text: 'Nothing' }];
  await expect(ownSkills.importAll({ files: bad })).rejects.toMatchObject({ code: 'invalid_input' });
  const setup = await readSetup(db, () => ({ state: 'connected', toolCount: 0 }));
  expect(setup.prompts[0]?.skill?.files).toEqual([{ path: 'leaves/green.md', text: '' }]);
});

it('the user loads one without a question; it taints as a file of theirs does', async () => {
  const { db, rig, ownSkills } = await start();
  await ownSkills.importAll({ files: folder() });
  const [skill] = await rig.tools.skills({ conversationId: 'c1' });
  expect(skill).toMatchObject({ name: 'tea', serverId: OWN_TOOLS, isAllowed: true });
  const { attach } = createSkillAttachments(db, {
    servers: rig.connections,
    tools: rig.tools,
    attachments: rig.attachments,
    elicitFor: () => async () => ({ action: 'cancel' }),
  });
  await attach({ conversationId: 'c1', serverId: OWN_TOOLS, uri: skill?.uri ?? '' });
  const attachments = await db.getAll('attachments');
  expect(attachments).toMatchObject([{ title: 'tea', text: TEA }]);
  const message = { role: 'user', attachments } as unknown as UserMessage;
  expect(foreignIn([message], [], () => true)).toEqual([{ from: 'tea', text: `tea\n${TEA}` }]);
});

it('goes with the settings into a file, and comes out of one once all of it was shown', async () => {
  const { db, ownSkills } = await start();
  await ownSkills.importAll({ files: folder() });
  const { text } = await createSettingsFile(db, { changed: async () => {}, now: Date.now }).exportAll();
  const other = await start();
  const file = createSettingsFile(other.db, { changed: other.rig.tools.syncOwn, now: Date.now });
  const first = await file.importAll({ text, servers: [] });
  expect(JSON.stringify(first)).toContain('Eighty degrees');
  const shown = first.type === 'to_show' ? first.texts : [];
  expect(await file.importAll({ text, servers: [], shown })).toMatchObject({ type: 'added', prompts: 1 });
  expect(await other.rig.tools.skills({ conversationId: 'c1' })).toMatchObject([{ name: 'tea' }]);
});
