import { useComputed } from '@preact/signals';
import { Pencil } from 'lucide';
import type { JSX } from 'preact';
import type { UserMessage } from '../../../lib/types/message.ts';
import { queuedRuns } from '../../../lib/state/chat/run-status.ts';
import { usePanel } from '../../panel-context.ts';
import { CHORDS } from '../../ui/keys/chords.ts';
import { lazy } from '../../ui/lazy.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { memo } from '../../ui/memo.tsx';
import { useBeginning } from './beginning.tsx';
import { Action, BranchAction, CopyAction, DeleteAction } from './message-actions.tsx';
import { Versions } from './versions.tsx';
import './message-foot.css';
import { t } from '../../../locales/texts/panel.ts';

const Chips = lazy((views) => views.Chips);
const EditMessage = lazy((views) => views.EditMessage);

/** A message of the user's, or the field in which it is written anew. */
export function You({ message }: { message: UserMessage }): JSX.Element {
  const { messages } = usePanel();
  const editing = messages.editing.value;
  return (
    <article class="msg you" aria-label={t(($) => $.chat.you)} data-turn={message.id}>
      {editing?.messageId === message.id ? <EditMessage editing={editing} /> : <Said message={message} />}
    </article>
  );
}

const Said = memo(({ message }: { message: UserMessage }) => {
  const { id, content, attachments } = message;
  const { shown, more } = useBeginning(content);
  const { chat, messages } = usePanel();
  // In an empty field the key edits the last message.
  const editKeys = useComputed(() => {
    const last = chat.value.messages.findLast(({ role }) => role === 'user');
    return last?.id === id && queuedRuns(chat.value).length === 0 ? CHORDS.edit : null;
  });
  return (
    <>
      <div class="bubble">
        {content !== '' && (
          <p class="plain" dir="auto">
            <LongText text={shown} />
          </p>
        )}
        {more}
        {attachments && <Chips attachments={attachments} />}
      </div>
      <footer class="msg-foot quiet">
        <CopyAction text={() => content} />
        <Action
          icon={Pencil}
          name={t(($) => $.actions.edit)}
          keys={editKeys}
          notLive
          act={() => messages.edit(message)}
        />
        <BranchAction messageId={id} />
        <DeleteAction messageId={id} />
        <Versions messageId={id} />
      </footer>
    </>
  );
});
