import { orAborted } from '../../agent/abort.ts';
import { parseArguments } from '../../agent/arguments.ts';
import { blocked, cancelled, denied, failure } from '../../agent/refusals.ts';
import {
  APP_CALLS,
  callIdOf,
  type CalledStatus,
  type Decision,
  isEnded,
  type OfferedTool,
  type ToolCall,
  type ToolResult,
} from '../../types/tool.ts';
import { type Context, timestamp } from '../context.ts';
import type { RequestChannel } from '../deps.ts';

/** Rows of calls that ran without a question, of which an app may make thousands: the oldest make room. */
const MOST_UNASKED = 20;
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

  /** Writes the row down, in a place of its own or that of one that needed no approval. */
  async function open({ parent, tool, args }: AppCall): Promise<ToolCall> {
    const { conversationId, messageId, runId } = parent;
    const text = JSON.stringify(args);
    const position = await freePosition(parent);
    const violation = deps.checkArguments(tool.inputSchema, args, false);
    const row: ToolCall = {
      callId: callIdOf(messageId, position),
      conversationId,
      runId,
      messageId,
      position,
      byApp: parent.position,
      toolCallId: callIdOf(messageId, position),
      namespacedName: tool.name,
      toolName: tool.toolName,
      serverId: tool.serverId,
      serverName: tool.serverName,
      arguments: text,
      annotations: tool.annotations,
      createdAt: timestamp(context),
      ...(violation === undefined
        ? { status: 'pending' }
        : {
            status: 'error',
            refused: true,
            result: failure(`The arguments do not fit the tool’s schema: ${violation}`),
          }),
    };
    // So that none is taken for one that a worker left that died.
    if (row.status === 'pending') appCalls.set(row.callId, { call: row, decide: () => undefined });
    await deps.store.write({ calls: [row] });
    return row;
  }

  async function freePosition({ messageId }: ToolCall): Promise<number> {
    const unasked: ToolCall[] = [];
    for (let position = APP_CALLS; ; position += 1) {
      const found = await deps.store.call(callIdOf(messageId, position));
      if (!found) {
        const oldest = unasked.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))[0];
        return unasked.length >= MOST_UNASKED && oldest ? oldest.position : position;
      }
      if (found.allowed === 'before' && isEnded(found.status) && !appCalls.has(found.callId))
        unasked.push(found);
      if (position >= APP_CALLS + MOST_ROWS) return unasked[0]?.position ?? position;
    }
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
    for (let position = APP_CALLS; ; position += 1) {
      const found = await deps.store.call(callIdOf(messageId, position));
      if (!found) return;
      if (found.byApp === of && !isEnded(found.status) && !appCalls.has(found.callId))
        await deps.store.write({ calls: [abandoned(found)] });
    }
  }

  return { call, settle };
}

/** Of one message's apps. */
const MOST_ROWS = 2000;

const CLOSED = failure('The browser closed before this call ended.');

/** The row of a call whose app is gone. */
export function abandoned({ wait: _wait, ...call }: ToolCall): ToolCall {
  return { ...call, status: call.status === 'running' ? 'unknown' : 'cancelled', result: CLOSED };
}
