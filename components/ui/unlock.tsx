import { Lock } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../options/form/use-action.ts';
import { WorkButton } from '../options/form/work-button.tsx';
import { Fault } from './fault.tsx';
import { Icon } from './icon.tsx';
import { t } from '../../locales/texts/shared.ts';

/** Asks for the passphrase that secrets are protected with. @param props.unlock rejects when it is another one */
export function Unlock(props: { unlock: (passphrase: string) => Promise<unknown> }): JSX.Element {
  const [passphrase, setPassphrase] = useState('');
  const { busy, error, run } = useAction();
  const submit = (event: Event): void => {
    event.preventDefault();
    if (passphrase !== '') run(async () => void (await props.unlock(passphrase)));
  };
  return (
    <form class="unlock" aria-label={t(($) => $.lock.title)} onSubmit={submit}>
      <Icon of={Lock} />
      <div>
        <p>
          <strong>{t(($) => $.lock.title)}</strong> {t(($) => $.lock.text)}
        </p>
        <div class="actions">
          <input
            class="input"
            type="password"
            autocomplete="off"
            aria-label={t(($) => $.lock.passphrase)}
            placeholder={t(($) => $.lock.passphrase)}
            value={passphrase}
            aria-invalid={error ? 'true' : undefined}
            onInput={({ currentTarget }) => setPassphrase(currentTarget.value)}
          />
          <WorkButton submit busy={busy} disabled={passphrase === ''}>
            {t(($) => $.lock.unlock)}
          </WorkButton>
        </div>
        {error && (
          <p class="small" role="alert">
            <Fault error={error} />
          </p>
        )}
      </div>
    </form>
  );
}
