import { onTestFinished } from 'vitest';
import {
  createElicitation,
  type ElicitationOrigin,
} from '../../entrypoints/background/servers/elicitation.ts';
import { createAttachments } from '../../entrypoints/background/chat/attachments.ts';
import { createServerAttachments } from '../../entrypoints/background/chat/server-attachments.ts';
import { createConfigFiles } from '../../entrypoints/background/servers/config-files.ts';
import { createOffers } from '../../entrypoints/background/servers/offers.ts';
import type { NativeLink } from '../../lib/mcp/transport/native-link.ts';
import type { OriginRule } from '../../entrypoints/background/servers/origin-rule.ts';
import { createOwnCalls } from '../../entrypoints/background/tools/own-calls.ts';
import { createServerConnections } from '../../entrypoints/background/servers/server-connections.ts';
import { createServers } from '../../entrypoints/background/servers/servers.ts';
import { createAppTools } from '../../entrypoints/background/apps/app-tools.ts';
import { createTools } from '../../entrypoints/background/tools/tools.ts';
import type { PanelEvent } from '../../lib/protocol/panel.ts';
import type { AttachmentSummary } from '../../lib/types/attachment.ts';
import type { ServerStatus } from '../../lib/types/server.ts';
import type { ServerInput } from '../../lib/protocol/servers.ts';
import type { CallTool } from '../../lib/types/tools/call-tool.ts';
import type { Database } from '../../lib/storage/schema.ts';
import type { AskedBy, Fulfilled, RequestBody } from '../../lib/types/request.ts';
import { startMcpServer, type McpServerOptions } from '../fakes/mcp-server.ts';
import { cancelling } from '../fakes/request-channel.ts';
import { noPageTools, noTabs } from '../fakes/tabs.ts';

export type Rig = ReturnType<typeof startWorkerServers>;

/** A server as the options page sends it. */
export const input: Extract<ServerInput, { url: string }> = {
  name: 'Files',
  transport: 'streamable-http',
  url: 'http://127.0.0.1/mcp',
  enabled: true,
  toolTimeout: 30_000,
  trusted: false,
  oneAtATime: false,
};

/** What pages are told, as far as it goes through here. */
export type Sent =
  | PanelEvent
  | { type: 'server_status'; serverId: number; status: ServerStatus }
  | { type: 'attachments'; conversationId: string; attachments: AttachmentSummary[] };

type RigOptions = {
  answer?: Answer;
  connectTimeout?: number;
  /** What starts programs. */
  native?: NativeLink;
  /** Whether the options page is open. */
  isWatched?: boolean;
  whileAsking?: OriginRule['whileAsking'];
  forget?: (serverId: number) => Promise<void>;
};

type Answer = (by: AskedBy, body: RequestBody) => Promise<Fulfilled>;

/** What one life of the worker has to do with servers, put together as servers/build-servers.ts does. */
export function startWorkerServers(
  db: Database,
  {
    answer,
    connectTimeout,
    native,
    isWatched = false,
    whileAsking = (_hosts, ask) => ask(),
    forget = async () => {},
  }: RigOptions = {},
) {
  const sent: Sent[] = [];
  const waiters = new Set<() => void>();
  const send = (event: Sent): void => {
    sent.push(event);
    for (const wake of waiters) wake();
  };
  const changed = async () => {};
  const connections = createServerConnections(db, {
    ...(connectTimeout !== undefined && { connectTimeout }),
    ...(native && { native }),
    changed,
    statusChanged: (serverId, status) => send({ type: 'server_status', serverId, status }),
    sendLog: (_serverId, event) => send(event),
    lost: () => {},
    connected: (serverId) => void serverAttachments.connected(serverId),
    resourceUpdated: (serverId, uri) => serverAttachments.updated(serverId, uri),
  });
  const servers = createServers(db, {
    connections,
    changed,
    saved: async () => {},
    whileAsking,
    forget,
  });
  const configFiles = createConfigFiles(db, changed);
  const elicitation = createElicitation(db, {
    elicitFromUser: (by) => async (body) => answer?.(by, body) ?? { action: 'cancel' },
    isShown: () => isWatched,
  });
  const parts = {
    tabs: noTabs,
    pageTools: noPageTools,
    appTools: createAppTools(db),
    servers: connections,
    changed,
    elicitFor: elicitation,
  };
  const { call, ...others } = createTools(db, parts);
  const callTool: CallTool = (wanted, args, options) =>
    call(wanted, args, { ...options, channel: cancelling });
  const tools = { ...others, call: callTool };
  const elicitFor = (origin: ElicitationOrigin) => elicitation(origin, cancelling);
  const offers = createOffers(db, { servers: connections, elicitFor });
  const attachments = createAttachments(db, {
    attached: (conversationId, list) => send({ type: 'attachments', conversationId, attachments: list }),
    now: Date.now,
  });
  const serverAttachments = createServerAttachments(db, { servers: connections, attachments, elicitFor });
  const ownCalls = createOwnCalls(db, {
    callTool,
    during: (job) => job(),
    written: () => {},
    now: Date.now,
  });
  onTestFinished(async () => {
    const ids = await db.getAllKeys('servers');
    await Promise.all(ids.map((id) => connections.disconnect(id)));
  });
  /** Resolves when what was sent, or what is so then, meets the condition; it is asked at every event. */
  const until = (condition: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!condition()) return;
        waiters.delete(look);
        resolve();
      };
      waiters.add(look);
      look();
    });
  return {
    sent,
    until,
    connections,
    servers,
    configFiles,
    tools,
    offers,
    attachments,
    serverAttachments,
    ownCalls,
  };
}

/** A real MCP server, for one test. */
export async function startMcp(options?: McpServerOptions) {
  const mcp = await startMcpServer(options);
  onTestFinished(() => mcp.close());
  return mcp;
}

/** Saves a server, which connects. @returns its id */
export async function add({ servers }: Pick<Rig, 'servers'>, fields: Partial<ServerInput>): Promise<number> {
  const { id, error } = await servers.add({ ...input, ...fields } as ServerInput);
  if (id === undefined || error) throw new Error(error?.message ?? 'Not saved.');
  return id;
}
