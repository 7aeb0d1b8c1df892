import { signal, type ReadonlySignal } from '@preact/signals';
import type { ChatChoice, Conversation } from '../../types/conversation.ts';
import type { AttachmentSummary } from '../../types/attachment.ts';
import type { UserMessage } from '../../types/message.ts';
import type { Starting } from '../composer/starting.ts';
import type { Undos } from '../history/undos.ts';
import type { ConversationView } from './conversation-view.ts';

/** A message of the user's that is being written anew. `kept`: those of its attachments that go with it again. */
export type Editing = { messageId: string; text: string; kept: AttachmentSummary[] };

type Deps = {
  view: Pick<ConversationView, 'chat' | 'conversationId' | 'command'>;
  startRun: Starting['startRun'];
  live: ReadonlySignal<boolean>;
  undos: Undos;
  show: (conversation: Conversation) => void;
  newId: () => string;
};

/** What the user does with single messages. */
export function createMessageActions(deps: Deps) {
  const { view, live, undos, newId } = deps;
  const { chat, conversationId, command } = view;
  const editing = signal<Editing | null>(null);
  let branching = false;
  /** What was sent and not accepted is sent again under the same ids, since it may have arrived. */
  let attempt: { of: Editing; id: string; runId: string } | null = null;

  function edit({ id, content, attachments = [] }: UserMessage): void {
    if (!live.value) editing.value = { messageId: id, text: content, kept: attachments };
  }

  async function sendEdit(): Promise<void> {
    const now = editing.value;
    const id = conversationId.value;
    if (!now || id === null || live.value || (now.text.trim() === '' && now.kept.length === 0)) return;
    if (attempt?.of !== now) attempt = { of: now, id: newId(), runId: newId() };
    const { messageId, text, kept } = now;
    const replaces = { messageId, kept: kept.map((each) => each.id) };
    const message = { id: attempt.id, text: text.trim(), replaces };
    const taken = await deps.startRun({ conversationId: id, runId: attempt.runId, message });
    if (taken && editing.value === now) editing.value = null;
  }

  return {
    editing: editing as ReadonlySignal<Editing | null>,
    edit,
    /** What is being written anew is this now. */
    rewrite: (change: Partial<Omit<Editing, 'messageId'>>): void =>
      void (editing.value = editing.value && { ...editing.value, ...change }),
    cancelEdit: (): void => void (editing.value = null),
    /** Sends it in the place of the one that it was. */
    sendEdit,
    /** Writes the message that was sent last anew, unless a run is live. */
    editLast(): void {
      const last = chat.value.messages.findLast((message) => message.role === 'user');
      if (last) edit(last);
    },
    /** `choice`: by another model. */
    async regenerate(messageId: string, choice?: Pick<ChatChoice, 'providerId' | 'model'>): Promise<void> {
      await command('regenerate', { messageId, runId: newId(), ...(choice && { choice }) });
    },
    switchVersion: async (messageId: string): Promise<void> =>
      void (await command('switchVersion', { messageId })),
    /** Goes on in a new chat that holds a copy up to here. While one is being made, nothing. */
    async branch(messageId: string): Promise<void> {
      if (branching) return;
      branching = true;
      const begun = await command('forkConversation', { messageId, conversationId: newId() });
      branching = false;
      if (begun) deps.show(begun.reply);
    },
    async remove(messageId: string): Promise<void> {
      if (!(await command('deleteMessage', { messageId }))) return;
      undos.offer({ key: messageId, what: 'message' }, async () => {
        await command('restoreMessage', { messageId });
      });
    },
    forget: () => (editing.value = null),
  };
}
