import { setTimeout as sleep } from 'node:timers/promises';
import type { BarePage } from '../e2e/support/bare-browser.ts';
import type { Message } from '../../lib/types/message.ts';
import type { Run } from '../../lib/types/run.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import { differenceOf, OPEN, readStored, type Stored, transcriptOf, turnsOf } from './screen.ts';

/** What is looked for; `draft`: what was sent is to be sent once more; `no answer`: the browser or a page of it gave none. */
export const violationKinds = [
  'lost',
  'doubled',
  'draft',
  'side effect',
  'results',
  'live run',
  'screen',
  'page error',
  'no answer',
] as const;

export type Violation = { kind: (typeof violationKinds)[number]; what: string };

/** From a quiet database to a screen that says the same. */
const SHOWN_MS = 20_000;
const GLANCE_MS = 40;

/** What is wrong in the database with these questions, of each of which the server carried out so many writes. */
export function wrongIn(stored: Stored, questions: { text: string; effects: number }[]): Violation[] {
  const wrong: Violation[] = [];
  for (const { text, effects } of questions) {
    const times = asking(stored, text).length;
    if (times !== 1) wrong.push({ kind: times === 0 ? 'lost' : 'doubled', what: text });
    if (times > 0 && stored.drafts.some((draft) => draft.includes(text)))
      wrong.push({ kind: 'draft', what: text });
    if (effects > 1) wrong.push({ kind: 'side effect', what: `${effects} times: ${text}` });
  }
  const own = new Set(
    questions.flatMap(({ text }) => asking(stored, text).map(({ conversationId }) => conversationId)),
  );
  for (const call of stored.toolCalls.filter(({ conversationId }) => own.has(conversationId))) {
    const results = stored.messages.filter(
      ({ role, parentId, sub }) =>
        role === 'tool' && parentId === call.messageId && sub === call.position + 1,
    );
    const run = stored.runs.find(({ id }) => id === call.runId);
    if (results.length > 1 || (results.length === 1 ? !isOver(call) : !isLeftOpen(call, run)))
      wrong.push({
        kind: 'results',
        what: `${results.length}: ${call.toolName} ${call.callId}, ${call.status}, of a run that is ${run?.reason ?? run?.status}`,
      });
  }
  return wrong;
}

const asking = ({ messages }: Stored, text: string): Message[] =>
  messages.filter(({ role, content }) => role === 'user' && content === text);

const isOver = ({ status, result }: ToolCall): boolean => result !== undefined && !OPEN.has(status);

/**
 * A run that a fault ended has calls without a result: the browser ended its worker again and again, or what came of them
 * could not be written down. Their outcome is unknown; the run says why, and the panel offers to go on.
 */
const isLeftOpen = ({ result }: ToolCall, run: Run | undefined): boolean =>
  result === undefined &&
  run?.status === 'ended' &&
  (run.reason === 'interrupted' || (run.reason === 'error' && run.error !== undefined));

/**
 * How a panel differs from the database after a while in which it may catch up; undefined when it does not.
 * @param asked the last question of the conversation that it has to show; without it, that of the first turn it shows
 */
export async function screenDiffers(
  reader: BarePage,
  panel: BarePage,
  asked?: string,
): Promise<string | undefined> {
  let difference: string | undefined;
  await until(async () => {
    const shown = await transcriptOf(panel);
    const stored = await readStored(reader);
    const about =
      asked === undefined ? stored.messages.find(({ id }) => id === shown[0]?.id) : asking(stored, asked)[0];
    const conversation = stored.conversations.find(({ id }) => id === about?.conversationId);
    difference = conversation
      ? differenceOf(shown, turnsOf(stored, conversation))
      : 'nothing that was stored is shown';
    return difference === undefined;
  }, SHOWN_MS);
  return difference;
}

export async function until(condition: () => Promise<boolean>, timeoutMs: number): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await condition()) && Date.now() < end) await sleep(GLANCE_MS);
}
