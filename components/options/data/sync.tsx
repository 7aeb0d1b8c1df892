import { RefreshCw } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { AppError } from '../../../lib/errors.ts';
import { watchSync } from '../../../lib/state/settings/sync-progress.ts';
import type { WireError } from '../../../lib/types/error.ts';
import {
  SHORTEST_SYNC_PASSPHRASE,
  STORE_EXAMPLES,
  STORE_NAMES,
  type Sync,
  type SyncFault,
  type SyncPlace,
  type SyncProgress,
} from '../../../lib/types/sync.ts';
import { Icon } from '../../ui/icon.tsx';
import { ConfirmRemove } from '../form/confirm-remove.tsx';
import { Segments, TextField, useFormFocus } from '../../ui/fields.tsx';
import { Problem } from '../form/problem.tsx';
import { ActionRow, SettingRows, SwitchSetting } from '../form/setting-rows.tsx';
import { useAction } from '../form/use-action.ts';
import { useGranted } from '../form/use-granted.ts';
import { WorkButton } from '../form/work-button.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import { dates } from '../../../locales/dates.ts';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';

/** What goes to the user's other machines: chats, by a store of theirs, and settings, by the browser. */
export function SyncSection(): JSX.Element {
  const { sync, browserSync } = useSetup();
  const { command } = useSetupState();
  const { error, run } = useAction();
  const left = browserSync?.left ?? [];
  return (
    <SettingRows title={t(($) => $.sync.title)}>
      {sync ? <SyncRow sync={sync} /> : <SyncSetUp />}
      <SwitchSetting
        label={t(($) => $.sync.settings)}
        help={
          left.length > 0
            ? t(($) => $.sync.left, { names: units.commas(left) })
            : t(($) => $.sync.settingsHelp)
        }
        value={browserSync !== undefined}
        set={(on) => run(async () => void (await command('setBrowserSync', { on })))}
      />
      {error && <Problem error={error} />}
    </SettingRows>
  );
}

function SyncRow({ sync }: { sync: Sync }): JSX.Element {
  const { place, paused, fault } = sync;
  const { command } = useSetupState();
  const now = useGranted(place.url);
  const other = useAction();
  const [watch] = useState(watchSync);
  useEffect(() => watch.stop, [watch]);
  const progress = watch.progress.value;
  const busy = now.busy || progress !== null;
  const error = now.error ?? other.error;
  return (
    <ActionRow
      label={new URL(place.url).host}
      help={standing(sync)}
      buttons={
        <>
          <WorkButton busy={busy} press={() => !busy && now.run(async () => void (await command('syncNow')))}>
            <Icon of={RefreshCw} />
            {t(($) => $.sync.now)}
          </WorkButton>
          <button
            type="button"
            class="btn"
            onClick={() => other.run(async () => void (await command('pauseSync', { paused: !paused })))}
          >
            {paused ? t(($) => $.sync.resume) : t(($) => $.sync.pause)}
          </button>
        </>
      }
    >
      <div class="sync">
        {progress && (
          <progress
            class="bar-track"
            aria-label={t(($) => $.sync.progress)}
            max={Math.max(1, progress.total)}
            value={progress.done}
          />
        )}
        <p class="small muted" role="status">
          {progress && progressWords(progress)}
        </p>
        {!busy && fault && <Problem error={faultError(fault)} />}
        {error && <Problem error={error} />}
        <ConfirmRemove
          question={t(($) => $.sync.question)}
          remove={() => other.run(async () => void (await command('removeSync')))}
        />
      </div>
    </ActionRow>
  );
}

function standing({ paused, lastAt }: Sync): string {
  const last =
    lastAt === undefined ? t(($) => $.sync.never) : t(($) => $.sync.last, { at: dates.moment(lastAt) });
  return paused ? `${last} ${t(($) => $.sync.paused)}` : last;
}

