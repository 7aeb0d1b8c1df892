import type { AssistantMessage, Message, ModelTurn, RunEvent, WireError } from '../types.ts';
import { placeAfter } from './history.ts';
import type { AgentDeps, Prepared, RunInput } from './deps.ts';

/** A turn as it ended: with the message that is now part of the history, with an error, or with both. */
export type TurnEnd = { message?: AssistantMessage; error?: WireError };

/**
 * Asks the model once and streams what it says. A turn that breaks keeps what was said as a `partial` message, without
 * its calls: they may be half of what the model meant.
 */
export async function* streamTurn(
  input: RunInput,
  history: Message[],
  messageId: string,
  prepared: Prepared,
  deps: AgentDeps,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, TurnEnd> {
  const request = {
    messages: history,
    tools: prepared.tools,
    ...(prepared.system !== undefined && { system: prepared.system }),
  };
  let content = '';
  let reasoning = '';
  const finish = (parts: Partial<AssistantMessage>): AssistantMessage => ({
    ...placeAfter(history.findLast(({ role }) => role !== 'tool')),
    id: messageId,
    conversationId: input.conversationId,
    runId: input.runId,
    timestamp: new Date(deps.now()).toISOString(),
    role: 'assistant',
    status: 'complete',
    content,
    ...(reasoning !== '' && { reasoning }),
    ...parts,
  });

  for await (const event of prepared.model(request, signal)) {
    if (event.type === 'text') {
      content += event.text;
      yield { type: 'text_delta', messageId, text: event.text };
    } else if (event.type === 'reasoning') {
      reasoning += event.text;
      yield { type: 'reasoning_delta', messageId, text: event.text };
    } else if (event.type === 'call') {
      const { position, name, arguments: text } = event;
      yield { type: 'call_delta', messageId, position, name, arguments: text };
    } else if (event.type === 'end') {
      const message = finish(whole(event.turn));
      yield { type: 'message_end', message };
      return { message };
    } else {
      if (content === '' && reasoning === '') return { error: event.error };
      const message = finish({ status: 'partial' });
      yield { type: 'message_end', message };
      return { message, error: event.error };
    }
  }
  throw new Error('The model’s stream ended without a word about how.');
}

function whole(turn: ModelTurn): Partial<AssistantMessage> {
  return {
    content: turn.content,
    ...(turn.reasoning !== undefined && { reasoning: turn.reasoning }),
    ...(turn.toolCalls.length > 0 && { tool_calls: turn.toolCalls }),
    ...(turn.usage !== undefined && { usage: turn.usage }),
    ...(turn.raw !== undefined && { raw: turn.raw }),
    ...(turn.finish !== 'stop' && { finish: turn.finish }),
  };
}
