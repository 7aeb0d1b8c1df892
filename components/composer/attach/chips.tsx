import { ChevronRight, FileText, LoaderCircle, RotateCw, TriangleAlert, X } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Adding, Attaching } from '../../../lib/state/composer/attaching.ts';
import { overBudget } from '../../../lib/state/composer/over-budget.ts';
import { choiceFor, isUnseen } from '../../../lib/state/composer/choice.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { type AttachmentSummary, isTyped } from '../../../lib/types/attachment.ts';
import type { WireError } from '../../../lib/types/error.ts';
import { usePanel } from '../../panel-context.ts';
import { Fault } from '../../ui/fault.tsx';
import { Icon } from '../../ui/icon.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { titleOf } from './attachment-words.ts';
import { kindIcon } from './kind-icon.ts';
import { focusMessage } from '../message-field.tsx';
import { PageAccess } from './page-access.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import './chips.css';
import { t } from '../../../locales/texts/panel.ts';
import { units } from '../../../locales/units.ts';
import { phrases } from '../../../locales/phrases.ts';

const AttachmentPreview = lazy((views) => views.AttachmentPreview);

/** What goes with the next message, or is on its way there. */
export function DraftChips(): JSX.Element | null {
  const { chat, attaching, setup, changedPages } = usePanel();
  const choice = choiceFor(setup.value, chat.value.conversation);
  const { attachments } = chat.value;
  const sent = changedPages.sent.value;
  const over = choice && overBudget(attachments, choice);
  const adding = attaching.adding.value;
  const failed = adding.filter(({ error }) => error !== undefined);
  const removeFailed = (): void => {
    for (const each of failed) attaching.giveUp(each);
    focusMessage();
  };
  return (
    <>
      <Chips
        attachments={attachments}
        adding={adding}
        remove={(id) => void attaching.detach(id)}
        renew={attaching.attach}
        changed={changedPages.inDraft.value}
        unseen={(attachment) => choice !== null && isUnseen(attachment, choice.traits)}
        over={over !== null}
      />
      {sent && (
        <div class="chip asks">
          <span>
            <Icon of={kindIcon(sent)} small />
            <span class="cut" dir="auto">
              {titleOf(sent)}
            </span>
          </span>
          <PageChanged page={sent} />
        </div>
      )}
      {failed.length > 1 && (
        <p>
          <button type="button" class="link small" onClick={removeFailed}>
            {t(($) => $.attachments.removeFailed)}
          </button>
        </p>
      )}
      {over && (
        <p class="chips-over small" role="status">
          <Icon of={TriangleAlert} small />{' '}
          {t(($) => $.compose.overBudget, {
            tokens: units.amount(over.tokens),
            window: units.window(over.window),
          })}
        </p>
      )}
    </>
  );
}

