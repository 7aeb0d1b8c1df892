import { unanswered } from '../../agent/context/history.ts';
import type { AssistantMessage, Message } from '../../types/message.ts';
import { callIdOf, resultIdOf, type ToolCall } from '../../types/tools/tool-call.ts';
import type { RunStore } from '../../storage/chats/run-store.ts';

/**
 * A branch up to the end of the answer that a message belongs to. A step that has not come to its end is not part of
 * it: nothing is executed twice.
 */
export function answeredUpTo(branch: Message[], messageId: string): Message[] {
  const at = branch.findIndex(({ id }) => id === messageId);
  const next = branch.findIndex(({ role }, index) => index > at && role === 'user');
  const upTo = next === -1 ? branch : branch.slice(0, next);
  const open = upTo.findIndex((message) => message.role === 'assistant' && isOpen(message, upTo));
  return open === -1 ? upTo : upTo.slice(0, open);
}

function isOpen(message: AssistantMessage, branch: Message[]): boolean {
  if (message.status === 'streaming') return true;
  return message.status === 'complete' && unanswered(message, branch).length > 0;
}

/** A text with these ids in place of those, each where it stands as a word of its own. */
export function renamedIn(text: string, ids: ReadonlyMap<string, string>): string {
  return text.replaceAll(/[\w.-]+/g, (word) => ids.get(word) ?? word);
}

/** Copies of messages and of their calls' rows for another conversation, under ids of their own. */
export async function copyBranch(
  { calls: callsOf }: Pick<RunStore, 'calls'>,
  branch: Message[],
  conversationId: string,
  newId: () => string,
): Promise<{ messages: Message[]; calls: ToolCall[] }> {
  const calls = await callsOf(branch);
  const ids = new Map(branch.filter(({ role }) => role !== 'tool').map(({ id }) => [id, newId()]));
  const newOf = (id: string): string => ids.get(id) ?? id;
  const newCallOf = ({ messageId, position }: Pick<ToolCall, 'messageId' | 'position'>): string =>
    callIdOf(newOf(messageId), position);
  /** A result that was cut names its call, and so does a call that reads on in it. */
  const callIds = new Map(calls.map((call) => [call.callId, newCallOf(call)]));
  const renamed = (text: string): string => renamedIn(text, callIds);

  const messages = branch.map((message): Message => {
    const parentId = message.parentId === null ? null : newOf(message.parentId);
    const place = { conversationId, parentId };
    if (message.role === 'tool') {
      const id = resultIdOf(callIdOf(parentId ?? '', message.sub - 1));
      return { ...message, ...place, id, content: renamed(message.content) };
    }
    const copy = { ...message, ...place, id: newOf(message.id) };
    if (copy.role === 'user' && copy.attachments)
      copy.attachments = copy.attachments.map((each) => ({ ...each, id: newId() }));
    if (copy.role === 'assistant' && copy.tool_calls)
      copy.tool_calls = copy.tool_calls.map((each) => ({ ...each, arguments: renamed(each.arguments) }));
    if (copy.role === 'summary' && copy.keepsFrom !== null) copy.keepsFrom = newOf(copy.keepsFrom);
    return copy;
  });
  const rows = calls.map((call) => ({
    ...call,
    callId: newCallOf(call),
    conversationId,
    messageId: newOf(call.messageId),
    arguments: renamed(call.arguments),
    ...(call.ofApp !== undefined && { ofApp: renamed(call.ofApp) }),
  }));
  return { messages, calls: rows };
}
