import { type Commands, NEW_CHAT } from '../protocol.ts';
import { type ChatChange, withChanges } from '../types/setup.ts';
import type { Context } from './context.ts';

type Request = Parameters<Commands['setChat']>[0];

/**
 * Changes how a chat is asked, from its next message on; of `NEW_CHAT`: the chat that begins next. What is said of its
 * tools goes to what was said before, so that two pages do not undo each other's choices. The provider and
 * model chosen last are also the next new chat's. A chat that is not there is left alone.
 * @returns whether the next new chat is asked otherwise now
 */
export function setChat({ deps, lane, live }: Context, request: Request): Promise<boolean> {
  const { store } = deps;
  const { conversationId } = request;
  const change = choiceOf(request);
  return lane(conversationId, async () => {
    if (conversationId === NEW_CHAT) {
      await store.write({ newChat: change });
      return true;
    }
    const current = live.get(conversationId)?.state;
    const before = current?.conversation ?? (await store.conversation(conversationId));
    if (!before) return false;
    const { tools, ...rest } = change;
    const conversation = {
      ...before,
      ...rest,
      ...(tools && { tools: withChanges(before.tools, tools) }),
    };
    const { providerId, model } = conversation;
    const isChosen = change.model !== undefined;
    await store.write({ conversation, ...(isChosen && { newChat: { providerId, model } }) });
    if (current) current.conversation = conversation;
    deps.send(conversationId, { type: 'conversation', conversation });
    return isChosen;
  });
}

/**
 * Another provider's models have other names: without a word about the model it is that provider's first choice. No
 * provider (an assistant that names none) leaves the chat with the one it has.
 */
function choiceOf({ providerId, model, settings, tools }: Request): ChatChange {
  const keepsModel = providerId === null;
  return {
    ...(providerId !== undefined && !keepsModel && { providerId, model: null }),
    ...(model !== undefined && !keepsModel && { model }),
    ...(settings !== undefined && { settings }),
    ...(tools !== undefined && { tools }),
  };
}
