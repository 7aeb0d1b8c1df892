import 'fake-indexeddb/auto';
import { describe, expect, it } from 'vitest';
import { hasUserNamed } from '../../../lib/storage/chats/named-host.ts';
import { openDatabase } from '../../../lib/storage/database.ts';
import type { Attachment } from '../../../lib/types/attachment.ts';
import type { UserMessage } from '../../../lib/types/message.ts';
import type { Conversation } from '../../../lib/types/conversation.ts';
import { attachment, userMessage } from '../../fakes/rows.ts';

/** Whether the host is named in a chat of this message. */
async function isNamed(
  host: string,
  content: string,
  { imported, ...fields }: Partial<UserMessage> & Pick<Conversation, 'imported'> = {},
): Promise<boolean> {
  const db = await openDatabase(crypto.randomUUID());
  const message = userMessage(content, fields);
  await db.put('messages', message);
  await db.put('conversations', {
    id: 'c1',
    title: 'Tides',
    createdAt: message.timestamp,
    updatedAt: message.timestamp,
    leafId: message.id,
    providerId: null,
    model: null,
    settings: {},
    ...(imported && { imported }),
  });
  return hasUserNamed(db, 'c1', host);
}

describe('a host', () => {
  it.each([
    ['wiki', 'Look into http://Wiki.'],
    ['wiki', 'http://wiki:8080/tides?day=1'],
    ['wiki', 'https://me:secret@wiki/'],
    ['wiki', 'What is at wiki:8080?'],
    ['wiki', 'Read wiki/, please'],
    ['localhost', 'Does it run on localhost?'],
    ['localhost', 'Look at localhost:3000'],
    ['nas.local', 'Is it on nas.local? If not, wait.'],
    ['nas.local', '请打开nas.local的页面'],
    ['192.168.1.1', 'What does https://me@192.168.1.1/ say'],
    ['[::1]', 'Read http://[::1]:9/a'],
  ])('is named by the user: %s in "%s"', async (host, content) => {
    expect(await isNamed(host, content)).toBe(true);
  });

  it('is not named by what the user quoted of an answer, which a page may be behind', async () => {
    expect(await isNamed('nas.local', '> Look into http://nas.local/\n\nWhat does that mean?')).toBe(false);
  });

  it.each([
    ['wiki', 'What does Wikipedia say of tides?'],
    ['wiki', 'Look into my-wiki, the wiki-old, wiki_2 and the caféwiki'],
    ['wiki', 'Read wiki.example and en.wiki.'],
    ['192.168.1.1', 'Read 192.168.1.10 and 1.192.168.1.1'],
    ['wiki', 'Read https://tides.example/wiki/high?of=http://wiki/#wiki'],
    ['[::1]', 'Read http://[::12]/'],
  ])('is not named by a part of another name, or of an address: %s in "%s"', async (host, content) => {
    expect(await isNamed(host, content)).toBe(false);
  });

  it.each([
    ['router', 'My router is slow.'],
    ['router', 'Is it the router? Or the router#2'],
    ['router', 'The router/modem of mine, or the modem/router'],
    ['router', 'Router: 8080, not 80'],
    ['wiki', 'Look into the Wiki.'],
    ['tides', 'Read https://tides@sea.example/ and mail tides@sea.example'],
  ])('of a single word is not named where that is no address: %s in "%s"', async (host, content) => {
    expect(await isNamed(host, content)).toBe(false);
  });

  it('is not named by what others said', async () => {
    expect(await isNamed('wiki', 'http://wiki/', { role: 'summary' } as object)).toBe(false);
    expect(await isNamed('wiki', 'Go on', { attachments: [attachment('a1', 'http://wiki/')] })).toBe(false);
  });

  it('is not named by a server’s prompt in the message, as it is or edited', async () => {
    const source = { type: 'prompt', serverId: 1, serverName: 'Notes', name: 'plan' } as const;
    const prompt = (text: string): Attachment[] => [
      attachment('a1', text, { source: { ...source, isTyped: true } }),
    ];
    const attachments = prompt('Read http://wiki/\r\nand tell.\n');
    expect(await isNamed('wiki', 'Read http://wiki/\nand tell.', { attachments })).toBe(false);
    expect(await isNamed('wiki', 'Read http://wiki/ and tell me', { attachments })).toBe(false);
    expect(await isNamed('nas', 'Read http://nas/ and tell me', { attachments })).toBe(true);
  });

  it('is not named by anything in a chat that came from a file', async () => {
    expect(await isNamed('wiki', 'http://wiki/', { imported: true })).toBe(false);
  });
});
