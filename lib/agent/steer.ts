import type { Message, UserMessage } from '../types/message.ts';
import type { RunContext } from './context.ts';
import { leafOf, placeAfter } from './history.ts';

/** Slips in what the person said in the meantime. @returns the history with it */
export async function steered({ input, deps, emit }: RunContext, history: Message[]): Promise<Message[]> {
  const { conversationId } = input;
  for (const { id, text, attachments } of await deps.takeSteers()) {
    const place = placeAfter(leafOf(history));
    const timestamp = new Date(deps.now()).toISOString();
    const base = { ...place, id, conversationId, timestamp, status: 'complete' } as const;
    const message: UserMessage = {
      ...base,
      role: 'user',
      content: text,
      ...(attachments && { attachments }),
    };
    await emit({ type: 'steered', message });
    history = [...history, message];
  }
  return history;
}
