import { expect, it } from 'vitest';
import { entryIn } from '../../lib/sync/entry.ts';

const meta = { title: { is: 'T', at: 1 }, pinned: { is: true, at: 2 }, archived: { is: false, at: -1 } };
const chat = { conversation: { id: 'c' }, messages: [{ id: 'm' }], toolCalls: [], meta };
const marks = ['c', [['m', { clock: 1, gone: true }]]];

it('a file of the log is read as it is, and not where it has another form', () => {
  const entry = { chats: [chat], marks: [marks] };
  expect(entryIn(JSON.stringify(entry))).toEqual(entry);
  const others = [
    'no JSON',
    null,
    {},
    { chats: [chat] },
    { chats: [{ ...chat, messages: {} }], marks: [] },
    { chats: [{ ...chat, conversation: null }], marks: [] },
    { chats: [{ ...chat, toolCalls: [1] }], marks: [] },
    { chats: [], marks: [['c', [['m', { clock: 'x' }]]]] },
    { chats: [], marks: [['c']] },
    { chats: [{ ...chat, meta: { ...meta, title: { is: 1, at: 1 } } }], marks: [] },
    { chats: [{ ...chat, meta: { title: meta.title } }], marks: [] },
  ];
  for (const other of others) expect(entryIn(JSON.stringify(other))).toBeUndefined();
  expect(entryIn('{')).toBeUndefined();
});
