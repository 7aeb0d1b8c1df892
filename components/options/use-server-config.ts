import { useEffect, useState } from 'preact/hooks';
import { toWire } from '../../lib/errors.ts';
import type { ServerConfig } from '../../lib/protocol.ts';
import { readServerConfig } from '../../lib/state/server-config.ts';
import type { WireError } from '../../lib/types/error.ts';
import { useSetup, useSetupState } from './options-context.ts';

/** What the worker finds in a text, as it is typed. Both null while there is nothing to read. */
export function useServerConfig(text: string): { config: ServerConfig | null; fault: WireError | null } {
  const { command } = useSetupState();
  const { servers } = useSetup();
  const [read, setRead] = useState<{ config: ServerConfig | null; fault: WireError | null }>(nothing);
  // Which servers are there already may change.
  const names = servers.map(({ name }) => name).join('\n');
  useEffect(() => {
    if (text.trim() === '') return setRead(nothing);
    let isWanted = true;
    readServerConfig(command, text).then(
      (config) => isWanted && setRead({ config, fault: null }),
      (error: unknown) => isWanted && setRead({ config: null, fault: toWire(error) }),
    );
    return () => void (isWanted = false);
  }, [text, names]);
  return read;
}

const nothing = { config: null, fault: null };
