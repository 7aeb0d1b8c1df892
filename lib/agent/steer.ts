import type { Message } from '../types/message.ts';
import type { RunContext } from './run-context.ts';
import { leafOf, userMessage } from './context/history.ts';

/** Slips in what the user said in the meantime. @returns the history with it */
export async function applySteers({ input, deps, emit }: RunContext, history: Message[]): Promise<Message[]> {
  for (const said of await deps.takeSteers()) {
    const timestamp = new Date(deps.now()).toISOString();
    const message = userMessage(input.conversationId, leafOf(history), said, timestamp);
    await emit({ type: 'steered', message });
    history = [...history, message];
  }
  return history;
}
