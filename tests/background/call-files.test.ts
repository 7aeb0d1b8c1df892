import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { filesToSend, namedFiles } from '../../entrypoints/background/tools/call-files.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import type { Attachment } from '../../lib/types/attachment.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import type { ContentBlock } from '../../lib/types/tools/tool-result.ts';
import { NOW, userMessage } from '../fakes/rows.ts';

let db: Database;
let databases = 0;
const timestamp = new Date(NOW).toISOString();
const place = { callId: 'm3.0', conversationId: 'c1' };

const attached = (name: string, size: number, fileId?: string): Attachment => ({
  id: `${name} ${size}`,
  title: name,
  source: { type: 'file', name, size },
  mimeType: 'text/other', // of the text that was taken out of it
  text: 'Words',
  tokens: 1,
  ...(fileId !== undefined && { fileId }),
});

/** A branch of four messages, whose last one makes the call, and another version of its first one. */
beforeEach(async () => {
  db = await openDatabase(`call-files-${++databases}`);
  await db.put('files', new Blob(['old'], { type: 'text/plain' }), 'f1');
  await db.put('files', new Blob(['newer'], { type: 'text/plain' }), 'f2');
  const first = [attached('a.txt', 3, 'f1'), attached('gone.pdf', 9)];
  const common = { conversationId: 'c1', timestamp, status: 'complete', content: '', sub: 0 } as const;
  const answer = { ...common, role: 'assistant', runId: 'r1' } as const;
  const rows = [
    userMessage('', { id: 'm0', seq: 0, attachments: first }),
    userMessage('', { id: 'other', seq: 0, attachments: [attached('other.txt', 1, 'f1')] }),
    { ...answer, id: 'm1', parentId: 'm0', seq: 1, tool_calls: [1, 2].map((at) => request(`m1.${at - 1}`)) },
    userMessage('', { id: 'm2', parentId: 'm1', seq: 2, attachments: [attached('a.txt', 5, 'f2')] }),
    { ...answer, id: 'm3', parentId: 'm2', seq: 3, tool_calls: [request('m3.0')] },
  ];
  for (const row of rows) await db.put('messages', row);
});

const request = (id: string) => ({ id, name: 'mcp__1__chart', arguments: '{}' });

async function made(
  position: number,
  blocks: ContentBlock[],
  text = 'Here it is.',
  more: Partial<ToolCall> = {},
): Promise<void> {
  const call: ToolCall = {
    callId: `m1.${position}`,
    conversationId: 'c1',
    runId: 'r1',
    messageId: 'm1',
    position,
    toolCallId: `m1.${position}`,
    namespacedName: 'mcp__1__chart',
    toolName: 'chart',
    serverId: 1,
    serverName: 'Charts',
    arguments: '{}',
    annotations: {},
    status: 'success',
    createdAt: timestamp,
    result: { text, isError: false, blocks },
    ...more,
  };
  await db.put('toolCalls', call);
}

const sent = async (...files: string[]) =>
  (await filesToSend(db, place, { files })).map(({ name, mimeType, data }) => [name, mimeType, atob(data)]);
const png: ContentBlock = { type: 'image', mimeType: 'image/png', data: btoa('PNG') };

