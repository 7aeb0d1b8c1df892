import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { toWire } from '../../../lib/errors.ts';
import type { Reply } from '../../../lib/protocol/commands.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { type AttachmentSummary, isTyped } from '../../../lib/types/attachment.ts';
import type { WireError } from '../../../lib/types/error.ts';
import { usePanel } from '../../panel-context.ts';
import { Raw } from '../../chat/message/raw.tsx';
import { FaultLine } from '../../ui/fault.tsx';
import { Modal } from '../../ui/overlay/modal.tsx';
import { Picture } from '../../ui/picture.tsx';
import { titleOf } from './attachment-words.ts';
import './attachment-preview.css';
import { t } from '../../../locales/texts/panel.ts';
import { units } from '../../../locales/units.ts';
import { phrases } from '../../../locales/phrases.ts';

type Content = Reply<'previewAttachment'>;

/** Exactly what the model gets of an attachment. */
export function AttachmentPreview(props: { attachment: AttachmentSummary; close: () => void }): JSX.Element {
  const { attachment, close } = props;
  const { id, source, tokens, share } = attachment;
  const { attaching } = usePanel();
  const [content, setContent] = useState<Content | 'loading'>('loading');
  const [error, setError] = useState<WireError | null>(null);
  useEffect(() => {
    let current = true;
    attaching.preview(id).then(
      (got) => current && setContent(got),
      (failure: unknown) => current && setError(toWire(failure)),
    );
    return () => {
      current = false;
    };
    // Its price changes when it was read again.
  }, [attaching, id, tokens]);
  return (
    <Modal
      title={t(($) => $.attachments.preview, { title: titleOf(attachment) })}
      closeName={t(($) => $.attachments.close)}
      close={close}
    >
      <div class="preview" tabIndex={0}>
        <p class="small subtle preview-from">{visible(phrases.source(source))}</p>
        {error && <FaultLine error={error} />}
        {content === null && <p class="subtle">{t(($) => $.attachments.gone)}</p>}
        {content !== null && content !== 'loading' && (
          <Sent
            content={content}
            {...(!isTyped(attachment) && { tokens })}
            {...(share !== undefined && { share })}
          />
        )}
      </div>
    </Modal>
  );
}

/** The text and the pictures, as the model gets them. @param props `tokens`: absent where the message itself has the text */
export function Sent(props: { content: NonNullable<Content>; tokens?: number; share?: number }): JSX.Element {
  const { content, tokens, share } = props;
  const { text, pictures } = content;
  return (
    <>
      <p class="help">
        {tokens === undefined
          ? t(($) => $.attachments.typed)
          : t(($) => $.attachments.sentAs, { tokens: units.amount(tokens) })}
        {share !== undefined && ` ${t(($) => $.attachments.cut, { share: units.percent(share) })}`}
      </p>
      <Raw text={visible(text)} />
      {pictures.map((picture, position) => (
        <Picture key={position} {...picture} />
      ))}
    </>
  );
}
