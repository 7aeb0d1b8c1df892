import type { DoctorStep } from '../../../lib/types/native-host.ts';
import { t } from '../../../locales/texts/settings.ts';

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
