import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { AppError } from '../../lib/errors.ts';
import { SHORTEST_PASSPHRASE } from '../../lib/types/credentials.ts';
import { TextField, useFormFocus } from '../ui/fields.tsx';
import { Problem } from './form/problem.tsx';
import { ActionRow, SelectSetting, SettingRows } from './form/setting-rows.tsx';
import { useAction } from './form/use-action.ts';
import type { SettingControl } from './form/use-changes.ts';
import { WorkButton } from './form/work-button.tsx';
import { useSetup, useSetupState } from './options-context.ts';
import { t } from '../../locales/texts/settings.ts';

/** Setting, changing and removing the passphrase that protects secrets. */
export function Passphrase(props: { lockAfter: SettingControl<'lockAfter'> }): JSX.Element {
  const { lock } = useSetup();
  const { command } = useSetupState();
  const [form, setForm] = useState<'set' | 'change' | 'remove' | null>(null);
  const { run, error } = useAction();
  const close = (): void => setForm(null);
  const lockNow = (): void => run(async () => void (await command('lockSecrets')));
  const opens = (which: 'set' | 'change' | 'remove'): JSX.Element => (
    <button type="button" class="btn" aria-expanded={form === which} onClick={() => setForm(which)}>
      {t(($) => $.passphrase[which])}
    </button>
  );
  return (
    <SettingRows title={t(($) => $.passphrase.title)}>
      <ActionRow
        label={t(($) => $.passphrase.label)}
        help={t(($) => $.passphrase.help)}
        buttons={
          lock === undefined ? (
            opens('set')
          ) : (
            <>
              {opens('change')}
              {opens('remove')}
              {lock === 'open' && (
                <button type="button" class="btn" onClick={lockNow}>
                  {t(($) => $.passphrase.lockNow)}
                </button>
              )}
            </>
          )
        }
      >
        {form && (
          <PassphraseForm
            key={form}
            asksCurrent={form !== 'set'}
            asksNext={form !== 'remove'}
            close={close}
          />
        )}
        {error && <Problem error={error} />}
      </ActionRow>
      {lock && (
        <SelectSetting
          label={t(($) => $.passphrase.lockAfter)}
          help={t(($) => $.passphrase.lockAfterHelp)}
          options={t(($) => $.passphrase.lockAfters)}
          {...props.lockAfter}
        />
      )}
    </SettingRows>
  );
}

const NO_FAULT = {};

function PassphraseForm(props: { asksCurrent: boolean; asksNext: boolean; close: () => void }): JSX.Element {
  const { asksCurrent, asksNext, close } = props;
  const { command } = useSetupState();
  const { busy, error, run } = useAction();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const form = useFormFocus(error ?? NO_FAULT);
  const submit = (event: Event): void => {
    event.preventDefault();
    run(async () => {
      if (asksNext && next !== again)
        throw new AppError({ code: 'invalid_input', message: t(($) => $.passphrase.differs) });
      await command('setPassphrase', { ...(asksCurrent && { current }), next: asksNext ? next : null });
      close();
    });
  };
  const isWhole = (!asksCurrent || current !== '') && (!asksNext || next.length >= SHORTEST_PASSPHRASE);
  return (
    <form class="form short" ref={form} onSubmit={submit}>
      {asksCurrent && (
        <TextField type="password" label={t(($) => $.passphrase.current)} value={current} set={setCurrent} />
      )}
      {asksNext && (
        <>
          <TextField
            type="password"
            label={t(($) => $.passphrase.next)}
            help={t(($) => $.passphrase.nextHelp, { least: SHORTEST_PASSPHRASE })}
            value={next}
            set={setNext}
          />
          <TextField type="password" label={t(($) => $.passphrase.again)} value={again} set={setAgain} />
        </>
      )}
      {error && <Problem error={error} />}
      <div class="actions">
        <WorkButton submit class={asksNext ? 'primary' : 'danger'} busy={busy} disabled={!isWhole}>
          {asksNext ? t(($) => $.passphrase.save) : t(($) => $.passphrase.remove)}
        </WorkButton>
        <button type="button" class="btn quiet" onClick={close}>
          {t(($) => $.options.cancel)}
        </button>
      </div>
    </form>
  );
}
