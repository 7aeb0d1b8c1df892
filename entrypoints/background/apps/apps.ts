import { ProtocolError } from '@modelcontextprotocol/client';
import { parseArguments } from '../../../lib/agent/arguments.ts';
import { REFUSALS } from '../../../lib/agent/refusals.ts';
import { withoutControlTokens } from '../../../lib/control-tokens.ts';
import { AppError } from '../../../lib/errors.ts';
import { visibleOnly } from '../../../lib/invisible.ts';
import { toAppDocument } from '../../../lib/mcp/apps/document.ts';
import { answerRequest, REJECTED } from '../../../lib/mcp/elicitation/server-requests.ts';
import { attachmentOf } from '../../../lib/mcp/content/prompt-text.ts';
import type { Raw } from '../../../lib/mcp/content/raw.ts';
import type { Request } from '../../../lib/protocol/commands.ts';
import type { Runs } from '../../../lib/runs/runs.ts';
import { overridesOf } from '../../../lib/storage/configuration/projects.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { type AppInput, type AppResult, MOST_CONTEXT, type OpenedApp } from '../../../lib/types/app.ts';
import type { Resource } from '../../../lib/types/offer.ts';
import type { Elicit } from '../../../lib/types/request.ts';
import type { Server } from '../../../lib/types/server.ts';
import { isOn, type Tool } from '../../../lib/types/tools/server-tool.ts';
import { isEnded, MAX_ARGUMENTS, type ToolCall } from '../../../lib/types/tools/tool-call.ts';
import type { ContentBlock, ToolResult } from '../../../lib/types/tools/tool-result.ts';
import type { OfferedTool } from '../../../lib/types/tools/tool.ts';
import type { createAttachments } from '../chat/attachments.ts';
import { requireText } from '../input.ts';
import type { ElicitationOrigin } from '../servers/elicitation.ts';
import type { ServerConnections } from '../servers/server-connections.ts';
import { createPace, tooBusy } from './pace.ts';
import { requireShown, requireWritten } from './shown-call.ts';
import { t } from '../../../locales/texts/errors.ts';
import { isRecord } from '../../../lib/json.ts';

/** Characters of JSON that a page, and an app, gets at once. */
const MOST = 30_000_000;

export type AppsDeps = {
  servers: Pick<ServerConnections, 'reach' | 'readRawResource' | 'offer'>;
  runs: Pick<Runs, 'appCalls'>;
  attachments: Pick<ReturnType<typeof createAttachments>, 'keep' | 'newId' | 'detach'>;
  elicitFor: (origin: ElicitationOrigin) => Elicit;
  now: () => number;
  /** Portside's. */
  version: string;
};

