import { useEffect, useRef } from 'preact/hooks';
import type { Reply, Request } from '../../../lib/protocol/commands.ts';
import { useSetupState } from '../options-context.ts';

type Check = Omit<Request<'checkProgram'>, 'fetchId'>;

/**
 * Has programs checked. What is under way is ended at `stop`, and when the page goes. `isSeen`: the user typed it and has it
 * checked, which allows that; what is as it was saved is allowed, or not, with its server.
 */
export function useCheck() {
  const { command } = useSetupState();
  const underWay = useRef(new Set<string>());
  const stop = (): void => {
    for (const fetchId of underWay.current)
      command('cancelFetch', { fetchId }).catch((error: unknown) =>
        console.warn('A check could not be ended.', error),
      );
    underWay.current.clear();
  };
  useEffect(() => {
    // A tab that is closed takes nothing down by itself.
    window.addEventListener('pagehide', stop);
    return () => {
      window.removeEventListener('pagehide', stop);
      stop();
    };
  }, []);
  const check = async (program: Check, isSeen = false): Promise<Reply<'checkProgram'>> => {
    const fetchId = crypto.randomUUID();
    underWay.current.add(fetchId);
    try {
      if (isSeen) await command('allowCheck', program);
      return underWay.current.has(fetchId) ? await command('checkProgram', { ...program, fetchId }) : [];
    } finally {
      underWay.current.delete(fetchId);
    }
  };
  return { check, stop };
}
