import { useMemo } from 'preact/hooks';
import { readServerConfig } from '../../../lib/config-file/read-config.ts';
import type { ServerConfig } from '../../../lib/config-file/server-config.ts';
import { toWire } from '../../../lib/errors.ts';
import type { WireError } from '../../../lib/types/error.ts';
import { useSetup } from '../options-context.ts';

/** What is found in a text, as it is typed. Both null while there is nothing to read. */
export function useServerConfig(text: string): { config: ServerConfig | null; fault: WireError | null } {
  const { servers } = useSetup();
  return useMemo(() => {
    if (text.trim() === '') return { config: null, fault: null };
    try {
      return { config: readServerConfig(text, servers), fault: null };
    } catch (error) {
      return { config: null, fault: toWire(error) };
    }
  }, [text, servers]);
}
