import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { writeEntry } from '../../lib/storage/chats/journal.ts';
import type { LogLevel } from '../../lib/types/wire-log.ts';
import { instructionsOf } from '../../entrypoints/background/servers/offers.ts';
import { NOTE, type OfferingServer, startOfferingServer } from '../fakes/offering-server.ts';
import { add, type Rig, startWorkerServers, type Sent } from './rig.ts';

vi.mock('wxt/browser', () => ({ browser: { permissions: { contains: async () => true } } }));

let db: Database;
let databases = 0;
let worker: Rig;
let mcp: OfferingServer;
let serverId: number;

beforeEach(async () => {
  db = await openDatabase(`background-attachments-${++databases}`);
  mcp = await startOfferingServer();
  worker = startWorkerServers(db);
  serverId = await add(worker, { name: 'Notes', url: mcp.url });
});

const attachNote = (to = worker) =>
  to.serverAttachments.attach({ conversationId: 'c1', serverId, uri: NOTE });
/** Between its tags. */
const textOf = async (id: string) =>
  (await worker.attachments.preview({ id }))?.text.match(/">\n([^]*)\n<\/external>$/)?.[1];
/** The note as a request holds it. */
const note = expect.stringMatching(
  /^The user attached this:\n\n<external title="Today’s note" .* of the MCP server Notes" type="text\/plain">\nBuy milk\n<\/external>$/,
);
const told = (from = worker) =>
  from.sent.filter((event): event is Sent & { type: 'attachments' } => event.type === 'attachments');

/** The server is closed after the worker has let go of it. */
beforeEach(() => onTestFinished(() => mcp.close()));

describe('attaching a resource', () => {
  it('reads it into the draft, with its name and its price, and tells the pages', async () => {
    const attached = await attachNote();
    expect(attached).toMatchObject({
      title: 'Today’s note',
      mimeType: 'text/plain',
      source: { type: 'resource', serverId, serverName: 'Notes', uri: NOTE },
    });
    expect(attached.tokens).toBeGreaterThan(0);
    expect(JSON.stringify([attached, told()])).not.toContain('Buy milk');
    expect(await worker.attachments.preview({ id: attached.id })).toEqual({ text: note, pictures: [] });
    expect(told().at(-1)).toMatchObject({ conversationId: 'c1', attachments: [{ id: attached.id }] });
  });

  it('twice reads it anew and has it once', async () => {
    const { id } = await attachNote();
    mcp.write('Buy bread');
    expect((await attachNote()).id).toBe(id);
    expect(await textOf(id)).toBe('Buy bread');
    expect(told().at(-1)?.attachments).toHaveLength(1);
  });

  it('from two panels at the same time has it once', async () => {
    const [one, other] = await Promise.all([attachNote(), attachNote()]);
    expect(one.id).toBe(other.id);
    expect(await db.count('attachments')).toBe(1);
  });

  it('that is too long is refused in words, and is not in the draft', async () => {
    mcp.write('x'.repeat(1_000_001));
    await expect(attachNote()).rejects.toMatchObject({
      code: 'attachment_too_large',
      message: 'Today’s note is too long to attach.',
      detail: expect.stringContaining('1,000,001 characters'),
    });
    expect(await db.count('attachments')).toBe(0);
  });

  it('connects its server first when a new worker has no connection yet', async () => {
    await worker.connections.disconnect(serverId);
    expect(await attachNote()).toMatchObject({ title: 'Today’s note' });
  });
});

describe('attaching a file', () => {
  const file = {
    conversationId: 'c1',
    id: '2026 1',
    name: ' notes.txt ',
    mimeType: 'text/plain',
    size: 8,
    text: 'Buy milk',
  };

  it('keeps what the page has read of it, with its price, and tells the pages', async () => {
    const attached = await worker.attachments.attachFile(file);
    expect(attached).toMatchObject({
      id: '2026 1',
      title: 'notes.txt',
      source: { type: 'file', name: 'notes.txt', size: 8 },
    });
    expect(attached.tokens).toBeGreaterThan(0);
    expect(JSON.stringify([attached, told()])).not.toContain('Buy milk');
    expect(await textOf(attached.id)).toBe('Buy milk');
    expect(told().at(-1)).toMatchObject({ conversationId: 'c1', attachments: [{ id: '2026 1' }] });
  });

  it('keeps the file as it was, but for one that is larger than what is kept', async () => {
    const url = URL.createObjectURL(new Blob([new Uint8Array([1, 200])], { type: 'application/pdf' }));
    expect(await worker.attachments.attachFile({ ...file, url })).toMatchObject({ fileId: file.id });
    const kept = await db.get('files', file.id);
    expect([kept?.type, [...new Uint8Array((await kept?.arrayBuffer()) ?? [])]]).toEqual([
      'application/pdf',
      [1, 200],
    ]);
    const huge = { ...file, id: '2026 2', url, size: 25_000_001 };
    expect(await worker.attachments.attachFile(huge)).not.toHaveProperty('fileId');
    expect(await db.getAllKeys('files')).toEqual([file.id]);
    await worker.serverAttachments.detach({ id: file.id });
    expect(await db.count('files')).toBe(0);
  });

  it('attaches what it can’t keep: no page of Portside’s holds it any more, or it lies elsewhere', async () => {
    const url = URL.createObjectURL(new Blob(['x']));
    URL.revokeObjectURL(url);
    for (const each of [url, 'https://example.com/a.pdf', 'file:///etc/passwd'])
      expect(await worker.attachments.attachFile({ ...file, url: each })).not.toHaveProperty('fileId');
    expect(await db.count('attachments')).toBe(1);
  });

  it('that is asked for again under its id has it once', async () => {
    await worker.attachments.attachFile(file);
    await worker.attachments.attachFile(file);
    expect(told().at(-1)?.attachments).toHaveLength(1);
  });

  it('refuses more pictures than a message takes, and a text that is too long', async () => {
    const pictures = [{ mimeType: 'image/png', data: 'A'.repeat(8_000_000) }];
    await worker.attachments.attachFile({ ...file, text: '', pictures });
    await expect(
      worker.attachments.attachFile({ ...file, id: '2', text: '', pictures }),
    ).rejects.toMatchObject({
      code: 'attachment_too_large',
    });
    await expect(
      worker.attachments.attachFile({ ...file, id: '3', text: 'x'.repeat(1_000_001) }),
    ).rejects.toMatchObject({ code: 'attachment_too_large' });
    expect(await db.count('attachments')).toBe(1);
  });
});

describe('the preview of a resource', () => {
  it('is what attaching it would send, and attaches nothing', async () => {
    const preview = await worker.serverAttachments.previewResource({
      conversationId: 'c1',
      serverId,
      uri: NOTE,
    });
    const { tokens } = await attachNote();
    expect(preview).toEqual({ text: note, pictures: [], tokens });
    expect(told()).toHaveLength(1);
  });
});

describe('what is fetched', () => {
  it('can be given up, and then gets into no draft', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    mcp.hold(promise);
    const request = { conversationId: 'c1', serverId, uri: NOTE, fetchId: 'f1' };
    const attaching = worker.serverAttachments.attach(request).catch((error: unknown) => error);
    await expect.poll(() => mcp.reads()).toBe(1);
    worker.attachments.cancel({ fetchId: 'f1' });
    expect(await attaching).toBeInstanceOf(Error);
    resolve();
    expect(await db.count('attachments')).toBe(0);
  });
});

