import type { IDBPTransaction } from 'idb';
import { OWN_CALLS } from '../../protocol/chats.ts';
import type { LoggedCall, ToolLogQuery } from '../../protocol/tools.ts';
import { hasFailed, isEnded, type ToolCall } from '../../types/tools/tool-call.ts';
import type { ToolResult } from '../../types/tools/tool-result.ts';
import type { Database, Schema } from '../schema.ts';

const PAGE = 50;
/** Rows of one transaction: a run that wants to write meanwhile waits for no more than these. */
const CHUNK = 100;
/** Characters that are searched of each part of a call: some results are megabytes. */
const SEARCHED = 20_000;
/** Characters of arguments that are kept of every call. */
const SHORT = 200;
/** Rows of one transaction that rewrites them. */
const TRIM_CHUNK = 50;

type LogKey = [createdAt: string, callId: string];
const placeOf = ({ createdAt, callId }: ToolCall): LogKey => [createdAt, callId];

/** A page of the tool log, newest first, of those calls that fit the query. */
export async function readToolLog(
  db: Database,
  { before, callId, ...query }: ToolLogQuery,
): Promise<{ calls: LoggedCall[]; hasMore: boolean }> {
  if (callId !== undefined) {
    const call = await db.get('toolCalls', callId);
    return { calls: call ? [await lineOf(db, call)] : [], hasMore: false };
  }
  const last = before === undefined ? undefined : await db.get('toolCalls', before);
  if (before !== undefined && !last) return { calls: [], hasMore: false };
  const fits = fitting(query);
  const found: ToolCall[] = [];
  for await (const call of newestFirst(db, last && placeOf(last))) {
    if (fits(call)) found.push(call);
    if (found.length > PAGE) break;
  }
  const calls = await Promise.all(found.slice(0, PAGE).map((call) => lineOf(db, call)));
  return { calls, hasMore: found.length > PAGE };
}

async function* newestFirst(db: Database, before?: LogKey): AsyncGenerator<ToolCall> {
  let end = before;
  do {
    const rows: ToolCall[] = await chunkBefore(db, end);
    yield* rows;
    const last = rows.length === CHUNK ? rows.at(-1) : undefined;
    end = last && placeOf(last);
  } while (end);
}

/** The last rows before `end`, newest first; read in one piece, which is about twice as fast as with a cursor. */
async function chunkBefore(db: Database, end: LogKey | undefined): Promise<ToolCall[]> {
  const index = db.transaction('toolCalls').store.index('by-created');
  const before = end && IDBKeyRange.upperBound(end, true);
  const newest = await index.openKeyCursor(before, 'prev');
  const first = await newest?.advance(CHUNK - 1);
  if (!first) return (await index.getAll(before)).toReversed();
  const range = end ? IDBKeyRange.bound(first.key, end, false, true) : IDBKeyRange.lowerBound(first.key);
  return (await index.getAll(range)).toReversed();
}

function fitting({ text = '', serverId, status }: ToolLogQuery): (call: ToolCall) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return (call) => {
    if (serverId !== undefined && call.serverId !== serverId) return false;
    if (status !== undefined && call.status !== status) return false;
    if (words.length === 0) return true;
    const { result } = call;
    const parts = [call.toolName, call.serverName, call.edited ?? call.arguments, result?.text ?? ''];
    if (result?.structured !== undefined) parts.push(beginningOf(result.structured));
    const texts = parts.map((part) => part.slice(0, SEARCHED).toLowerCase());
    return words.every((word) => texts.some((part) => part.includes(word)));
  };
}

/** Names and values of a JSON value, in order, until there are enough to search. */
function beginningOf(value: unknown): string {
  const parts: string[] = [];
  let left = SEARCHED;
  const add = (part: unknown): void => {
    if (left <= 0) return;
    if (typeof part === 'object' && part !== null) return addEach(part);
    const text = String(part).slice(0, left);
    left -= text.length + 1;
    parts.push(text);
  };
  const addEach = (parent: object): void => {
    // Not Object.entries, which would list millions for the few that are looked at.
    for (const name in parent) {
      if (left <= 0) return;
      if (!Array.isArray(parent)) add(name);
      add((parent as Record<string, unknown>)[name]);
    }
  };
  add(value);
  return parts.join(' ');
}

