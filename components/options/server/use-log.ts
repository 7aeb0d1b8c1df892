import { useEffect, useState } from 'preact/hooks';
import { toWire } from '../../../lib/errors.ts';
import { follows, oncePerFrame, withEntry } from '../../../lib/state/settings/wire-log.ts';
import type { WireError } from '../../../lib/types/error.ts';
import type { WireEntry } from '../../../lib/types/wire-log.ts';
import { useSetupState } from '../options-context.ts';

/** The log of a server, live as long as this is on the page; null until it was read. */
export function useServerLog(serverId: number): { log: WireEntry[] | null; error: WireError | null } {
  const { command, watchLog } = useSetupState();
  const [log, setLog] = useState<WireEntry[] | null>(null);
  const [error, setError] = useState<WireError | null>(null);
  useEffect(() => {
    let known: WireEntry[] | null = null;
    let isWanted = true;
    /** Told while the log is read: they may be missing in it. */
    let early: WireEntry[] | null = null;
    const draw = oncePerFrame(
      (latest: WireEntry[]) => isWanted && setLog(latest),
      (paint) => requestAnimationFrame(paint),
    );
    const show = (next: WireEntry[]): void => {
      known = next;
      draw(next);
    };
    const read = async (): Promise<void> => {
      const meanwhile: WireEntry[] = (early = []);
      try {
        const whole = await command('serverLog', { serverId });
        if (isWanted) show(meanwhile.reduce(withEntry, whole));
      } catch (failure) {
        if (isWanted) setError(toWire(failure));
      }
      early = null;
    };
    const forget = watchLog(serverId, (entry) => {
      if (early) early.push(entry);
      else if (known && follows(known, entry)) show(withEntry(known, entry));
      else void read();
    });
    void read();
    return () => {
      isWanted = false;
      forget();
    };
  }, [serverId]);
  return { log, error };
}