describe('what a draft holds', () => {
  it('keeps the text from before when it can’t be read again, and says so until it can', async () => {
    const { id } = await attachNote();
    await mcp.until(() => mcp.subscribed.length === 1);
    mcp.remove();
    await mcp.tellUpdated();
    await worker.until(() => told().at(-1)?.attachments[0]?.stale !== undefined);
    expect(told().at(-1)?.attachments).toMatchObject([
      { id, stale: { message: expect.stringMatching(/Notes|note/) } },
    ]);
    expect(await textOf(id)).toBe('Buy milk');
  });

  it('follows its server’s updates, read once for many', async () => {
    const { id } = await attachNote();
    await mcp.until(() => mcp.subscribed.length === 1);
    const before = told().length;
    mcp.write('Buy bread');
    await Promise.all([mcp.tellUpdated(), mcp.tellUpdated(), mcp.tellUpdated()]);
    await worker.until(() => told().length > before);
    expect(await textOf(id)).toBe('Buy bread');
    expect(mcp.reads()).toBe(2);
  });

  it('is unsubscribed once it was removed', async () => {
    const { id } = await attachNote();
    await mcp.until(() => mcp.subscribed.length === 1);
    await worker.serverAttachments.detach({ id });
    await mcp.until(() => mcp.subscribed.length === 0);
    expect(told().at(-1)).toEqual({ type: 'attachments', conversationId: 'c1', attachments: [] });
    expect(await worker.attachments.preview({ id })).toBeNull();
  });

  it('is unsubscribed once it was sent', async () => {
    const { id } = await attachNote();
    await mcp.until(() => mcp.subscribed.length === 1);
    await writeEntry(db, { attached: [id] });
    await worker.serverAttachments.watch();
    await mcp.until(() => mcp.subscribed.length === 0);
    expect(mcp.subscribed).toEqual([]);
  });

  it('catches up when a new worker connects', async () => {
    const { id } = await attachNote();
    mcp.write('Buy bread');
    const next = startWorkerServers(db);
    await next.connections.revive();
    await next.until(() => told(next).length > 0);
    expect(await textOf(id)).toBe('Buy bread');
  });
});

