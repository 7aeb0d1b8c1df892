import type { DoctorStep } from '../../../lib/types/native-host.ts';
import { en } from '../../../locales/en-options.ts';

const words = en.nativeHostPage.connect;

/**
 * How far browsers come, by the words that are all they tell: Chromium's, and Firefox's, which has the same for a manifest
 * that is not there and one that does not name the extension.
 * https://searchfox.org/mozilla-central/source/toolkit/components/extensions/NativeMessaging.sys.mjs
 */
const signs: [RegExp, DoctorStep[]][] = [
  [/host not found/i, [words.noManifest]],
  [/no such native application/i, [words.noManifestOrId]],
  [/is forbidden/i, [words.manifest, words.notAllowed]],
  [/failed to start/i, [words.manifest, words.allowed, words.notStarted]],
  [/said nothing/i, [words.manifest, words.allowed, words.silent]],
  [/has exited|when communicating/i, [words.manifest, words.allowed, words.ended]],
];

/** What the browser managed of a connection to the native host, and where it failed; empty where it says nothing of that. */
export function connectSteps(cause: string | undefined): DoctorStep[] {
  return signs.find(([sign]) => sign.test(cause ?? ''))?.[1] ?? [];
}
