import 'fake-indexeddb/auto';
import { expect, it } from 'vitest';
import { openDatabase } from '../../lib/storage/database.ts';
import { repairDamaged, isWhole } from '../../lib/storage/damaged.ts';

const remote = { name: 'A', transport: 'sse', url: 'http://a.test/', headerNames: ['X-Key'] };
const program = { name: 'A', transport: 'stdio', command: 'npx', args: ['-y'], envNames: [] };
const prompt = { name: 'A', text: 'B' };
const project = { key: 'k', name: 'A', instructions: '', files: [{ id: 'f', name: 'a.md', text: '' }] };
const assistant = { name: 'A', settings: {} };
const at = '2026-01-01T00:00:00.000Z';
const chat = { id: 'c', title: 'A', createdAt: at, updatedAt: at, settings: {} };
const schedule = {
  ...assistant,
  text: 'B',
  rhythm: { cron: '0 9 * * *' },
  missed: 'skip',
  allows: 'reads',
  perRun: {},
  perMonth: {},
};

it.each([
  ['servers', remote],
  ['servers', { ...remote, answerNames: ['input:key'], oauthClient: { id: 'a', hasSecret: false } }],
  ['servers', { ...program, openEnv: { HOME: '/' }, answerNames: undefined }],
  ['prompts', prompt],
  ['prompts', { ...prompt, skill: { description: '', files: [{ path: 'a', text: '' }] } }],
  ['projects', project],
  ['projects', { ...project, files: [] }],
  ['assistants', { ...assistant, settings: { system: 'Be brief.' } }],
  ['schedules', { ...schedule, passedOver: { at: '', why: 'closed' } }],
  ['schedules', { ...schedule, rhythm: { once: '2026-01-01T00:00:00.000Z' }, spent: undefined }],
  ['conversations', chat],
] as const)('%s are whole: %j', (store, row) => expect(isWhole(store, row)).toBe(true));

// One of them kept all pages from being drawn, or what is set up from being exported.
it.each([
  ['servers', { ...remote, headerNames: [null] }],
  ['servers', { ...remote, answerNames: {} }],
  ['servers', { ...remote, oauthClient: null }],
  ['servers', { ...remote, oauthClient: { id: 42, hasSecret: false } }],
  ['servers', { ...program, args: [{}] }],
  ['servers', { ...program, transport: 'x' }],
  ['prompts', { ...prompt, skill: null }],
  ['prompts', { ...prompt, skill: { description: '' } }],
  ['prompts', { ...prompt, skill: { description: '', files: [null] } }],
  ['projects', { ...project, files: [null] }],
  ['projects', { ...project, files: [{ id: 'f', name: 'a.md' }] }],
  ['notes', { text: 'A', from: [null] }],
  ['assistants', { ...assistant, settings: { system: 42 } }],
  ['schedules', { ...schedule, rhythm: { once: NaN } }],
  ['schedules', { ...schedule, rhythm: {} }],
  ['schedules', { ...schedule, next: NaN }],
  ['schedules', { ...schedule, allows: 'x' }],
  ['schedules', { ...schedule, passedOver: { at: '', why: 'x' } }],
  ['conversations', { ...chat, updatedAt: 'x' }],
] as const)('%s are damaged: %j', (store, row) => expect(isWhole(store, row)).toBe(false));

it('of a chat and its messages nothing goes but what is wrong in them', async () => {
  const db = await openDatabase(crypto.randomUUID());
  const message = {
    id: 'm',
    conversationId: 'c',
    role: 'user',
    content: 'Kept',
    timestamp: at,
    attachments: [],
  };
  await db.put('conversations', { ...chat, updatedAt: NaN, leafId: 'm', model: 'small' } as never);
  await db.put('messages', { ...message, timestamp: null } as never);
  await db.put('messages', { ...message, id: 'n', content: null } as never);
  await db.put('conversations', { id: 7 } as never);
  const now = '2026-02-02T00:00:00.000Z';
  expect(await repairDamaged(db, now)).toBe(4);
  expect(await db.getAll('conversations')).toEqual([
    { ...chat, updatedAt: now, leafId: 'm', model: 'small' },
  ]);
  expect(await db.getAll('messages')).toEqual([
    { ...message, timestamp: now },
    { ...message, id: 'n', content: '' },
  ]);
  db.close();
});