describe('a prompt', () => {
  it('gives its text to the composer and the rest to the draft', async () => {
    const { text, attachments } = await worker.serverAttachments.getPrompt({
      serverId,
      name: 'plan',
      arguments: { day: 'Monday' },
      conversationId: 'c1',
    });
    expect(text).toBe('Plan Monday.');
    const of = { serverId, serverName: 'Notes' };
    expect(attachments.map(({ title, source }) => [title, source])).toEqual([
      ['plan', { type: 'prompt', ...of, name: 'plan', isTyped: true }],
      ['Today’s note', { type: 'resource', ...of, uri: NOTE }],
      ['plan', { type: 'prompt', ...of, name: 'plan' }],
    ]);
    const previews = attachments.map(({ id }) => worker.attachments.preview({ id }));
    const [typed, , picture] = await Promise.all(previews);
    expect(typed).toEqual({ text: 'Plan Monday.', pictures: [] });
    expect(picture?.pictures).toHaveLength(1);
    await mcp.until(() => mcp.subscribed.length > 0);
    expect(mcp.subscribed).toEqual([NOTE]);
  });

  it('is there once, however often it is taken, with all that it put into the message', async () => {
    const request = { serverId, name: 'plan', arguments: { day: 'Monday' }, conversationId: 'c1' };
    const [first] = (await worker.serverAttachments.getPrompt(request)).attachments;
    const again = { ...request, arguments: { day: 'Tuesday' } };
    const [second] = (await worker.serverAttachments.getPrompt(again)).attachments;
    expect(second?.id).toBe(first?.id);
    await worker.serverAttachments.getPrompt(again);
    const text = (await worker.attachments.preview({ id: first?.id ?? '' }))?.text;
    expect(text).toBe('Plan Monday.\nPlan Tuesday.');
  });

  it('with an address and a type that no page could be told has its own name and none', async () => {
    const { attachments } = await worker.serverAttachments.getPrompt({
      serverId,
      name: 'plan',
      arguments: { day: 'Someday' },
      conversationId: 'c1',
    });
    expect(attachments.map(({ source }) => source.type)).toEqual(['prompt', 'prompt', 'prompt']);
    expect(JSON.stringify(attachments).length).toBeLessThan(2_000);
  });

  it('with several pictures gives each a name of its own', async () => {
    const { attachments } = await worker.serverAttachments.getPrompt({
      serverId,
      name: 'plan',
      arguments: { day: 'Sunday' },
      conversationId: 'c1',
    });
    const titles = ['plan', 'Today’s note', 'plan 1', 'plan 2'];
    expect(attachments.map(({ title }) => title)).toEqual(titles);
    // In the draft too, though all came within a millisecond.
    const draft = await db.getAllFromIndex('attachments', 'by-conversation', 'c1');
    expect(draft.map(({ title }) => title)).toEqual(titles);
  });
});

