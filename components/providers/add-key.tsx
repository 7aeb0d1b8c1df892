import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { presets, type Preset } from '../../lib/provider-presets.ts';
import type { WorkerLink } from '../../lib/state/panel-port.ts';
import { WorkButton } from '../options/form/work-button.tsx';
import { FaultLine } from '../ui/fault.tsx';
import { useAddKey, type AddingKey } from './use-add-key.ts';
import './add-key.css';
import { t } from '../../locales/texts/panel.ts';

function shortName({ id, name }: Preset): string {
  if (id === 'custom') return t(($) => $.addKey.other);
  return id === 'demo' ? t(($) => $.addKey.demo) : name;
}

/** It takes more than a key: an address that only the user knows, or weights. */
const needsAddress = ({ id, baseUrl }: Preset): boolean =>
  id === 'gguf' || baseUrl === '' || baseUrl.includes('{');

/** The providers, and one field for the key of any of them. */
export function AddKey(props: {
  send: WorkerLink['send'];
  /** Those that are offered. */
  offers: (preset: Preset) => boolean;
  done: () => void;
  /** Goes on where every field can be filled in. */
  byHand: (preset: Preset, key: string) => void;
}): JSX.Element {
  const { send, offers, done, byHand } = props;
  const adding = useAddKey(send, done);
  const { key, preset, busy, choose, go } = adding;
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);

  const pick = (next: Preset): void => {
    if (needsAddress(next)) return byHand(next, key);
    choose(next);
    field.current?.focus();
  };
  return (
    <form
      class="add-key"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) go();
      }}
    >
      <KeyField adding={adding} field={field} />
      <div role="group" aria-label={t(($) => $.addKey.provider)}>
        <ul class="provider-grid">
          {presets.filter(offers).map((each) => (
            <li key={each.id}>
              <button
                type="button"
                class="btn"
                aria-pressed={needsAddress(each) ? undefined : each.id === preset?.id}
                onClick={() => pick(each)}
              >
                {shortName(each)}
              </button>
            </li>
          ))}
        </ul>
      </div>
      <p class="help">{t(($) => $.addKey.stored)}</p>
      {preset && (
        <p class="key-links">
          {preset.keyPage && (
            <a class="small" href={preset.keyPage} target="_blank" rel="noreferrer">
              {t(($) => $.addKey.keyPage, { name: preset.name })}
            </a>
          )}
          <button type="button" class="link small" onClick={() => byHand(preset, key)}>
            {t(($) => $.addKey.byHand)}
          </button>
        </p>
      )}
    </form>
  );
}

function KeyField(props: { adding: AddingKey; field: { current: HTMLInputElement | null } }): JSX.Element {
  const { key, preset, busy, fault, type, paste } = props.adding;
  const id = useId();
  const isOwn = preset !== null && preset.keyPrefix?.test(key.trim()) === true;
  return (
    <div class="field">
      <label for={id}>{t(($) => $.addKey.key)}</label>
      <div class="key-row">
        <input
          id={id}
          class="input mono"
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={key}
          readOnly={busy}
          ref={props.field}
          aria-describedby={`${id}-words`}
          aria-invalid={fault?.ofKey ? 'true' : undefined}
          onInput={(event) => type(event.currentTarget.value)}
          onPaste={(event) => {
            const text = event.clipboardData?.getData('text') ?? '';
            if (text.trim() === '') return;
            event.preventDefault();
            paste(text);
          }}
        />
        <WorkButton class="primary" submit busy={busy}>
          {t(($) => $.addKey.go)}
        </WorkButton>
      </div>
      <div id={`${id}-words`}>
        {fault ? (
          <FaultLine error={fault} />
        ) : (
          <p class="help" role="status">
            {busy && preset
              ? t(($) => $.addKey.asking, { name: preset.name })
              : isOwn
                ? t(($) => $.addKey.whose, { name: preset.name })
                : t(($) => $.addKey.hint)}
          </p>
        )}
      </div>
    </div>
  );
}
