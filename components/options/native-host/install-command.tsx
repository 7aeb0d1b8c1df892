import { Download, LoaderCircle } from 'lucide';
import type { JSX } from 'preact';
import type { NativeHostStatus } from '../../../lib/protocol/servers.ts';
import { CHROMIUM_IDS, INSTALLER, type DoctorStep } from '../../../lib/types/native-host.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Problem } from '../form/problem.tsx';
import { useGranted } from '../form/use-granted.ts';
import { WorkButton } from '../form/work-button.tsx';
import { useLookForNativeHost } from './context.ts';
import { Steps } from './steps.tsx';
import { t } from '../../../locales/texts/settings.ts';

/** What runs the installer, which has to be told of a build whose id it does not know by itself. */
function installCommand(): string {
  const { protocol, host } = location;
  const isKnown = protocol !== 'chrome-extension:' || CHROMIUM_IDS.includes(host);
  return ['node', INSTALLER, 'install', ...(isKnown ? [] : ['--extension-id', host])].join(' ');
}

/** Why there is no native host to speak to, the installer and the command that mend it, and that nothing else is to be done. */
export function InstallCommand({
  status,
  brief = false,
}: {
  status: Exclude<NativeHostStatus, { state: 'ready' }>;
  /** Where there is little room. */
  brief?: boolean;
}): JSX.Element {
  if (status.state === 'not_allowed') return <AllowPrograms />;
  const { message, fix, cause } = status.error;
  const isWaiting = status.state === 'waiting';
  // One that is too new is not what has to be installed anew.
  const isMended = status.state !== 'outdated' || status.isOld;
  const command = installCommand();
  const steps = brief ? [] : connectSteps(cause);
  return (
    <div class="install">
      <p>
        <strong>{message}</strong> {status.state !== 'missing' && fix}
      </p>
      {steps.length > 0 && <Steps label={t(($) => $.nativeHostPage.doctor)} steps={steps} />}
      {!brief && cause !== undefined && <p class="small subtle cause">{cause}</p>}
      {isMended && (
        <>
          <p class="small muted">
            {isWaiting && t(($) => $.nativeHostPage.installMeanwhile)}{' '}
            {t(($) => $.nativeHostPage.installLead)}
          </p>
          <div class="actions">
            <a class="btn s" href={`/${INSTALLER}`} download={INSTALLER}>
              <Icon of={Download} small />
              {t(($) => $.nativeHostPage.saveInstaller)}
            </a>
          </div>
          <div class="command-line">
            <code>{command}</code>
            <CopyButton name={t(($) => $.nativeHostPage.copy)} text={() => command} />
          </div>
        </>
      )}
      <p class="with small muted" role="status">
        <Icon of={LoaderCircle} small spins />
        {t(($) => $.nativeHostPage.waiting)}
      </p>
    </div>
  );
}

/** Nothing is known of the native host before the browser lets Portside look. */
function AllowPrograms(): JSX.Element {
  const look = useLookForNativeHost();
  const { busy, error, run } = useGranted(null);
  return (
    <div class="install">
      <p>
        <strong>{t(($) => $.errors.nativeHost.notAllowed.message)}</strong>
      </p>
      <p class="small muted">{t(($) => $.nativeHostPage.allowLead)}</p>
      <div class="actions">
        <WorkButton class="primary" busy={busy} press={() => run(async () => look())}>
          {t(($) => $.nativeHostPage.allow)}
        </WorkButton>
      </div>
      {error && <Problem error={error} />}
    </div>
  );
}

/**
 * How far browsers come, by the words that are all they tell: Chromium's, and Firefox's, which has the same for a manifest
 * that is not there and one that does not name the extension.
 * https://searchfox.org/mozilla-central/source/toolkit/components/extensions/NativeMessaging.sys.mjs
 */
const signs: [RegExp, (keyof Texts.Settings['nativeHostPage']['connect'])[]][] = [
  [/host not found/i, ['noManifest']],
  [/no such native application/i, ['noManifestOrId']],
  [/is forbidden/i, ['manifest', 'notAllowed']],
  [/failed to start/i, ['manifest', 'allowed', 'notStarted']],
  [/has exited|when communicating/i, ['manifest', 'allowed', 'ended']],
];

/** What the browser managed of a connection to the native host, and where it failed; empty where it says nothing of that. */
export function connectSteps(cause: string | undefined): DoctorStep[] {
  const steps = cause?.includes(t(($) => $.errors.nativeHost.silent))
    ? (['manifest', 'allowed', 'silent'] as const)
    : (signs.find(([sign]) => sign.test(cause ?? ''))?.[1] ?? []);
  return steps.map((step) => ({
    ok: step === 'manifest' || step === 'allowed',
    ...t(($) => $.nativeHostPage.connect[step]),
  }));
}