describe('what servers offer besides tools', () => {
  it('is told of those that are connected', async () => {
    const { offers } = worker;
    expect(offers.of({ serverId })).toMatchObject({
      info: { name: 'offering' },
      prompts: [{ name: 'plan' }],
    });
    expect(await offers.prompts()).toMatchObject([{ name: 'plan', serverId, serverName: 'Notes' }]);
    expect(await offers.resources()).toMatchObject({
      resources: [{ uri: NOTE, serverName: 'Notes' }],
      templates: [{ uriTemplate: 'note://{day}', serverName: 'Notes' }],
    });
    expect(await offers.read({ serverId, uri: NOTE })).toMatchObject([{ type: 'resource' }]);
    const ref = { type: 'prompt', name: 'plan' } as const;
    const argument = { name: 'day', value: 'm' };
    expect(await offers.complete({ serverId, ref, argument, others: {} })).toMatchObject({
      values: ['monday'],
    });
    await worker.servers.switchOff({ id: serverId });
    expect([offers.of({ serverId }), await offers.prompts()]).toEqual([null, []]);
  });

  it('is listed again when the server says that it changed', async () => {
    await attachNote();
    await mcp.until(() => mcp.subscribed.length === 1);
    await mcp.add('later');
    const offered = () => worker.offers.of({ serverId });
    await vi.waitFor(() => expect(offered()?.prompts.map(({ name }) => name)).toEqual(['plan', 'later']));
    await vi.waitFor(() =>
      expect(offered()?.resources.map(({ uri }) => uri)).toEqual([NOTE, 'note://later']),
    );
  });

  it('is said to models that get tools of it, unless the user does not want that', async () => {
    const instructions = () => instructionsOf(db, worker.connections, new Set([serverId]));
    expect(await instructions()).toEqual([{ serverId, name: 'Notes', instructions: 'Read the note first.' }]);
    expect(await instructionsOf(db, worker.connections, new Set())).toEqual([]);
    await add(worker, { id: serverId, url: mcp.url, withoutInstructions: true });
    expect(await instructions()).toEqual([]);
  });

  it('is told to pages without what the server was given', async () => {
    const headers = { 'x-key': 'the note first' };
    await add(worker, { id: serverId, url: mcp.url, headers });
    const said = () => worker.offers.of({ serverId })?.info.instructions;
    await vi.waitFor(() => expect(said()).toBe('Read •••.'));
    expect(worker.offers.of({ serverId })?.info.name).toBe('offering');
  });

  it('is logged, as severe as was asked for', async () => {
    expect(worker.offers.log({ serverId }).length).toBeGreaterThan(0);
    await worker.until(() => worker.sent.some(({ type }) => type === 'server_log'));
    const lines = worker.sent.flatMap((event) => (event.type === 'server_log' ? event.entries : []));
    expect(lines).toEqual(worker.offers.log({ serverId }).slice(0, lines.length));
    const setLevel = (level: LogLevel | null) => worker.servers.setLogLevel({ id: serverId, level });
    await setLevel('warning');
    await mcp.until(() => mcp.level() === 'warning');
    await setLevel(null);
    expect(worker.offers.log({ serverId }).at(-1)?.summary).toContain('keeps the level warning');
    await expect(setLevel('loud' as 'debug')).rejects.toThrow('isn’t supported');
    expect(await db.get('servers', serverId)).not.toHaveProperty('logLevel');
  });

  it('is logged as severe in the next worker, after a new handshake, and when the server is saved', async () => {
    await worker.servers.setLogLevel({ id: serverId, level: 'error' });
    await mcp.until(() => mcp.level() === 'error');
    await add(worker, { id: serverId, name: 'Renamed', url: mcp.url });
    const next = startWorkerServers(db);
    await next.servers.reconnect({ id: serverId });
    const sent = () => next.offers.log({ serverId }).map(({ summary }) => summary);
    await vi.waitUntil(() => sent().includes('result of logging/setLevel'));
    expect(sent().some((summary) => summary.startsWith('initialize'))).toBe(true);
    expect((await next.servers.list())[0]?.server.logLevel).toBe('error');
  });
});
