import { AppError, toWire } from '../../../lib/errors.ts';
import { OWN_CALLS } from '../../../lib/protocol/chats.ts';
import type { Reply } from '../../../lib/protocol/commands.ts';
import type { CallToolRequest } from '../../../lib/protocol/tools.ts';
import { callsForPanel } from '../../../lib/runs/panel-view.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import type { CallTool } from '../../../lib/types/tools/call-tool.ts';
import type { Tool } from '../../../lib/types/tools/server-tool.ts';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import type { ToolResult } from '../../../lib/types/tools/tool-result.ts';
import { OWN_NAME, OWN_TOOLS } from '../../../lib/types/tools/tool-source.ts';
import { invalid } from '../input.ts';
import { t } from '../../../locales/texts/errors.ts';

export type OwnCallsDeps = {
  callTool: CallTool;
  /** Keeps the worker alive meanwhile. */
  during: <T>(job: () => Promise<T>) => Promise<T>;
  /** A row was written for the last time. */
  written: () => void;
  now: () => number;
};

/** Calls that the user makes outside any chat. Each has its row in the ledger, as those of chats have. */
export function createOwnCalls(db: Database, { callTool, during, written, now }: OwnCallsDeps) {
  const open = new Map<string, AbortController>();

  /** Never rejects. An error means that the call was not made. */
  async function call(request: CallToolRequest): Promise<Reply<'callTool'>> {
    try {
      return await during(() => make(request));
    } catch (error) {
      return { error: toWire(error) };
    }
  }

  /** The call can be cancelled from its first moment on: nothing is awaited before that. */
  async function make(request: CallToolRequest) {
    const { callId } = request;
    requireRequest(request);
    if (open.has(callId)) throw madeBefore();
    const stop = new AbortController();
    open.set(callId, stop);
    try {
      return await run(request, stop.signal);
    } finally {
      open.delete(callId);
      written();
    }
  }

  async function run({ callId, fullName, arguments: args }: CallToolRequest, signal: AbortSignal) {
    return follow(await begin(await callable(fullName), callId, args), args, signal);
  }

  /** From a row that was written down, or that an earlier worker left to a task, to its end. */
  async function follow(row: ToolCall, args: Record<string, unknown>, signal: AbortSignal) {
    let startedAt = row.startedAt ? Date.parse(row.startedAt) : undefined;
    const started = async () => {
      const at = now();
      row.status = 'running';
      row.startedAt = new Date(at).toISOString();
      await db.put('toolCalls', row);
      startedAt = at;
    };
    const accepted = async (task: string) => {
      row.task = task;
      await db.put('toolCalls', row);
    };
    const options = { signal, started, accepted, progress: () => undefined };
    const { result, status } = await callTool({ ...row }, args, options);
    const durationMs = startedAt === undefined ? 0 : now() - startedAt;
    const { task: _over, ...rest } = row;
    const ended: ToolCall = { ...rest, status, result, durationMs };
    await writeEnd(ended, result);
    if (startedAt === undefined) return { error: notMade(status, result) };
    return { result: callsForPanel([ended])[0]?.result ?? result };
  }

  /** The call was made, whatever becomes of its row: what is too large for the disk is kept without its blocks. */
  async function writeEnd(ended: ToolCall, { text, isError }: ToolResult): Promise<void> {
    try {
      await db
        .put('toolCalls', ended)
        .catch(() => db.put('toolCalls', { ...ended, result: { text, isError } }));
    } catch (error) {
      console.warn('The end of a call was not written down.', error);
    }
  }

  async function callable(fullName: string): Promise<Tool & { serverName: string }> {
    const tool = (await db.getAll('tools')).find((each) => each.offeredName === fullName && each.present);
    const own = tool?.serverId === OWN_TOOLS ? { name: OWN_NAME } : undefined;
    const server = own ?? (tool && (await db.get('servers', tool.serverId)));
    if (!tool || !server) {
      throw new AppError({ code: 'no_tool', ...t(($) => $.errors.setup.noTool) });
    }
    if (tool.permission === 'block') {
      throw new AppError({ code: 'tool_blocked', ...t(($) => $.errors.setup.blocked, { name: tool.name }) });
    }
    return { ...tool, serverName: server.name };
  }

  /** Writes the row down. An id that was used before is another call's. */
  async function begin(
    { name: toolName, offeredName, serverId, serverName, annotations }: Tool & { serverName: string },
    callId: string,
    args: Record<string, unknown>,
  ): Promise<ToolCall> {
    const row: ToolCall = {
      callId,
      conversationId: OWN_CALLS,
      runId: '',
      messageId: '',
      position: 0,
      toolCallId: callId,
      namespacedName: offeredName,
      toolName,
      serverId,
      serverName,
      arguments: JSON.stringify(args),
      annotations,
      status: 'pending',
      createdAt: new Date(now()).toISOString(),
    };
    await db.add('toolCalls', row).catch((error: unknown) => {
      throw error instanceof DOMException && error.name === 'ConstraintError' ? madeBefore() : error;
    });
    return row;
  }

  /** Goes on with a task that an earlier worker followed when it died. */
  async function resume(row: ToolCall): Promise<void> {
    const stop = new AbortController();
    open.set(row.callId, stop);
    try {
      await during(() => follow(row, JSON.parse(row.arguments), stop.signal));
    } finally {
      open.delete(row.callId);
      written();
    }
  }

  /** What an earlier worker had begun when it died: whether it was carried out is unknown, unless it is a task. */
  async function settle(): Promise<void> {
    const tasks: ToolCall[] = [];
    const tx = db.transaction('toolCalls', 'readwrite');
    let cursor = await tx.store.index('by-conversation').openCursor(OWN_CALLS);
    while (cursor) {
      const { callId, status, task } = cursor.value;
      const wasMade = status === 'running';
      if (wasMade && task !== undefined) tasks.push(cursor.value);
      else if (!open.has(callId) && (wasMade || status === 'pending'))
        await cursor.update({
          ...cursor.value,
          status: wasMade ? 'unknown' : 'cancelled',
          result: { text: t(($) => $.errors.setup.closedMeanwhile), isError: true },
        });
      cursor = await cursor.continue();
    }
    await tx.done;
    await Promise.all(tasks.filter(({ callId }) => !open.has(callId)).map(resume));
  }

  return {
    call,
    cancel: ({ callId }: { callId: string }) => open.get(callId)?.abort(),
    settle,
  };
}

function requireRequest(request: { callId: unknown; arguments: unknown }): void {
  const { callId, arguments: args } = request;
  if (typeof callId !== 'string' || callId === '' || callId.length > 100)
    throw invalid(t(($) => $.errors.setup.badCallId));
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    throw invalid(t(($) => $.errors.setup.badArguments));
}

const madeBefore = (): AppError => invalid(t(($) => $.errors.setup.madeBefore));

function notMade(status: string, { text }: ToolResult) {
  const code = status === 'cancelled' ? 'call_cancelled' : 'call_not_made';
  return toWire(new AppError({ code, message: text }));
}
