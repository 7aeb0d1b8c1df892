import 'fake-indexeddb/auto';
import { expect, it, vi } from 'vitest';
import { createCallPermission } from '../../entrypoints/background/tools/permission/call-permission.ts';
import { putServer } from '../../lib/storage/configuration/servers.ts';
import { syncTools } from '../../lib/storage/configuration/tools.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import { ownToolList } from '../../lib/tools/own/own-tools.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import { OWN_NAME, OWN_TOOLS } from '../../lib/types/tools/tool-source.ts';
import type { ToolAnnotations } from '../../lib/types/tools/tool.ts';
import { input } from './rig.ts';

vi.mock('wxt/browser', () => ({ browser: {} }));

const reads = { readOnlyHint: true, openWorldHint: false };
const adds = { destructiveHint: false, openWorldHint: false };
const reachesOut = { readOnlyHint: true };
/** Five trusted servers, with what such servers say of their tools. */
const servers: Record<string, Record<string, ToolAnnotations>> = {
  Files: { list_files: reads, read_file: reads, write_file: adds },
  Issues: { search_issues: reachesOut, create_issue: { destructiveHint: false } },
  Calendar: { list_events: reads, add_event: adds },
  Notes: { search_notes: reads },
  Search: { web_search: reachesOut },
};
/** Nine tabs behind the page that the chat is about. */
const tabs = Array.from({ length: 9 }, (_, tab) => ({ tab, url: `https://site-${tab}.example/` }));
const front = 'https://tides.example/high';

/** Sixty calls as a model makes them about the page in front, nine tabs, and what five servers hold. */
const day: [tool: string, args?: { tab?: number }][] = [
  ['read_page'],
  ['find_in_page'],
  ...tabs.flatMap(({ tab }): [string, { tab?: number }?][] => [
    ['read_tab', { tab }],
    ['web_search'],
    ['search_notes'],
    ['read_file'],
    ['search_issues'],
  ]),
  ['list_files'],
  ['write_file'],
  ['create_issue'],
  ['list_events'],
  ['add_event'],
  ['current_time'],
  ['snapshot'],
  ['write_file'],
  ['add_event'],
  ['create_issue'],
  ['read_page'],
  ['extract_table'],
  ['web_search'],
];

it('an everyday chat of sixty calls over five servers and ten pages asks six times', async () => {
  expect(day).toHaveLength(60);
  const db = await openDatabase(crypto.randomUUID());
  const known = new Map<string, { serverId: number; serverName: string }>();
  for (const [serverName, tools] of Object.entries(servers)) {
    const serverId = await putServer(db, { ...input, name: serverName, trusted: true });
    const listed = Object.entries(tools).map(([name, annotations]) => {
      known.set(name, { serverId, serverName });
      return {
        name,
        offeredName: `mcp__${serverId}__${name}`,
        description: '',
        inputSchema: {},
        annotations,
      };
    });
    await syncTools(db, serverId, listed);
  }
  await syncTools(db, OWN_TOOLS, ownToolList);
  const urlOf = (args: Record<string, unknown>) => tabs.find(({ tab }) => tab === args['tab'])?.url ?? front;
  const permissions = createCallPermission(db, {
    changed: async () => {},
    liveTool: async () => undefined,
    targetsOf: async () => ({ targets: {}, sites: [] }),
    originOf: async (_call, args) => new URL(urlOf(args)).origin,
    instructionsOf: () => 'Trusted.',
  });
  const at = (seq: number) => new Date(Date.now() + seq * 1000).toISOString();
  const message = { conversationId: 'c1', sub: 0, status: 'complete' as const, runId: 'r1', content: '' };

  const asked: string[] = [];
  for (const [seq, [toolName, args = {}]] of day.entries()) {
    const messageId = `m${seq}`;
    const parentId = seq === 0 ? null : `m${seq - 1}`;
    const toolCallId = `t${seq}`;
    await db.put('messages', {
      ...message,
      id: messageId,
      parentId,
      seq,
      timestamp: at(seq),
      role: 'assistant',
      tool_calls: [{ id: toolCallId, name: toolName, arguments: '{}' }],
    });
    const place = known.get(toolName) ?? { serverId: OWN_TOOLS, serverName: OWN_NAME };
    const callId = `${messageId}.0`;
    const made = { callId, messageId, conversationId: 'c1', ...place, toolName, createdAt: at(seq) };
    const call = { ...made, runId: 'r1', position: 0, toolCallId, namespacedName: toolName } as ToolCall;
    const row: ToolCall = { ...call, arguments: JSON.stringify(args), annotations: {}, status: 'pending' };
    const waiting = { ...row, ...(await permissions.definitionOf(row)) };
    if ((await permissions.permission(waiting)) === 'ask') {
      asked.push(toolName);
      const taint = await permissions.taintOf(waiting);
      await permissions.grant({ ...waiting, ...(taint && { taint }) }, 'chat');
    }
    const isPage = place.serverId === OWN_TOOLS && toolName !== 'current_time';
    const result = { text: 'Words', isError: false, ...(isPage && { url: urlOf(args) }) };
    await db.put('toolCalls', { ...waiting, status: 'success', result });
  }
  expect(asked.toSorted()).toEqual(
    ['add_event', 'create_issue', 'read_tab', 'search_issues', 'web_search', 'write_file'].toSorted(),
  );
});
