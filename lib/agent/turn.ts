import type { WireError } from '../types/error.ts';
import type { AssistantMessage, Message, Sources } from '../types/message.ts';
import type { ModelTurn } from '../types/model.ts';
import type { Prepared, ReadyContext, RunContext } from './deps.ts';
import { costOf } from './context/cost.ts';
import { fitResults } from './context/fit-results.ts';
import { forModel } from './context/for-model.ts';
import { leafOf, newAnswer } from './context/history.ts';
import { offer } from './offer.ts';
import { t } from '../../locales/texts/errors.ts';

/** A turn as it ended: with the message that it became, with an error, or with both. */
export type TurnEnd = { message?: AssistantMessage; error?: WireError };

/**
 * Asks the model once and streams what it says. A turn that breaks leaves what was said as a `partial` message, without
 * its calls: they may be half of what the model meant. A model that gets no tools does one pass: what it says is the
 * answer, and calls that it makes all the same are left out of it.
 * @param halves how many times the newest results are halved (`fitResults`)
 */
export async function streamTurn(
  context: ReadyContext,
  history: Message[],
  messageId: string,
  halves = 0,
): Promise<TurnEnd> {
  const { prepared, deps, signal, emit } = context;
  const askedAt = deps.now();
  let firstAt: number | undefined;
  let reasonedFrom: number | undefined;
  let reasonedTo: number | undefined;
  let content = '';
  let reasoning = '';
  const become = (parts: Partial<AssistantMessage>): AssistantMessage => {
    const now = deps.now();
    const timing = {
      firstTokenMs: (firstAt ?? now) - askedAt,
      ...(reasonedFrom !== undefined && { reasoningMs: (reasonedTo ?? now) - reasonedFrom }),
    };
    return { ...emptyAnswer(context, history, messageId, now), content, timing, ...parts };
  };

  const request = {
    messages: forModel(fitResults(history, prepared.contextWindow, halves), prepared.fence),
    tools: offer(prepared, history),
    ...(prepared.system !== undefined && { system: prepared.system }),
  };
  for await (const event of prepared.model(request, signal)) {
    if (event.type === 'end') return toTurnEnd(event.turn, become, context);
    if (event.type === 'error') {
      if (content === '' && reasoning === '') return { error: event.error };
      const parts = { status: 'partial' as const, ...(reasoning !== '' && { reasoning }) };
      return { message: become(parts), error: event.error };
    }
    firstAt ??= deps.now();
    if (event.type === 'reasoning') reasonedFrom ??= deps.now();
    else if (reasonedFrom !== undefined) reasonedTo ??= deps.now();
    if (event.type === 'text') {
      content += event.text;
      await emit({ type: 'text_delta', messageId, text: event.text });
    } else if (event.type === 'reasoning') {
      reasoning += event.text;
      await emit({ type: 'reasoning_delta', messageId, text: event.text });
    } else if (prepared.callsTools) {
      const { position, name, arguments: text } = event;
      await emit({ type: 'call_delta', messageId, position, name, arguments: text });
    }
  }
  throw new Error('The model’s stream ended without a word about how.');
}

/** The message that a request is to become, still without a word. */
export function emptyAnswer(
  { input, prepared }: RunContext & Partial<ReadyContext>,
  history: Message[],
  id: string,
  at: number,
): AssistantMessage {
  return {
    ...newAnswer(input, leafOf(history), id, new Date(at).toISOString()),
    status: 'complete',
    ...(prepared && { model: prepared.modelName, ...sourcesIn(prepared) }),
  };
}

/** Whose words, besides those of the chat, are in a request. */
export function sourcesIn({ tools, instructedBy: given = [], notesFrom }: Prepared): Sources {
  // What an app says of its tools are its server's words.
  const ofApps = tools.flatMap(({ ofApp, serverId, serverName: name }) =>
    ofApp === undefined || serverId === null ? [] : [{ serverId, name }],
  );
  const instructedBy = [...new Map([...given, ...ofApps].map((each) => [each.serverId, each])).values()];
  const offeredBy = [...new Set(tools.flatMap(({ page }) => page?.site ?? []))];
  return {
    ...(instructedBy.length > 0 && { instructedBy }),
    ...(notesFrom && { notesFrom }),
    ...(offeredBy.length > 0 && { offeredBy }),
  };
}

function toTurnEnd(
  turn: ModelTurn,
  become: (parts: Partial<AssistantMessage>) => AssistantMessage,
  { prepared }: ReadyContext,
): TurnEnd {
  const calls = prepared.callsTools ? turn.toolCalls : [];
  if (calls.length < turn.toolCalls.length && turn.content.trim() === '') return { error: onlyCalled() };
  const message = become({
    content: turn.content,
    ...(turn.reasoning !== undefined && { reasoning: turn.reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(turn.usage !== undefined && { usage: turn.usage }),
    ...(turn.raw !== undefined && { raw: turn.raw }),
    ...(turn.cited !== undefined && { cited: turn.cited }),
    ...(turn.notes !== undefined && { notes: turn.notes }),
    ...(turn.finish !== 'stop' && { finish: turn.finish }),
    ...costOf(turn.usage, prepared.price),
  });
  return { message };
}

const onlyCalled = (): WireError => ({
  code: 'model_only_called',
  ...t(($) => $.errors.chat.onlyCalled),
  retryable: false,
});