/** What servers' apps show of calls, and what they may have done: all rules on them are enforced here (docs/apps.md). */
export function createApps(db: Database, { servers, runs, attachments, elicitFor, now, version }: AppsDeps) {
  const pace = createPace(now);
  /** By the call that the app shows. */
  const open = new Map<string, Map<string, AbortController>>();

  const shown = (callId: unknown) => requireShown(db, callId);

  type Shown = { call: Pick<ToolCall, 'conversationId'>; server: Server };
  const read = async ({ call, server }: Shown, uri: string) => {
    await servers.reach(server.id);
    const { conversationId } = call;
    const elicit = elicitFor({ serverId: server.id, callId: null, conversationId });
    return servers.readRawResource(server.id, uri, { signal: new AbortController().signal, elicit });
  };

  async function openApp({ callId, writing }: Request<'openApp'>): Promise<OpenedApp> {
    const found = writing ? await requireWritten(db, writing) : await settled(callId);
    const { call, server, uri } = found;
    const document = toAppDocument(await read(found, uri), hostOf(server));
    if (!document) throw new AppError({ code: 'no_app', ...t(($) => $.errors.apps.unreadable) });
    const tool = await db.get('tools', [server.id, call.toolName]);
    return { ...document, tool: toldOf(call, tool), version };
  }

  /** Ends the calls that the app of an earlier page left. */
  async function settled(callId: unknown) {
    const found = await shown(callId);
    await runs.appCalls.settle(found.call);
    return found;
  }

  async function input({ callId }: Request<'appInput'>): Promise<AppInput> {
    const { call } = await shown(callId);
    const parsed = parseArguments(call.edited ?? call.arguments);
    const args = { arguments: parsed.ok ? parsed.value : {} };
    if (!isEnded(call.status)) return args;
    const { result, status } = call;
    if (status === 'success' || status === 'error') return { ...args, result: toAppResult(result) };
    return { ...args, cancelled: result ? textOf(result) : status };
  }

  async function callTool(request: Request<'callAppTool'>): Promise<AppResult> {
    const { callId, requestId, name, arguments: args } = request;
    const { call, server } = await shown(callId);
    const tool = await callable(server, call, name);
    if (!isRecord(args) || JSON.stringify(args).length > MAX_ARGUMENTS) throw noTool(name);
    const { result } = await stoppable(callId, requestId, (signal) =>
      runs.appCalls.call({ parent: call, tool, args }, signal),
    );
    return toAppResult(result);
  }

  /** So many at once of an app, each of which `cancel` aborts. */
  async function stoppable<T>(callId: string, requestId: unknown, job: (signal: AbortSignal) => Promise<T>) {
    const jobs = open.get(callId) ?? new Map<string, AbortController>();
    open.set(callId, jobs);
    pace.require(callId, jobs.size);
    const stop = new AbortController();
    const id = `${requireText(requestId, 'id')} ${now()}`;
    jobs.set(id, stop);
    try {
      return await job(stop.signal);
    } finally {
      jobs.delete(id);
    }
  }

  /** The user sees which server's app asks, and what, as of a server itself (servers/sampling.ts). */
  async function sample({ callId, requestId, params }: Request<'sampleForApp'>): Promise<Raw> {
    const { call, server } = await shown(callId);
    const { conversationId } = call;
    const elicit = elicitFor({ serverId: server.id, callId: null, conversationId });
    const request = { method: 'sampling/createMessage', params };
    return stoppable(callId, requestId, (signal) => answerRequest(request, elicit, signal)).catch(
      (error: unknown) => {
        if (!(error instanceof ProtocolError)) throw error;
        const code = error.code === REJECTED ? 'sampling_declined' : 'sampling_failed';
        throw new AppError({ code, message: error.message }); // the app alone is told
      },
    );
  }

  /** Only of its own server, and none that is for models alone. */
  async function callable(server: Server, call: ToolCall, name: unknown): Promise<OfferedTool> {
    const tool = typeof name === 'string' ? await db.get('tools', [server.id, name]) : undefined;
    const chat = await db.get('conversations', call.conversationId);
    if (
      !tool?.present ||
      tool.problem !== undefined ||
      tool.app?.only === 'model' ||
      !isOn(tool, await overridesOf(db, chat))
    )
      throw noTool(name);
    const { offeredName, name: toolName, serverId, description, inputSchema, annotations } = tool;
    const serverName = server.name;
    return { name: offeredName, toolName, serverId, serverName, description, inputSchema, annotations };
  }

  function cancel({ callId, requestId }: Request<'cancelAppTools'>): void {
    for (const [id, stop] of open.get(callId) ?? [])
      if (requestId === undefined || id.startsWith(`${requestId} `)) stop.abort();
  }

  async function listResources({ callId }: Request<'listAppResources'>): Promise<{ resources: Resource[] }> {
    const { server } = await shown(callId);
    pace.require(callId, 0);
    await servers.reach(server.id);
    return { resources: servers.offer(server.id)?.resources ?? [] };
  }

  async function readResource({ callId, uri }: Request<'readAppResource'>): Promise<Record<string, unknown>> {
    const found = await shown(callId);
    pace.require(callId, 0);
    const result = await read(found, requireText(uri, 'address'));
    if (JSON.stringify(result).length > MOST)
      throw new AppError({
        code: 'resource_too_large',
        ...t(($) => $.errors.setup.resourceTooLarge, { most: MOST }),
      });
    return result;
  }

  /** A chip of the draft, which the user sees, and may take out. */
  async function setContext({ callId, context }: Request<'setAppContext'>): Promise<void> {
    const { call, server } = await shown(callId);
    pace.require(callId, 0);
    const { content = [], structured } = Object(context) as Request<'setAppContext'>['context'];
    const blocks = (Array.isArray(content) ? content : []).filter(isText);
    const said: ContentBlock[] = structured
      ? [...blocks, { type: 'text', text: JSON.stringify(structured) }]
      : blocks;
    const written = attachmentOf(said);
    if (written.text.length > MOST_CONTEXT) throw tooBusy();
    const source = { type: 'app', serverId: server.id, serverName: server.name, callId } as const;
    const { conversationId, toolName } = call;
    const head = { id: attachments.newId(), conversationId, title: toolName, source };
    if (written.text.trim() !== '') return void (await attachments.keep(head, written));
    const draft = await db.getAllFromIndex('attachments', 'by-conversation', conversationId);
    const before = draft.find((each) => each.source.type === 'app' && each.source.callId === callId);
    if (before) await attachments.detach(before);
  }

  /** Kept as an attachment, too, since it taints the chat, as a server's prompt does. */
  async function takeMessage({ callId, text: given }: Request<'takeAppMessage'>) {
    const { call, server } = await shown(callId);
    const { conversationId, toolName: name } = call;
    const from = { type: 'prompt', serverId: server.id, serverName: server.name, name } as const;
    const source = { ...from, isTyped: true } as const;
    const head = { id: attachments.newId(), conversationId, title: name, source };
    const text = withoutControlTokens(visibleOnly(String(given).slice(0, MOST_CONTEXT)));
    return { text, attachment: await attachments.keep(head, { text }) };
  }

  return {
    open: openApp,
    input,
    callTool,
    sample,
    cancel,
    listResources,
    readResource,
    setContext,
    takeMessage,
  };
}

