import { NEW_CHAT, OWN_CALLS } from '../protocol/chats.ts';
import type { Conversation, ConversationState } from '../types/conversation.ts';
import { type Context, liveRun, requestsOf } from './context.ts';
import type { RunState } from './live-run.ts';

const waitingCalls = ({ open }: RunState): number =>
  [...open.values()].filter(({ wait }) => wait !== undefined).length;

const waitingForApps = ({ appCalls }: Context, conversationId?: string): number =>
  [...appCalls.values()].filter(
    ({ call }) =>
      call.wait !== undefined && (conversationId === undefined || call.conversationId === conversationId),
  ).length;

/** What goes on in a conversation: a run, or a wait for the user beside which more may go on. */
export function stateOf(context: Context, conversationId: string): 'running' | 'waiting' | undefined {
  if (requestsOf(context, conversationId).length + waitingForApps(context, conversationId) > 0)
    return 'waiting';
  const live = liveRun(context, conversationId);
  return live && (waitingCalls(live.state) > 0 ? 'waiting' : 'running');
}

/** The conversation that waits for the user, of several the one that was used last. */
export function waitingConversation(context: Context): string | undefined {
  const asked = [...context.requests.values()].map(({ conversationId }) => conversationId);
  const inChats = asked.filter((id) => id !== NEW_CHAT && id !== OWN_CALLS);
  const byApps = [...context.appCalls.values()].map(({ call }) => call.conversationId);
  const known = new Set([...context.live.keys(), ...inChats, ...byApps]);
  const waiting = [...known].filter((id) => stateOf(context, id) === 'waiting');
  const usedAt = (id: string) => context.live.get(id)?.state.conversation.updatedAt ?? '';
  return waiting.toSorted((a, b) => usedAt(b).localeCompare(usedAt(a)))[0];
}

/** Tells how much waits for the user in all conversations, calls and servers' requests, and what goes on in each. */
export function createWaiting(context: Context) {
  const { deps, live, requests } = context;
  let toldCount: number | undefined;
  const toldStates = new Map<string, ConversationState>();
  const counted = () =>
    [...live.values()].reduce(
      (sum, { state }) => sum + waitingCalls(state),
      requests.size + waitingForApps(context),
    );
  const tell = (count = counted()) => deps.waiting((toldCount = count));

  function tellState({ id, failed }: Pick<Conversation, 'id' | 'failed'>): void {
    const state = stateOf(context, id) ?? (failed && 'failed');
    if (state === toldStates.get(id)) return;
    if (state) toldStates.set(id, state);
    else toldStates.delete(id);
    deps.sendToAll({ type: 'conversation_state', conversationId: id, state: state ?? null });
  }

  return {
    tell: () => tell(),
    /** Something changed in what goes on in a conversation. Says nothing when it comes to the same. */
    changed(conversation: Pick<Conversation, 'id' | 'failed'>): void {
      const count = counted();
      if (count !== toldCount) tell(count);
      tellState(conversation);
    },
  };
}
