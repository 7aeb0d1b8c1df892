import 'fake-indexeddb/auto';
import { describe, expect, it, vi } from 'vitest';
import { createAppTools } from '../../entrypoints/background/apps/app-tools.ts';
import { createCallPermission } from '../../entrypoints/background/tools/permission/call-permission.ts';
import { createGrants } from '../../entrypoints/background/tools/permission/grants.ts';
import type { PanelPort } from '../../lib/messaging.ts';
import type { PanelEvent } from '../../lib/protocol/panel.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import { syncTools } from '../../lib/storage/configuration/tools.ts';
import type { AppToolAnswer } from '../../lib/types/app.ts';
import type { Message } from '../../lib/types/message.ts';
import type { Server } from '../../lib/types/server.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import type { SaidTool } from '../../lib/types/tools/tool.ts';
import { userMessage } from '../fakes/rows.ts';

vi.mock('wxt/browser', () => ({ browser: {} }));

const select: SaidTool = {
  name: 'select',
  title: '',
  description: 'Selects a berth.',
  inputSchema: { type: 'object', properties: {} },
  isConsequential: false,
};
const start = Date.now();
const at = (second: number): string => new Date(start + second * 1000).toISOString();

/** A page, as the worker has it, and what it was told. */
function page() {
  const told: PanelEvent[] = [];
  const port = { open: true, send: (event: PanelEvent) => void told.push(event), refuse: () => {} };
  return { port: port as PanelPort, told };
}

/** A chat with two calls of `berths` that apps show, of a server that the user trusts. */
async function chat() {
  const db = await openDatabase(crypto.randomUUID());
  const settings = { providerId: null, model: null, settings: {}, createdAt: at(0), updatedAt: at(0) };
  for (const id of ['c1', 'c2'])
    await db.put('conversations', { ...settings, id, title: 'Harbour', leafId: null });
  const server = { id: 3, name: 'Harbour', url: 'http://127.0.0.1/', enabled: true, trusted: true } as Server;
  await db.put('servers', server);
  const shown = { serverId: 3, serverName: 'Harbour', toolName: 'berths', status: 'success', app: 'ui://v' };
  for (const [position, pier] of ['7', '9'].entries())
    await db.put('toolCalls', {
      ...shown,
      callId: `m1.${position}`,
      messageId: 'm1',
      conversationId: 'c1',
      position,
      arguments: JSON.stringify({ pier }),
      createdAt: at(position),
    } as ToolCall);
  const appTools = createAppTools(db);
  const permission = createCallPermission(db, {
    changed: async () => {},
    originOf: async () => undefined,
    liveTool: appTools.find,
    targetsOf: async () => ({ targets: {}, sites: [] }),
    instructionsOf: () => undefined,
  });
  const open = (port: PanelPort, ...tools: SaidTool[]): void =>
    appTools.heard(port, { type: 'app_tools', apps: [{ appId: 'a1', callId: 'm1.0', tools }] });
  const call = {
    callId: 'm2.0',
    messageId: 'm2',
    conversationId: 'c1',
    serverId: 3,
    serverName: 'Harbour',
    toolName: 'berths:select',
    arguments: '{}',
    annotations: {},
    createdAt: at(100),
    ofApp: 'm1.0',
  } as unknown as ToolCall;
  return { db, server, appTools, permission, open, call };
}

/** A branch of the chat that ends in this message. */
const branch = (id = 'm1', parentId: string | null = null): Message[] => [userMessage('', { id, parentId })];

const offeredTo = async (
  { appTools }: Awaited<ReturnType<typeof chat>>,
  id = 'c1',
  history = branch(),
): Promise<string[]> => (await appTools.offer(id, history)).map(({ name }) => name);

describe('what apps offer', () => {
  it('is offered in their chat alone, as their server’s and in their own words, believed to destroy but not to only read', async () => {
    const rig = await chat();
    rig.open(page().port, { ...select, description: `Selects\u{E0041}.`, isConsequential: true });
    expect(await rig.appTools.offer('c1', branch())).toEqual([
      {
        name: 'app__3__berths__select',
        toolName: 'berths:select',
        serverId: 3,
        serverName: 'Harbour',
        description: expect.stringMatching(
          /^A tool of the open app of Harbour that shows the call berths {"pier":"7"}, which says of it: Selects\./,
        ) as string,
        inputSchema: select.inputSchema,
        annotations: { openWorldHint: true, destructiveHint: true },
        ofApp: 'm1.0',
      },
    ]);
    expect(await offeredTo(rig, 'c2')).toEqual([]);
  });

  it('is offered on the branches with the call that the app shows, told of by a summary or not', async () => {
    const rig = await chat();
    rig.open(page().port, select);
    const ends = async (parentId: string | null) => offeredTo(rig, 'c1', branch('m3', parentId));
    expect(await ends('u1')).toEqual([]);
    for (const message of [branch('u2', 'm1'), branch('m1')].flat()) await rig.db.put('messages', message);
    expect(await ends('u2')).toHaveLength(1);
    expect(await ends(null)).toEqual([]);
  });

  it('has a name of its own where two apps offer the same, and each app’s once, in however many pages it is open', async () => {
    const rig = await chat();
    const tools = [select];
    const apps = ['m1.0', 'm1.1'].map((callId) => ({ appId: callId, callId, tools }));
    for (const { port } of [page(), page()]) rig.appTools.heard(port, { type: 'app_tools', apps });
    expect(await offeredTo(rig)).toEqual([
      'app__3__berths__select',
      expect.stringMatching(/^app__3__berths__select_\w+$/),
    ]);
    expect((await rig.appTools.offer('c1', branch())).map(({ ofApp }) => ofApp)).toEqual(['m1.1', 'm1.0']);
  });

  it('is gone with the app, its page, and with what switches them off', async () => {
    const rig = await chat();
    const { port } = page();
    const refuses = [{ withoutApps: true }, { enabled: false }];
    for (const change of refuses) {
      rig.open(port, select);
      await rig.db.put('servers', { ...rig.server, ...change } as Server);
      expect(await offeredTo(rig)).toEqual([]);
      await rig.db.put('servers', rig.server);
      expect(await offeredTo(rig)).toHaveLength(1);
    }
    const conversation = (await rig.db.get('conversations', 'c1'))!;
    await rig.db.put('conversations', { ...conversation, tools: { mcp__3: false } });
    expect(await offeredTo(rig)).toEqual([]);
    await rig.db.put('conversations', conversation);
    rig.open(port);
    expect(await offeredTo(rig)).toEqual([]);
    rig.open(port, select);
    rig.appTools.gone(port);
    expect(await offeredTo(rig)).toEqual([]);
    expect(await rig.permission.permission(rig.call)).toBe('allow'); // the call says that it is gone
    await expect(rig.permission.requireRunnable(rig.call, {})).rejects.toMatchObject({ code: 'tool_gone' });
  });
});

