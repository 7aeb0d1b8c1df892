import type { AssistantMessage } from '../../types/message.ts';
import { callIdOf, type CallStatus, isEnded, type ToolCall } from '../../types/tools/tool-call.ts';

/**
 * Steps of an answer with nothing to read between them, whose calls fold into one line. Its first message carries the
 * line. `messageIds` are joined by a space, so that a group that stays the same is the same value.
 */
export type CallGroup = { key: string; messageIds: string };

/**
 * The group of each message of an answer that made calls, by its id. The calls of the last message are in none: their
 * card stands open until the next step begins. Nor are those of messages that are `held`.
 */
export function groupCalls(
  messages: AssistantMessage[],
  held: ReadonlySet<string> = new Set(),
): Record<string, CallGroup> {
  const groups: Record<string, CallGroup> = {};
  let ids: string[] = [];
  for (const message of messages.slice(0, -1)) {
    const goesOn = ids.length > 0 && message.content === '' && message.notes === undefined;
    if (!goesOn) ids = [];
    const folds =
      message.status === 'complete' && Boolean(message.tool_calls?.length) && !held.has(message.id);
    ids = folds ? [...ids, message.id] : [];
    for (const id of ids) groups[id] = { key: ids[0] ?? id, messageIds: ids.join(' ') };
    // What is said after the calls stands between them and the next ones.
    if (message.finish !== undefined) ids = [];
  }
  return groups;
}

export type CallTally = {
  statuses: CallStatus[];
  /** Each tool that was called, in the order of its first call, with how often. */
  called: { name: string; count: number }[];
  /** Milliseconds in which some call ran; absent when none did. */
  ms?: number;
};

/** How the calls of these messages ended. `counts`: how many calls each made. */
export function tallyOf(
  calls: Record<string, ToolCall>,
  messages: { id: string; count: number }[],
): CallTally {
  const statuses: CallStatus[] = [];
  const tools = new Map<string, number>();
  let ms: number | undefined;
  for (const { id, count } of messages) {
    const rows = Array.from({ length: count }, (_, position) => calls[callIdOf(id, position)]);
    statuses.push(...rows.map((row) => (row && isEnded(row.status) ? row.status : 'cancelled')));
    for (const row of rows) if (row) tools.set(row.toolName, (tools.get(row.toolName) ?? 0) + 1);
    const ran = rows.flatMap((row) =>
      row?.startedAt === undefined || row.durationMs === undefined
        ? []
        : [[Date.parse(row.startedAt), Date.parse(row.startedAt) + row.durationMs] as const],
    );
    if (ran.length === 0) continue;
    const [begun, ended] = [Math.min(...ran.map(([at]) => at)), Math.max(...ran.map(([, at]) => at))];
    ms = (ms ?? 0) + ended - begun;
  }
  return {
    statuses,
    called: [...tools].map(([name, count]) => ({ name, count })),
    ...(ms !== undefined && { ms }),
  };
}
