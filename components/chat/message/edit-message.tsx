import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Editing } from '../../../lib/state/chat/message-actions.ts';
import { Chips } from '../../composer/attach/chips.tsx';
import { enterDoes } from '../../composer/enter-key.ts';
import { usePanel } from '../../panel-context.ts';
import { GrowingArea } from '../../ui/growing-area.tsx';
import { useLayer } from '../../ui/overlay/layers.ts';
import './edit-message.css';
import { t } from '../../../locales/texts/panel.ts';

const USUAL = { enterSends: true, whileLive: 'queue' } as const;

/** A message that was sent, written anew in its place. */
export function EditMessage({ editing }: { editing: Editing }): JSX.Element {
  const panel = usePanel();
  const { messages } = panel;
  const form = useRef<HTMLFormElement>(null);
  const cancel = (): void => {
    messages.cancelEdit();
    document.querySelector<HTMLElement>('.composer textarea')?.focus();
  };
  useLayer(true, cancel);
  useLayoutEffect(() => {
    const field = form.current?.querySelector('textarea');
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }, []);
  const { text, kept } = editing;
  const ready = (text.trim() !== '' || kept.length > 0) && !panel.live.value;
  const send = (): void => {
    if (!ready) return;
    void messages.sendEdit();
    document.querySelector<HTMLElement>('.composer textarea')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.isComposing) return;
    if (enterDoes(event, panel.setup.value?.settings ?? USUAL) === null) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      class="edit"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <GrowingArea
        aria-label={t(($) => $.messages.editor)}
        rows={1}
        dir="auto"
        value={text}
        onInput={(event) => messages.rewrite({ text: event.currentTarget.value })}
        onKeyDown={onKeyDown}
      />
      <Chips
        attachments={kept}
        remove={(id) => messages.rewrite({ kept: kept.filter((each) => each.id !== id) })}
      />
      <p class="small subtle">{t(($) => $.messages.editNote)}</p>
      <div class="edit-foot">
        <button
          class="btn primary s"
          disabled={!ready}
          title={panel.live.value ? t(($) => $.messages.live) : undefined}
        >
          {t(($) => $.messages.resend)}
        </button>
        <button type="button" class="btn quiet s" onClick={cancel}>
          {t(($) => $.actions.cancel)}
        </button>
      </div>
    </form>
  );
}
