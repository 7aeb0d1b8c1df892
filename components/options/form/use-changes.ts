import { useState } from 'preact/hooks';
import { toWire } from '../../../lib/errors.ts';
import type { WireError } from '../../../lib/types/error.ts';
import type { Settings, SettingsChange } from '../../../lib/types/settings.ts';
import { useSetup, useSetupState } from '../options-context.ts';

/**
 * What the user changes with a switch or a choice: each change is sent at once, also while others are under way, where
 * `useAction` passes over a second press. `error`: why the last one failed.
 */
export function useChanges(): { send: (change: () => Promise<void>) => void; error: WireError | null } {
  const [error, setError] = useState<WireError | null>(null);
  const send = (change: () => Promise<void>): void => {
    setError(null);
    change().catch((failure: unknown) => setError(toWire(failure)));
  };
  return { send, error };
}

export type SettingControl<Name extends keyof Settings> = {
  name: Name;
  value: Settings[Name];
  set: (value: Settings[Name]) => void;
};

/** The settings, and how they are changed. `setting`: what a row needs, by the setting's name. */
export function useSettings() {
  const { settings } = useSetup();
  const { command } = useSetupState();
  const { send, error } = useChanges();
  const save = (changes: SettingsChange): void => send(() => command('saveSettings', changes));
  const setting = <Name extends keyof Settings>(name: Name): SettingControl<Name> => ({
    name,
    value: settings[name],
    set: (value: Settings[Name]) => save({ [name]: value }),
  });
  return { settings, setting, save, error };
}