const progressWords = ({ doing, done, total }: NonNullable<SyncProgress>): string =>
  doing === 'reading' ? t(($) => $.sync.reading, { done, total }) : t(($) => $.sync.writing, { done, total });

const faultError = ({ code, detail }: SyncFault): WireError => ({
  code: `sync_${code}`,
  message: t(($) => $.sync.faults[code]),
  ...(detail !== undefined && { cause: detail }),
  retryable: true,
});

const EMPTY = { url: '', user: '', password: '', region: '', passphrase: '', again: '' };
const NO_FAULT = {};

function SyncSetUp(): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <ActionRow
      label={t(($) => $.sync.label)}
      help={t(($) => $.sync.help)}
      buttons={
        <button type="button" class="btn" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t(($) => $.sync.setUp)}
        </button>
      }
    >
      {isOpen && <SetUpForm close={() => setOpen(false)} />}
    </ActionRow>
  );
}

function SetUpForm({ close }: { close: () => void }): JSX.Element {
  const { command } = useSetupState();
  const [type, setType] = useState<SyncPlace['type']>('webdav');
  const [draft, setDraft] = useState(EMPTY);
  const { url, user, password, region, passphrase, again } = draft;
  const isWeb = /^https?:\/\/[^/]/i.test(url.trim()) && URL.canParse(url.trim());
  const { busy, error, run } = useGranted(isWeb ? url.trim() : 'https://localhost');
  const form = useFormFocus(error ?? NO_FAULT);
  const field = (name: keyof typeof EMPTY) => ({
    value: draft[name],
    set: (value: string) => setDraft((before) => ({ ...before, [name]: value })),
  });
  const place = { url: url.trim(), user: user.trim() };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!isWeb || busy) return;
    run(async () => {
      if (passphrase !== again)
        throw new AppError({ code: 'invalid_input', message: t(($) => $.passphrase.differs) });
      const { fault } = await command('setUpSync', {
        place: type === 's3' ? { type, ...place, region: region.trim() } : { type, ...place },
        password,
        passphrase,
      });
      if (fault) throw new AppError(faultError(fault));
    });
  };
  const isFull = isWeb && passphrase.length >= SHORTEST_SYNC_PASSPHRASE;
  return (
    <form class="form short sync" ref={form} onSubmit={submit}>
      <Segments label={t(($) => $.sync.kind)} value={type} options={STORE_NAMES} set={setType} />
      <TextField
        label={t(($) => $.sync.url)}
        mono
        placeholder={STORE_EXAMPLES[type]}
        help={type === 's3' ? t(($) => $.sync.bucketHelp) : t(($) => $.sync.folderHelp)}
        {...field('url')}
        {...(url !== '' && !isWeb && { invalid: t(($) => $.gguf.addressWrong) })}
      />
      <TextField label={type === 's3' ? t(($) => $.sync.keyId) : t(($) => $.sync.user)} {...field('user')} />
      <TextField
        type="password"
        label={type === 's3' ? t(($) => $.sync.secretKey) : t(($) => $.sync.password)}
        {...field('password')}
      />
      {type === 's3' && (
        <TextField label={t(($) => $.sync.region)} placeholder={REGION} {...field('region')} />
      )}
      <TextField
        type="password"
        label={t(($) => $.sync.passphrase)}
        help={t(($) => $.sync.passphraseHelp, { least: SHORTEST_SYNC_PASSPHRASE })}
        {...field('passphrase')}
      />
      <TextField type="password" label={t(($) => $.sync.again)} {...field('again')} />
      {error && <Problem error={error} />}
      <div class="actions">
        <WorkButton submit class="primary" busy={busy} disabled={!isFull}>
          {t(($) => $.sync.start)}
        </WorkButton>
        <button type="button" class="btn quiet" onClick={close}>
          {t(($) => $.options.cancel)}
        </button>
      </div>
    </form>
  );
}

/** Names, the same in every language. */
const REGION = 'us-east-1';
