import { type Commands, NEW_CHAT } from '../protocol.ts';
import type { ChatChoice } from '../types/setup.ts';
import type { Context } from './context.ts';

type Request = Parameters<Commands['setChat']>[0];

/**
 * Changes how a chat is asked, from its next request on; of `NEW_CHAT`: the chat that begins next. The provider and
 * model chosen last are also the next new chat's. A chat that is not there is left alone.
 */
export async function setChat({ deps, lane, live }: Context, request: Request): Promise<void> {
  const { store } = deps;
  const { conversationId } = request;
  const change = choiceOf(request);
  await lane(conversationId, async () => {
    const newChat = await store.newChat();
    if (conversationId === NEW_CHAT) return store.write({ newChat: { ...newChat, ...change } });
    const current = live.get(conversationId)?.state;
    const before = current?.conversation ?? (await store.conversation(conversationId));
    if (!before) return undefined;
    const conversation = { ...before, ...change };
    const { providerId, model } = conversation;
    const chosen = change.model !== undefined && { newChat: { ...newChat, providerId, model } };
    await store.write({ conversation, ...chosen });
    if (current) current.conversation = conversation;
    deps.send(conversationId, { type: 'conversation', conversation });
    return undefined;
  });
}

/** Another provider's models have other names: without a word about the model it is that provider's first choice. */
function choiceOf({ providerId, model, settings }: Request): Partial<ChatChoice> {
  return {
    ...(providerId !== undefined && { providerId, model: null }),
    ...(model !== undefined && { model }),
    ...(settings !== undefined && { settings }),
  };
}
