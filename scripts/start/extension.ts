import type { Page } from 'playwright-core';
import type { Commands, Reply } from '../../lib/protocol/commands.ts';
import type { ServerInput } from '../../lib/protocol/servers.ts';
import type { ProviderInput, Setup } from '../../lib/protocol/setup.ts';
import type { WireError } from '../../lib/types/error.ts';
import type { Message } from '../../lib/types/message.ts';
import type { Server } from '../../lib/types/server.ts';
import type { Provider } from '../../lib/types/provider.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import { type Failure, failureOf } from './failure.ts';

type Answer = { ok: true; reply: unknown } | { ok: false; error: WireError } | undefined;

/** Asks the extension's worker, as its own options page does. @throws Failure with the worker's error */
export async function command<K extends keyof Commands>(
  options: Page,
  name: K,
  ...[request]: Parameters<Commands[K]>
): Promise<Reply<K>> {
  const envelope = JSON.stringify({ command: name, request });
  const answer: Answer = await options.evaluate(`chrome.runtime.sendMessage(${envelope})`);
  if (answer?.ok) return answer.reply as Reply<K>;
  throw failureOf(
    answer?.error ?? {
      code: 'worker_unreachable',
      message: 'The extension’s worker did not answer.',
      retryable: true,
    },
  );
}

/** What is set up now, from the extension's event port. */
export function readSetup(options: Page): Promise<Setup> {
  return options.evaluate(`new Promise((resolve) => {
    const port = chrome.runtime.connect({ name: 'events' });
    port.onMessage.addListener((events) => {
      const told = events.find(({ type }) => type === 'setup');
      if (!told) return;
      resolve(told.setup);
      port.disconnect();
    });
    port.postMessage({ type: 'subscribe', subscription: 1, conversationId: '' });
  })`);
}

/**
 * Saves a server and has it connected.
 * @param known rows to look in for one of the same name, which is then changed instead
 * @returns why it is not connected; undefined when it is
 * @throws Failure when it was not even saved
 */
export async function addServer(
  options: Page,
  input: ServerInput,
  known: Server[] = [],
): Promise<Failure | undefined> {
  const row = known.find(({ name }) => name === input.name);
  const { id, error } = await command(options, 'addServer', { ...input, ...(row && { id: row.id }) });
  const failure = error && failureOf(error);
  if (failure && id === undefined) throw failure;
  return failure;
}

/**
 * Saves a provider and returns its id.
 * @param known rows to look in for one of the same name, which is then changed instead
 */
export async function addProvider(
  options: Page,
  input: ProviderInput,
  known: Provider[] = [],
): Promise<number> {
  const row = known.find(({ name }) => name === input.name);
  const { id } = await command(options, 'saveProvider', { ...input, ...(row && { id: row.id }) });
  return id;
}

export type StoredConversation = { messages: Message[]; toolCalls: ToolCall[] };

/** A conversation's rows as the database holds them: messages in order, calls in the order of their messages. */
export async function readConversation(options: Page, conversationId: string): Promise<StoredConversation> {
  const { messages, toolCalls }: StoredConversation =
    await options.evaluate(`new Promise((resolve, reject) => {
    const id = ${JSON.stringify(conversationId)};
    const opening = indexedDB.open('portside');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const reading = opening.result.transaction(['messages', 'toolCalls']);
      const messages = reading.objectStore('messages').index('by-place').getAll(IDBKeyRange.bound([id], [id, []]));
      const toolCalls = reading.objectStore('toolCalls').index('by-conversation').getAll(id);
      reading.oncomplete = () => {
        opening.result.close();
        resolve({ messages: messages.result, toolCalls: toolCalls.result });
      };
      reading.onerror = () => reject(reading.error);
    };
  })`);
  const place = new Map(messages.map(({ id }, index) => [id, index]));
  const placeOf = ({ messageId }: ToolCall) => place.get(messageId) ?? messages.length;
  return {
    messages,
    toolCalls: toolCalls.toSorted(
      (one, other) => placeOf(one) - placeOf(other) || one.position - other.position,
    ),
  };
}
