import { costOf } from '../../../lib/agent/context/cost.ts';
import { createFence } from '../../../lib/agent/context/fence.ts';
import { titleFrom, titleRequest } from '../../../lib/agent/title.ts';
import type { Runs } from '../../../lib/runs/runs.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { nonceOf } from '../../../lib/storage/chats/nonce.ts';
import { loadBranch } from '../../../lib/storage/chats/messages.ts';
import { loadSettings } from '../../../lib/storage/configuration/settings.ts';
import { type Message, withUsage } from '../../../lib/types/message.ts';
import type { ModelTurn, Price } from '../../../lib/types/model.ts';
import type { Conversation } from '../../../lib/types/conversation.ts';
import type { ChatModel } from '../models/chat-model.ts';

const TIMEOUT_MS = 60_000;
/** A chat that stayed without a title for longer keeps the beginning of its first message. */
const FIRST_ANSWERS = 3;
const FIRST_MESSAGES = 50;

export type TitlesDeps = {
  runs: Pick<Runs, 'change' | 'isBusyBeside'>;
  modelOf: (
    conversation: Conversation,
  ) => Promise<Pick<ChatModel, 'model' | 'price' | 'reasons' | 'isLocal'>>;
  /** Keeps the worker alive meanwhile. */
  during: (job: () => Promise<void>) => Promise<void>;
};

/** Has a chat's model write its title once its first answer stands. Whatever fails, the chat keeps the title it has. */
export function createTitles(db: Database, { runs, modelOf, during }: TitlesDeps) {
  /** Chats whose model was asked in this life of the worker: one that writes none is not asked after every answer. */
  const asked = new Set<string>();
  let last: Promise<void> = Promise.resolve();

  /** A run of the conversation came to its proper end. One title is written after the other. */
  function answered(conversation: Conversation): void {
    if (conversation.titledBy !== undefined) return;
    last = last.then(() => during(() => title(conversation))).catch(report);
  }

  async function title({ id, leafId }: Conversation): Promise<void> {
    const conversation = await db.get('conversations', id);
    if (!conversation || conversation.titledBy !== undefined || asked.has(id)) return;
    if (!(await loadSettings(db)).makeTitles) return;
    const { messages, hasOlder } = await loadBranch(db, leafId, FIRST_MESSAGES);
    const exchange = firstExchange(messages);
    if (hasOlder || !exchange) return;
    const { model, price, reasons, isLocal } = await modelOf(conversation);
    if (isLocal && runs.isBusyBeside(id)) return; // it does one thing at a time, and the chat there goes first
    asked.add(id);
    const request = titleRequest(id, exchange, reasons, createFence(await nonceOf(db, id)));
    const turn = await lastTurn(model(request, AbortSignal.timeout(TIMEOUT_MS)));
    if (turn) await take(id, turn, price);
  }

  /** Unless the user found a title in the meantime. What it cost is counted all the same. */
  async function take(id: string, { content, finish, usage }: ModelTurn, price?: Price): Promise<void> {
    const written = finish === 'stop' ? titleFrom(content) : undefined;
    await runs.change(id, (before) => {
      const total = withUsage(before.usage, { ...(usage && { usage }), ...costOf(usage, price) });
      const isWanted = written !== undefined && before.titledBy === undefined;
      return {
        ...before,
        ...(total && { usage: total }),
        ...(isWanted && { title: written, titledBy: 'model' }),
      };
    });
  }

  return { answered };
}

/** What the chat began with: the user's first message and the whole answer to it. */
function firstExchange(messages: Message[]): { question: string; answer: string } | undefined {
  const answers = messages.filter(
    (message) => message.role === 'assistant' && message.status === 'complete' && !message.tool_calls,
  );
  const [question] = messages;
  const [answer] = answers;
  if (question?.role !== 'user' || !answer || answers.length > FIRST_ANSWERS) return undefined;
  const attached = question.attachments?.map(({ title }) => title) ?? [];
  return { question: [question.content, ...attached].join('\n'), answer: answer.content };
}

async function lastTurn(events: ReturnType<ChatModel['model']>): Promise<ModelTurn | undefined> {
  for await (const event of events) {
    if (event.type === 'end') return event.turn;
    if (event.type === 'error') console.info('The model wrote no title.', event.error.message);
  }
  return undefined;
}

function report(error: unknown): void {
  console.info('A chat keeps the title that it has.', error);
}