async function lineOf(db: Database, call: ToolCall): Promise<LoggedCall> {
  const { callId, conversationId, toolName, serverId, serverName, status, createdAt } = call;
  const { startedAt, durationMs } = call;
  const chat = conversationId === OWN_CALLS ? undefined : await db.get('conversations', conversationId);
  return {
    callId,
    conversationId,
    toolName,
    serverId,
    serverName,
    status,
    createdAt,
    ...(startedAt !== undefined && { startedAt }),
    ...(durationMs !== undefined && { durationMs }),
    ...(chat && { chatTitle: chat.title }),
  };
}

/** In `settings`: the newest place that was trimmed, so that no row is looked at twice. */
const TRIMMED = 'toolLogTrimmed';

/**
 * Keeps the newest `most` calls whole. Of older ones the result goes, and long arguments unless they may run again;
 * those of no chat go altogether. A call that has not ended stays as it is.
 * @returns how many rows were looked at
 */
export async function trimToolLog(db: Database, most: number): Promise<number> {
  const start = (await db.get('settings', TRIMMED)) as LogKey | undefined;
  const excess = (await db.countFromIndex('toolCalls', 'by-created', after(start))) - most;
  for (let left = excess; left > 0;) left -= await trimOldest(db, Math.min(left, TRIM_CHUNK));
  return Math.max(0, excess);
}

const after = (mark: LogKey | undefined): IDBKeyRange | undefined =>
  mark && IDBKeyRange.lowerBound(mark, true);

async function trimOldest(db: Database, count: number): Promise<number> {
  const tx = db.transaction(TRIMS, 'readwrite');
  const [calls, settings] = [tx.objectStore('toolCalls'), tx.objectStore('settings')];
  const mark = (await settings.get(TRIMMED)) as LogKey | undefined;
  const rows = await calls.index('by-created').getAll(after(mark), count);
  const last = rows.at(-1);
  await Promise.all([trimRows(tx, rows), ...(last ? [settings.put(placeOf(last), TRIMMED)] : []), tx.done]);
  return rows.length;
}

const TRIMS: ('toolCalls' | 'conversations' | 'settings')[] = ['toolCalls', 'conversations', 'settings'];

/** @returns how many there was something left of to drop */
async function trimRows(
  tx: IDBPTransaction<Schema, typeof TRIMS, 'readwrite'>,
  rows: ToolCall[],
): Promise<number> {
  const calls = tx.objectStore('toolCalls');
  const whole = rows.filter((row) => !isOpen(row) && row.result?.dropped === undefined);
  await Promise.all(
    whole.map(async (row) => {
      const hasChat = await tx.objectStore('conversations').getKey(row.conversationId);
      await (hasChat === undefined ? calls.delete(row.callId) : calls.put(dropped(row)));
    }),
  );
  return whole.length;
}

/** Drops the same of all calls made before then. @param until ISO 8601 @returns of how many */
export async function eraseResults(db: Database, until: string): Promise<number> {
  let count = 0;
  let rows: ToolCall[] = [];
  do {
    const tx = db.transaction(TRIMS, 'readwrite');
    const last: ToolCall | undefined = rows.at(-1);
    const range = last
      ? IDBKeyRange.bound(placeOf(last), [until], true, true)
      : IDBKeyRange.upperBound([until], true);
    rows = await tx.objectStore('toolCalls').index('by-created').getAll(range, TRIM_CHUNK);
    const [trimmed] = await Promise.all([trimRows(tx, rows), tx.done]);
    count += trimmed;
  } while (rows.length === TRIM_CHUNK);
  return count;
}

const isOpen = ({ status, wait }: ToolCall): boolean => wait !== undefined || !isEnded(status);

function dropped(call: ToolCall): ToolCall {
  const { edited, result, ...rest } = call;
  const keep = (text: string): string => (text.length <= SHORT || hasFailed(call) ? text : '');
  return {
    ...rest,
    arguments: keep(call.arguments),
    ...(edited !== undefined && { edited: keep(edited) }),
    ...(result && { result: shortened(result) }),
  };
}

/** Where it was read taints its chat, and that it only lacked access does not. */
function shortened({ isError, url, access }: ToolResult): ToolResult {
  const from = { ...(url !== undefined && { url }), ...(access !== undefined && { access }) };
  return { text: '', isError, dropped: true, ...from };
}
