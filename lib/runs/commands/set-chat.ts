import { NEW_CHAT } from '../../protocol/chats.ts';
import type { Request } from '../../protocol/commands.ts';
import { type ChatChange, type Conversation, withChanges } from '../../types/conversation.ts';
import { changeConversation } from './change-conversation.ts';
import type { Context } from '../context.ts';

/**
 * Changes how a chat is asked, from its next message on; of `NEW_CHAT`: the chat that begins next. What is said of its
 * tools goes to what was said before, so that two pages do not undo each other's choices. The provider and
 * model chosen last are also the next new chat's. A chat that is not there is left alone.
 * @returns whether the next new chat is asked otherwise now
 */
export async function setChat(context: Context, request: Request<'setChat'>): Promise<boolean> {
  const { deps, lane } = context;
  const { conversationId } = request;
  const { tools, ...change } = choiceOf(request);
  if (conversationId === NEW_CHAT) {
    await lane(NEW_CHAT, () => deps.store.write({ newChat: { ...change, ...(tools && { tools }) } }));
    return true;
  }
  const isChosen = change.model !== undefined;
  const changed = await changeConversation(
    context,
    conversationId,
    (before) => ({
      ...ownedBy(change, before),
      ...change,
      ...(tools && { tools: withChanges(before.tools, tools) }),
    }),
    ({ providerId, model }) => (isChosen ? { newChat: { providerId, model } } : {}),
  );
  return isChosen && changed !== undefined;
}

/** A system prompt that the user changes is theirs from then on. */
function ownedBy({ settings }: ChatChange, { systemFromFile, ...before }: Conversation): Conversation {
  const isChanged = settings !== undefined && settings.system !== before.settings.system;
  return { ...before, ...(systemFromFile && !isChanged && { systemFromFile }) };
}

/**
 * Another provider's models have other names: without a word about the model it is that provider's first choice. No
 * provider (an assistant that names none) leaves the chat with the one it has.
 */
function choiceOf({ providerId, model, settings, tools, project }: Request<'setChat'>): ChatChange {
  const keepsModel = providerId === null;
  return {
    ...(providerId !== undefined && !keepsModel && { providerId, model: null }),
    ...(model !== undefined && !keepsModel && { model }),
    ...(settings !== undefined && { settings }),
    ...(tools !== undefined && { tools }),
    ...(project !== undefined && { project }),
  };
}
