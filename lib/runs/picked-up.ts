import type { RunStore } from '../storage/chats/run-store.ts';
import type { AssistantMessage } from '../types/message.ts';
import type { Run } from '../types/run.ts';
import { saysSomething } from './commands/answer.ts';

/**
 * The answer in whose middle the run was when its worker died, in its text or between its calls, and when it is picked
 * up; undefined where there is nothing that a user saw break off.
 * @param at ISO 8601
 */
export async function pickedUp(store: RunStore, run: Run, at: string): Promise<AssistantMessage | undefined> {
  const broken = await store.streaming(run);
  if (broken) return saysSomething(broken) ? { ...broken, pickedUpAt: at } : undefined;
  const leaf = run.leafId === null ? undefined : await store.message(run.leafId);
  if (leaf?.role !== 'assistant' || leaf.status !== 'complete') return undefined;
  const isOpen = (await store.calls([leaf])).some(({ result }) => result === undefined);
  return isOpen ? { ...leaf, pickedUpAt: at } : undefined;
}
