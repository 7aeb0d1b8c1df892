import { orAborted } from '../../agent/abort.ts';
import { parseArguments } from '../../agent/arguments.ts';
import { blocked, cancelled, denied, failure } from '../../agent/refusals.ts';
import type { CalledStatus } from '../../types/tools/call-tool.ts';
import { readsOpenWorld } from '../../types/tools/tier.ts';
import {
  APP_CALLS,
  callIdOf,
  type Decision,
  isEnded,
  newCall,
  type ToolCall,
} from '../../types/tools/tool-call.ts';
import type { ToolResult } from '../../types/tools/tool-result.ts';
import type { OfferedTool } from '../../types/tools/tool.ts';
import { type Context, timestamp } from '../context.ts';
import type { RequestChannel } from '../deps.ts';

/** Rows of calls that ended without a question, of which an app may make thousands: the oldest make room. */
const MOST_UNASKED = 20;
/** The same of all rows of one message's apps that have ended. */
const MOST_ROWS = 200;
/** After so many refusals one after another nothing more is asked for an app, until it is shown anew. */
const MOST_DENIED = 2;

/** A call that an app makes: `parent` is the call that it shows. */
export type AppCall = { parent: ToolCall; tool: OfferedTool; args: Record<string, unknown> };

type Ended = { result: ToolResult; status: CalledStatus | 'denied' };

/**
 * Calls of apps, in the ledger beside those of the message whose call the app shows. They run beside runs, and no model is
 * told of them: what a run calls is judged, asked about and written down in the same way.
 */
