import { FileText, LoaderCircle, RotateCw, TriangleAlert, X } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { en } from '../../locales/en.ts';
import type { Adding } from '../../lib/state/attaching.ts';
import { visible } from '../../lib/state/shown-text.ts';
import type { AttachmentSummary } from '../../lib/types/attachment.ts';
import { usePanel } from '../panel-context.ts';
import { Fault } from '../ui/fault.tsx';
import { Icon } from '../ui/icon.tsx';
import { AttachmentPreview } from './attachment-preview.tsx';
import './chips.css';

/** What goes with the next message, or is on its way there. */
export function DraftChips(): JSX.Element | null {
  const { chat, attaching } = usePanel();
  return (
    <Chips
      attachments={chat.value.attachments}
      adding={attaching.adding.value}
      remove={(id) => void attaching.detach(id)}
    />
  );
}

/** What goes or went with a message. A press on one shows exactly what is sent. */
export function Chips(props: {
  attachments: AttachmentSummary[];
  adding?: Adding[];
  remove?: (id: string) => void;
}): JSX.Element | null {
  const { attachments, adding = [], remove } = props;
  const [shown, setShown] = useState<string | null>(null);
  const previewed = attachments.find(({ id }) => id === shown);
  if (attachments.length + adding.length === 0) return null;
  return (
    <>
      <ul class="chips" aria-label={en.attachments.list}>
        {attachments.map((attachment) => (
          <Chip
            key={attachment.id}
            attachment={attachment}
            show={() => setShown(attachment.id)}
            {...(remove && { remove: () => remove(attachment.id) })}
          />
        ))}
        {adding.map((each) => (
          <AddingChip key={each.key} adding={each} />
        ))}
      </ul>
      {previewed && <AttachmentPreview attachment={previewed} close={() => setShown(null)} />}
    </>
  );
}

function Chip(props: { attachment: AttachmentSummary; show: () => void; remove?: () => void }): JSX.Element {
  const { attachment, show, remove } = props;
  const title = visible(attachment.title);
  return (
    <li class="chip">
      <button type="button" aria-haspopup="dialog" title={visible(attachment.source.uri)} onClick={show}>
        <Icon of={FileText} small />
        <span class="cut">{title}</span>
        <span class="num">
          {en.amount(attachment.tokens)}
          <span class="sr">{en.attachments.tokens}</span>
        </span>
      </button>
      {remove && <Remove title={title} remove={remove} />}
    </li>
  );
}

/** The focus stays in the composer when its chip goes. */
function Remove({ title, remove }: { title: string; remove: () => void }): JSX.Element {
  const onClick = (): void => {
    remove();
    document.querySelector<HTMLElement>('.composer textarea')?.focus();
  };
  return (
    <button type="button" class="icon-btn" aria-label={en.attachments.remove(title)} onClick={onClick}>
      <Icon of={X} small />
    </button>
  );
}

function AddingChip({ adding }: { adding: Adding }): JSX.Element {
  const { attaching } = usePanel();
  const title = visible(adding.title);
  const { error } = adding;
  return (
    <li class={error ? 'chip failed' : 'chip'}>
      <span title={error ? [error.message, error.fix].filter(Boolean).join(' ') : undefined}>
        <Icon of={error ? TriangleAlert : LoaderCircle} small {...(!error && { class: 'spin' })} />
        <span class="cut">{title}</span>
        <span class="num" role="status">
          {error ? en.attachments.failed : <span class="sr">{en.attachments.adding}</span>}
          {error && <span class="sr">: {error.message}</span>}
        </span>
      </span>
      {error && (
        <button
          type="button"
          class="icon-btn"
          aria-label={en.attachments.retry(title)}
          onClick={() => void attaching.retry(adding)}
        >
          <Icon of={RotateCw} small />
        </button>
      )}
      <Remove title={title} remove={() => attaching.giveUp(adding)} />
      {error && (
        <p class="chip-fault small">
          <Fault error={error} />
        </p>
      )}
    </li>
  );
}
