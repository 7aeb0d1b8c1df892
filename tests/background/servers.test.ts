import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createServers } from '../../entrypoints/background/servers.ts';
import { createTools } from '../../entrypoints/background/tools.ts';
import type { ServerInput } from '../../lib/protocol.ts';
import { type Database, openDatabase } from '../../lib/storage/database.ts';
import { setTool } from '../../lib/storage/tools.ts';
import type { ToolCall } from '../../lib/types/tool.ts';
import { startMcpServer } from '../fakes/mcp-server.ts';

const fake = vi.hoisted(() => ({ permissions: { contains: vi.fn(async () => false) } }));
vi.mock('wxt/browser', () => ({ browser: fake }));

let db: Database;
let databases = 0;
const servers = () => createServers(db, { changed: async () => {}, send: () => {} });

beforeEach(async () => {
  db = await openDatabase(`background-servers-${++databases}`);
});

const input: ServerInput = {
  name: ' Files ',
  transport: 'streamable-http',
  url: 'http://127.0.0.1/mcp',
  enabled: false,
  toolTimeout: 1000,
  trusted: false,
  oneAtATime: true,
};

describe('saving a server', () => {
  it('keeps what a server has, and nothing else that was sent', async () => {
    const sent = { ...input, headers: { 'x-key': 'hush' }, tools: 'x'.repeat(10), headerNames: ['made-up'] };
    const { id } = await servers().save(sent);
    expect(await db.get('servers', id)).toEqual({ ...input, id, name: 'Files', headerNames: ['x-key'] });
  });

  it('takes no switch for on that does not say so', async () => {
    const odd = { enabled: 'false', trusted: 1, oneAtATime: {} } as unknown as Partial<ServerInput>;
    const { id } = await servers().save({ ...input, ...odd });
    const off = { enabled: false, trusted: false, oneAtATime: false };
    expect(await db.get('servers', id)).toMatchObject(off);
  });

  it('is refused for a transport that Portside does not speak', async () => {
    const odd = { ...input, transport: 'stdio' as 'sse' };
    await expect(servers().save(odd)).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await db.getAll('servers')).toEqual([]);
  });
});

describe('the calls of a server', () => {
  /** A real server, saved and connected, with one tool on Always allow. */
  async function connected(tool: string, fields: Partial<ServerInput> = {}) {
    fake.permissions.contains.mockResolvedValue(true);
    const mcp = await startMcpServer();
    const all = servers();
    const { id } = await all.save({ ...input, enabled: true, toolTimeout: 30_000, url: mcp.url, ...fields });
    onTestFinished(async () => {
      await all.remove({ id });
      await mcp.close();
      fake.permissions.contains.mockResolvedValue(false);
    });
    await all.reconnect({ id });
    await setTool(db, id, tool, { permission: 'allow' });
    const tools = createTools(db, all, async () => {});
    const call = (position: number, args: Record<string, unknown>, started = async () => {}) =>
      tools.call({ callId: `m1.${position}`, serverId: id, toolName: tool, conversationId: 'c1' }, args, {
        signal: new AbortController().signal,
        progress: () => {},
        started,
      });
    return { mcp, id, call, tools };
  }

  it.each([
    [true, 1],
    [false, 3],
  ])('are made at the same time unless they are one at a time (%s: at most %i)', async (oneAtATime, most) => {
    const { mcp, call } = await connected('look_up', { oneAtATime });
    let running = 0;
    let peak = 0;
    mcp.hold('look_up');
    const calls = [0, 1, 2].map((each) =>
      call(each, { word: 'a' }, async () => void (peak = Math.max(peak, ++running))).finally(() => running--),
    );
    await mcp.until(() => mcp.executions.length === most);
    mcp.release('look_up');
    const outcomes = await Promise.all(calls);
    expect(outcomes.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
    expect([peak, mcp.executions.length]).toEqual([most, 3]);
  });

  it('do not run a tool that is another one since its server forgot the session, whatever was allowed', async () => {
    const { mcp, id, call, tools } = await connected('write_note', { oneAtATime: false });
    expect((await call(0, { text: 'one' })).status).toBe('success');
    mcp.redefine('write_note', { annotations: { destructiveHint: true } });
    mcp.forgetSessions();
    const { status, result } = await call(1, { text: 'two' });
    expect(status).toBe('error');
    expect(result.text).toMatch(/^write_note was not run: .*changed since it was allowed/);
    expect(mcp.executions).toHaveLength(1);
    const next = { serverId: id, toolName: 'write_note', conversationId: 'c1', callId: 'm1.2' };
    expect(await tools.permission(next as ToolCall)).toBe('ask');
  });
});
