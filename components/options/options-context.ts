import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { SetupState } from '../../lib/state/settings/setup.ts';
import type { Setup } from '../../lib/protocol/setup.ts';

export const SetupContext = createContext<SetupState | null>(null);

/** The options page's state. @throws when used outside `OptionsApp`. */
export function useSetupState(): SetupState {
  const state = useContext(SetupContext);
  if (!state) throw new Error('useSetupState needs a SetupContext above it');
  return state;
}

/** The configuration itself; pages are drawn only once it is there. */
export function useSetup(): Setup {
  const setup = useSetupState().setup.value;
  if (!setup) throw new Error('useSetup needs a configuration that has arrived');
  return setup;
}