describe('a call of an app’s tool', () => {
  it('asks, though the server is trusted, until it is allowed for the chat, with this definition', async () => {
    const rig = await chat();
    const { permission, open, call, db } = rig;
    const { port } = page();
    open(port, select);
    expect(await permission.permission(call)).toBe('ask');
    await permission.grant({ ...call, ...(await permission.definitionOf(call)) }, 'always');
    const later = { ...call, createdAt: at(200) };
    expect(await permission.judge(later)).toEqual({ permission: 'allow', basis: 'chat' });
    expect(await db.getAll('tools')).toEqual([]);
    expect(await createGrants(db, async () => {}).list()).toMatchObject([{ isVoid: false }]);
    // Nor does it hold for a tool of the server's own with the same name and definition.
    const { offeredName: _its, ...same } = (await rig.appTools.find(call))!;
    await syncTools(db, 3, [{ ...same, offeredName: 'mcp__3__same' }]);
    const { ofApp: _app, ...own } = later;
    expect(await permission.permission(own)).toBe('ask');
    await permission.grant({ ...own, ...(await permission.definitionOf(own)) }, 'chat');
    expect(await permission.permission({ ...own, createdAt: at(300) })).toBe('allow');
    expect(await permission.permission({ ...later, createdAt: at(300) })).toBe('ask');
    open(port, { ...select, description: 'Sells a berth.' });
    expect(await permission.permission(later)).toBe('ask');
  });

  it.each<[AppToolAnswer | 'page gone' | 'stopped', string, RegExp]>([
    [{ result: { content: [{ type: 'text', text: 'Done' }] } }, 'success', /^Done$/],
    [{ result: { content: [], isError: true } }, 'error', /^/],
    [{ error: 'No such berth' }, 'error', /^No such berth$/],
    ['lost', 'unknown', /went away/],
    ['page gone', 'unknown', /went away/],
    ['stopped', 'cancelled', /was cancelled/],
  ])('is made once, by the page that shows the app: %j is told as %s', async (answer, status, text) => {
    const rig = await chat();
    const { port, told } = page();
    rig.open(port, select);
    const judged = (await rig.appTools.find(rig.call))!;
    const stop = new AbortController();
    const options = {
      signal: stop.signal,
      started: async () => {
        expect(told).toEqual([]);
      },
      accepted: async () => {},
      progress: () => {},
    };
    const made = rig.appTools.call(judged, rig.call, { berth: 2 }, options);
    await vi.waitFor(() => expect(told).toHaveLength(1));
    const [asked] = told;
    if (asked?.type !== 'call_app_tool') throw new Error('It was not called.');
    expect(asked).toMatchObject({ appId: 'a1', name: 'select', arguments: { berth: 2 } });
    rig.appTools.heard(page().port, {
      type: 'app_tool_answer',
      id: asked.id,
      answer: { error: 'another page' },
    });
    if (answer === 'page gone') rig.appTools.gone(port);
    else if (answer === 'stopped') stop.abort();
    else rig.appTools.heard(port, { type: 'app_tool_answer', id: asked.id, answer });
    expect(await made).toMatchObject({
      status,
      result: { text: expect.stringMatching(text) as string },
    });
    expect(told.slice(1).map(({ type }) => type)).toEqual(answer === 'stopped' ? ['cancel_app_tool'] : []);
  });

  it('is not made once the tool is another one than was judged', async () => {
    const rig = await chat();
    const { port, told } = page();
    rig.open(port, select);
    const judged = (await rig.appTools.find(rig.call))!;
    rig.open(port, { ...select, description: 'Sells a berth.' });
    const started = vi.fn(async () => {});
    const options = {
      signal: new AbortController().signal,
      started,
      accepted: async () => {},
      progress: () => {},
    };
    expect(await rig.appTools.call(judged, rig.call, {}, options)).toMatchObject({ status: 'error' });
    expect([started.mock.calls, told]).toEqual([[], []]);
  });
});