describe('the files that a call may name', () => {
  it('are none of what an app had called beside the model', async () => {
    await made(0, [], 'of the model');
    await made(1000, [], 'of the app', { byApp: 0 });
    expect(await sent('result:mcp__1__chart')).toEqual([['chart.txt', 'text/plain', 'of the model']]);
    await expect(sent('result:mcp__1__chart/2')).rejects.toMatchObject({ code: 'no_file' });
  });

  it('are those attached before it on its branch, the latest of a name', async () => {
    expect(await sent('a.txt')).toEqual([['a.txt', 'text/plain', 'newer']]);
    expect(await namedFiles(db, place, { files: ['a.txt', 'none'] })).toEqual({
      'a.txt': { id: 'f2', name: 'a.txt', size: 5 },
    });
    await expect(sent('other.txt')).rejects.toMatchObject({ code: 'no_file' });
  });

  it('are what tools gave: pictures, sounds and resources, by number or the last of them', async () => {
    const uri = 'file:///out/My%20data.csv';
    await made(0, [png, { type: 'audio', mimeType: 'audio/mpeg', data: btoa('MP3') }]);
    await made(1, [
      { type: 'text', text: 'Here it is.' },
      { type: 'resource', resource: { uri, mimeType: 'text/csv', text: '1,2' } },
      { type: 'resource', resource: { uri: 'x:', mimeType: 'application/pdf', blob: btoa('PDF') } },
    ]);
    const chart = 'result:mcp__1__chart';
    expect(await sent(`${chart}/1`, `${chart}/2`, `${chart}/3`, chart)).toEqual([
      ['chart.png', 'image/png', 'PNG'],
      ['chart.mp3', 'audio/mpeg', 'MP3'],
      ['My data.csv', 'text/csv', '1,2'],
      ['chart.pdf', 'application/pdf', 'PDF'],
    ]);
  });

  it('are there beside one whose address is in no UTF-8, which is called as it is written', async () => {
    const named = (uri: string) => ({ type: 'resource', resource: { uri, text: '1' } }) as const;
    await made(0, ['file:///a/%FF.csv', 'file:///100%.csv', 'x%ZZ%41'].map(named));
    const chart = 'result:mcp__1__chart';
    const names = (await sent('a.txt', `${chart}/1`, `${chart}/2`, `${chart}/3`)).map(([name]) => name);
    expect(names).toEqual(['a.txt', '%FF.csv', '100%.csv', 'x%ZZ%41']);
  });

  it('are no pictures that Portside took of a page for the user', async () => {
    await made(0, [{ ...png, onlyForUser: true, moment: 'before' } as ContentBlock], 'Clicked.');
    expect(await sent('result:mcp__1__chart')).toEqual([['chart.txt', 'text/plain', 'Clicked.']]);
  });

  it('are a result’s text where it is all there is', async () => {
    await made(0, [{ type: 'text', text: 'é' }], 'é');
    const [[name, type, text = ''] = []] = await sent('result:mcp__1__chart');
    expect([name, type, text.length]).toEqual(['chart.txt', 'text/plain', 2]);
  });

  it('are named by the error for a wrong name, which nothing is given for', async () => {
    await made(0, [png]);
    await expect(sent('a.txt', 'passport.pdf')).rejects.toMatchObject({
      message: 'This chat has no file "passport.pdf".',
      fix: 'There are: "result:mcp__1__chart/1" (chart.png, 3 bytes), "a.txt" (5 bytes), "gone.pdf" (9 bytes).',
    });
    for (const name of ['/etc/passwd', 'file:///etc/passwd', '../a.txt', '__proto__'])
      await expect(sent(name)).rejects.toMatchObject({ code: 'no_file' });
  });

  it('are given only as they were when the call was judged', async () => {
    const files = await namedFiles(db, place, { files: ['a.txt'] });
    const send = (name: string) => filesToSend(db, { ...place, files }, { files: [name] });
    expect(await send('a.txt')).toHaveLength(1);
    await made(0, [png]);
    await expect(send('result:mcp__1__chart')).rejects.toMatchObject({ code: 'file_changed' });
  });

  it('are not given where they are not kept, or are too many bytes for a message of the browser’s', async () => {
    await expect(sent('gone.pdf')).rejects.toMatchObject({ code: 'file_not_kept' });
    const attachments = ['b', 'c'].map((name) => attached(name, 15_000_000, 'f1'));
    await db.put('messages', userMessage('', { id: 'm2', parentId: 'm1', seq: 2, attachments }));
    await expect(sent('b', 'c')).rejects.toMatchObject({ code: 'files_too_large' });
  });
});