const isText = (block: ContentBlock): boolean =>
  typeof block === 'object' && block !== null && block.type === 'text' && typeof block.text === 'string';

const hostOf = (server: Server): string | null =>
  server.transport === 'stdio' ? null : (URL.parse(server.url)?.hostname ?? '');

/** What stands for a tool that its server does not list any more. */
function toldOf(call: Pick<ToolCall, 'toolName'>, tool: Tool | undefined): OpenedApp['tool'] {
  if (!tool) return { name: call.toolName, description: '', inputSchema: { type: 'object' } };
  const { name, title, description, inputSchema } = tool;
  return { name, ...(title !== undefined && { title }), description, inputSchema };
}

/** As its server answered it, as far as the ledger keeps that. */
function toAppResult(result: ToolResult | undefined): AppResult {
  const { blocks, structured, meta, isError } = result ?? {};
  return {
    content: blocks?.map(asSent) ?? [{ type: 'text', text: result ? textOf(result) : '' }],
    ...(structured !== undefined && { structuredContent: structured }),
    ...(isError && { isError }),
    ...(meta && { _meta: meta }),
  };
}

/** Without what the user said to the model. */
const textOf = ({ text, refusal }: ToolResult): string => (refusal ? REFUSALS[refusal] : text);

function asSent(block: ContentBlock): unknown {
  if (block.type === 'unknown') return block.value;
  if (block.type !== 'image') return block;
  const { type, data, mimeType } = block;
  return { type, data, mimeType };
}

function noTool(name: unknown): AppError {
  const shownName = String(name).slice(0, 100);
  return new AppError({ code: 'no_app_tool', ...t(($) => $.errors.apps.noTool, { name: shownName }) });
}