/** What goes or went with a message. A press on one shows exactly what is sent. */
export function Chips(props: {
  attachments: AttachmentSummary[];
  adding?: Adding[];
  remove?: (id: string) => void;
  /** Reads a resource again. */
  renew?: Attaching['attach'];
  /** Ids of pages that changed since they were read. */
  changed?: ReadonlySet<string>;
  /** Whether the model is not shown it. */
  unseen?: (attachment: AttachmentSummary) => boolean;
  /** All together are more than the model reads. */
  over?: boolean;
}): JSX.Element | null {
  const { attachments, adding = [], remove, renew, changed, unseen, over = false } = props;
  const [shown, setShown] = useState<string | null>(null);
  const previewed = attachments.find(({ id }) => id === shown);
  if (attachments.length + adding.length === 0) return null;
  return (
    <>
      <ul class="chips" aria-label={t(($) => $.attachments.list)}>
        {attachments.map((attachment) => (
          <Chip
            key={attachment.id}
            attachment={attachment}
            show={() => setShown(attachment.id)}
            {...(remove && { remove: () => remove(attachment.id) })}
            {...(renew && { renew })}
            isChanged={changed?.has(attachment.id) === true}
            unseen={unseen?.(attachment) === true}
            over={over}
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

function Chip(props: {
  attachment: AttachmentSummary;
  show: () => void;
  remove?: () => void;
  renew?: Attaching['attach'];
  isChanged: boolean;
  unseen: boolean;
  over: boolean;
}): JSX.Element {
  const { attachment, show, remove, renew, isChanged, unseen, over } = props;
  const { source, stale, tokens, share } = attachment;
  const title = titleOf(attachment);
  const warning = renew && stale;
  return (
    <li class={`chip${warning || unseen ? ' warned' : ''}${isChanged ? ' asks' : ''}`}>
      <button type="button" aria-haspopup="dialog" title={visible(phrases.source(source))} onClick={show}>
        <Icon of={warning || unseen ? TriangleAlert : kindIcon(attachment)} small />
        <span class="cut" dir="auto">
          {title}
        </span>
        {source.type === 'file' && <span class="num subtle">{phrases.file(undefined, source.size)}</span>}
        {!unseen && !isTyped(attachment) && (
          <span class={over ? 'num over' : 'num'}>
            {units.amount(tokens)}
            <span class="word">{t(($) => $.attachments.tokens)}</span>
            {over && <span class="sr">, {t(($) => $.compose.over)}</span>}
          </span>
        )}
        {share !== undefined && (
          <span class="num">{t(($) => $.attachments.share, { share: units.percent(share) })}</span>
        )}
      </button>
      {warning && source.type === 'resource' && (
        <Again title={title} press={() => void renew({ ...source, title: attachment.title })} />
      )}
      {remove && <Remove title={title} remove={remove} />}
      {isChanged && <PageChanged page={attachment} />}
      {warning && (
        <p class="chip-fault small" role="status">
          {t(($) => $.attachments.stale)} <Fault error={warning} />
        </p>
      )}
      {unseen && (
        <p class="chip-fault small" role="status">
          {t(($) => $.attachments.unseen)}
        </p>
      )}
    </li>
  );
}

/** The focus stays in the composer when this goes. */
function PageChanged({ page }: { page: AttachmentSummary }): JSX.Element {
  const { changedPages } = usePanel();
  const refresh = (): void => {
    void changedPages.refresh(page);
    focusMessage();
  };
  return (
    <p class="chip-note small muted" role="status">
      {t(($) => $.attachments.changed)}{' '}
      <button type="button" class="link small" onClick={refresh}>
        {t(($) => $.attachments.refresh)}
      </button>
    </p>
  );
}

function Again({ title, press }: { title: string; press: () => void }): JSX.Element {
  return (
    <IconButton icon={RotateCw} small label={t(($) => $.attachments.retry, { title })} onClick={press} />
  );
}

const sentence = ({ message, fix }: WireError): string => visible([message, fix].filter(Boolean).join(' '));

/** The focus stays in the composer when its chip goes. */
function Remove({ title, remove }: { title: string; remove: () => void }): JSX.Element {
  const onClick = (): void => {
    remove();
    focusMessage();
  };
  return <IconButton icon={X} small label={t(($) => $.attachments.remove, { title })} onClick={onClick} />;
}

/**
 * What is being read, or could not be: in one line, with as much of the reason as there is room for or, once a message
 * went, that it went without this. A press shows all of it, and what becomes of the message.
 */
function AddingChip({ adding }: { adding: Adding }): JSX.Element {
  const { attaching } = usePanel();
  const [open, setOpen] = useState(false);
  const title = visible(adding.title);
  const { error } = adding;
  if (adding.type === 'page' && error?.code === 'no_page_access') {
    return (
      <li class="chip asks">
        <span>
          <Icon of={FileText} small />
          <span class="cut" dir="auto">
            {title}
          </span>
          <span class="sr" role="status">
            {visible(error.message)}
          </span>
        </span>
        <Remove title={title} remove={() => attaching.giveUp(adding)} />
        {adding.isLeft && <p class="chip-note small muted">{t(($) => $.attachments.left)}</p>}
        <PageAccess page={adding} allowed={() => void attaching.retry(adding)} />
      </li>
    );
  }
  const reason = error && (adding.isLeft ? t(($) => $.attachments.left) : visible(error.message));
  return (
    <li class={error ? 'chip failed' : 'chip'}>
      {error ? (
        <button type="button" title={sentence(error)} aria-expanded={open} onClick={() => setOpen(!open)}>
          <Icon of={TriangleAlert} small />
          <span class="cut" dir="auto">
            {title}
          </span>
          <span class="why cut" aria-hidden="true">
            <span class="num word">{t(($) => $.attachments.failed)}</span> <span class="num">{reason}</span>
          </span>
          <Icon of={ChevronRight} small class="turn" />
        </button>
      ) : (
        <span>
          <Icon of={LoaderCircle} small spins />
          <span class="cut" dir="auto">
            {title}
          </span>
        </span>
      )}
      <span class="sr" role="status">
        {error ? t(($) => $.attachments.failed) : t(($) => $.attachments.adding)} {reason}
      </span>
      {error && (adding.type === 'resource' || error.retryable) && (
        <Again title={title} press={() => void attaching.retry(adding)} />
      )}
      <Remove title={title} remove={() => attaching.giveUp(adding)} />
      {error && open && (
        <p class="chip-fault small">
          <Fault error={error} /> {!adding.isLeft && t(($) => $.attachments.without)}
        </p>
      )}
    </li>
  );
}