export function createAppCalls(
  context: Context,
  { channel, changed }: { channel: RequestChannel; changed: (conversationId: string) => Promise<void> },
) {
  const { deps, lane, appCalls } = context;
  /** How often each app was denied since it was last allowed something, by the call that it shows. */
  const refusals = new Map<string, number>();

  /** Resolves when it has ended, however it did. */
  async function call(made: AppCall, signal: AbortSignal): Promise<Ended> {
    const { parent } = made;
    const opened = await lane(parent.conversationId, () => open(made));
    if (opened.status !== 'pending') return { result: opened.result ?? cancelled, status: 'error' };
    const { callId } = opened;
    deps.working(callId, true);
    try {
      const allowed = await allow(opened, parent, signal);
      return await (allowed === 'aborted' ? end(callId, cancelled, 'cancelled') : run(allowed, signal));
    } finally {
      appCalls.delete(callId);
      deps.working(callId, false);
      await changed(parent.conversationId);
    }
  }

  /** Writes the row down, at a new position or that of a call that stood on no card: on a card an id stays that call's. */
  async function open({ parent, tool, args }: AppCall): Promise<ToolCall> {
    const { conversationId, messageId, runId } = parent;
    const { position, forgotten } = await freePosition(messageId);
    const violation = deps.checkArguments(tool.inputSchema, args, false);
    const message = { id: messageId, conversationId, runId, timestamp: timestamp(context) };
    const request = { id: callIdOf(messageId, position), name: tool.name, arguments: JSON.stringify(args) };
    const row: ToolCall = {
      ...newCall(message, position, request, tool),
      byApp: parent.position,
      ...(violation !== undefined && {
        status: 'error',
        refused: true,
        result: failure(`The arguments do not fit the tool’s schema: ${violation}`),
      }),
    };
    // Before it is written: a pending row that is not here is one of a worker that died (`settle`).
    if (row.status === 'pending') appCalls.set(row.callId, { call: row, decide: () => undefined });
    await deps.store.write({ calls: [row], forgotten });
    return row;
  }

  /** `forgotten`: which make room for it. */
  async function freePosition(messageId: string): Promise<{ position: number; forgotten: string[] }> {
    const rows = await deps.store.appCalls(messageId);
    const ended = rows.filter(({ status, callId }) => isEnded(status) && !appCalls.has(callId));
    const unasked = ended.filter(
      // What strangers wrote would else be forgotten before what comes of it is judged.
      ({ allowed, refused, annotations }) =>
        refused || (allowed === 'before' && !readsOpenWorld(annotations)),
    );
    const replaceable = unasked.length >= MOST_UNASKED ? unasked : rows.length >= MOST_ROWS ? ended : [];
    const [oldest] = replaceable.toSorted(
      (a, b) =>
        Number(readsOpenWorld(a.annotations)) - Number(readsOpenWorld(b.annotations)) ||
        a.createdAt.localeCompare(b.createdAt),
    );
    if (oldest?.refused || oldest?.allowed === 'before') return { position: oldest.position, forgotten: [] };
    const position = Math.max(APP_CALLS - 1, ...rows.map((each) => each.position)) + 1;
    return { position, forgotten: oldest ? [oldest.callId] : [] };
  }

  /** The row as it may run; one that is denied has its result. */
  async function allow(
    opened: ToolCall,
    parent: ToolCall,
    signal: AbortSignal,
  ): Promise<ToolCall | 'aborted'> {
    const row = { ...opened, ...(await deps.definitionOf(opened)) };
    const { permission, basis } = await deps.judge(row);
    if (permission === 'block') return { ...row, status: 'denied', result: blocked };
    if (permission === 'allow')
      return { ...row, status: 'approved', allowed: 'before', ...(basis && { basis }) };
    if ((refusals.get(parent.callId) ?? 0) >= MOST_DENIED)
      return { ...row, status: 'denied', result: denied() };
    const decision = await ask(row, signal);
    if (decision === 'aborted') return 'aborted';
    const isAllowed = decision.decision === 'allow';
    refusals.set(parent.callId, isAllowed ? 0 : (refusals.get(parent.callId) ?? 0) + 1);
    // Written with the decision (decisions.ts).
    return (await deps.store.call(row.callId)) ?? 'aborted';
  }

  async function ask(row: ToolCall, signal: AbortSignal): Promise<Decision | 'aborted'> {
    const { conversationId, callId, toolName, namespacedName, serverId } = row;
    const taint = await deps.taintOf(row);
    const waiting: ToolCall = { ...row, wait: 'permission', ...(taint && { taint }) };
    const { promise, resolve } = Promise.withResolvers<Decision>();
    appCalls.set(callId, { call: waiting, decide: resolve });
    await deps.store.write({ calls: [waiting] });
    await changed(conversationId);
    const { arguments: text } = row;
    const asked = { callId, toolName, namespacedName, serverId, arguments: text };
    deps.event(conversationId, { type: 'approval_required', wait: 'permission', ...asked });
    const decision = await orAborted(promise, signal);
    appCalls.set(callId, { call: row, decide: () => undefined });
    if (decision !== 'aborted')
      deps.event(conversationId, { type: 'approval_resolved', callId, ...decision });
    return decision;
  }

  async function run(row: ToolCall, signal: AbortSignal): Promise<Ended> {
    if (row.status !== 'approved') return end(row.callId, row.result ?? blocked, 'denied', row);
    const parsed = parseArguments(row.edited ?? row.arguments);
    if (!parsed.ok) return end(row.callId, failure(parsed.problem), 'error', row);
    await deps.store.write({ calls: [row] });
    let startedAt: number | undefined;
    const started = async (): Promise<void> => {
      startedAt = deps.now();
      const at = new Date(startedAt).toISOString();
      await deps.store.write({ calls: [{ ...row, status: 'running', startedAt: at }] });
    };
    // An app waits for its call only while it is shown: a task of it is followed no longer.
    const accepted = async (): Promise<void> => undefined;
    const options = { signal, started, accepted, progress: () => undefined, channel };
    const { result, status } = await deps.callTool(row, parsed.value, options);
    const ran = startedAt === undefined ? {} : { startedAt: new Date(startedAt).toISOString() };
    const durationMs = startedAt === undefined ? 0 : deps.now() - startedAt;
    return end(row.callId, result, status, { ...row, ...ran, durationMs });
  }

  async function end(
    callId: string,
    result: ToolResult,
    status: Ended['status'],
    row?: ToolCall,
  ): Promise<Ended> {
    const found = row ?? (await deps.store.call(callId));
    if (found) {
      const { wait: _wait, ...rest } = found;
      await deps.store.write({ calls: [{ ...rest, status, result }] });
    }
    return { result, status };
  }

  /** What a worker that died left of an app's calls: of one that ran the outcome is not known. */
  async function settle({ messageId, position: of }: ToolCall): Promise<void> {
    refusals.delete(callIdOf(messageId, of));
    for (const row of await deps.store.appCalls(messageId))
      if (row.byApp === of && !isEnded(row.status) && !appCalls.has(row.callId))
        await deps.store.write({ calls: [abandoned(row)] });
  }

  return { call, settle };
}

const CLOSED = failure('The browser closed before this call ended.');

/** The row of a call whose app is gone. */
export function abandoned({ wait: _wait, ...call }: ToolCall): ToolCall {
  return { ...call, status: call.status === 'running' ? 'unknown' : 'cancelled', result: CLOSED };
}
