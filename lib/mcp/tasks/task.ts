import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { isRecord } from '../../json.ts';
import { cut, isText, type Raw } from '../content/raw.ts';

/** The extension that has tasks from 2026-07-28 on (SEP-2663); MCP 2025-11-25 has them in itself (basic/utilities/tasks). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

const STATUSES = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const;

/** What a server says of a call that it works on as a task, in either revision. */
export type Task = {
  id: string;
  status: (typeof STATUSES)[number];
  /** For the user; empty where it says nothing. */
  message: string;
  /** Milliseconds until it is asked for the next time. */
  pollMs: number;
  /** What came of it; before 2026-07-28 `tasks/result` has that, and what the server asks of the user. */
  result?: Raw;
  error?: Raw;
  inputRequests?: Raw;
};

const MOST_ID = 1_000;
/** Characters of what a server says of a call that works: it is drawn on one line. */
export const MOST_MESSAGE = 1_000;
const POLL_MS = { least: 200, most: 60 * 60_000, else: 2_000 };

/** The task in a server's answer to a call; undefined when the answer is the call's result. @throws SdkError when it is no whole one */
export function taskIn(answer: Raw): Task | undefined {
  if (answer['resultType'] === 'task') return readTask(answer);
  return 'content' in answer || !isRecord(answer['task']) ? undefined : readTask(answer['task']);
}

/** @throws SdkError when it is no task */
export function readTask(raw: Raw): Task {
  const { taskId, result, error, inputRequests } = raw;
  const status = STATUSES.find((each) => each === raw['status']);
  if (!isText(taskId) || taskId === '' || taskId.length > MOST_ID || !status)
    throw new SdkError(SdkErrorCode.InvalidResult, 'A task needs an id and a status.');
  return {
    id: taskId,
    status,
    message: cut(raw['statusMessage'], MOST_MESSAGE),
    pollMs: pollTime(raw['pollIntervalMs'] ?? raw['pollInterval']),
    ...(isRecord(result) && { result }),
    ...(isRecord(error) && { error }),
    ...(isRecord(inputRequests) && { inputRequests }),
  };
}

function pollTime(wanted: unknown): number {
  if (typeof wanted !== 'number' || !Number.isFinite(wanted)) return POLL_MS.else;
  return Math.min(Math.max(wanted, POLL_MS.least), POLL_MS.most);
}
