import { createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import type { NativeHostStatus } from '../../../lib/protocol/servers.ts';
import type { NativeHostState } from '../../../lib/state/settings/native-host.ts';

export const NativeHostContext = createContext<NativeHostState | null>(null);

function useNativeHostState(): NativeHostState {
  const state = useContext(NativeHostContext);
  if (!state) throw new Error('useNativeHost needs a NativeHostContext above it');
  return state;
}

/** Looks for it at once: something was done about it. */
export const useLookForNativeHost = (): (() => void) => useNativeHostState().look;

/** How the native host is; null while unknown. While `watched`, it is looked for until it is ready. */
export function useNativeHost(watched: boolean): NativeHostStatus | null {
  const { status, watch } = useNativeHostState();
  useEffect(() => (watched ? watch() : undefined), [watched]);
  return status.value;
}
