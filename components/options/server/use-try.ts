import { useEffect, useRef, useState } from 'preact/hooks';
import { toWire } from '../../../lib/errors.ts';
import type { Commands } from '../../../lib/protocol/commands.ts';
import { useSetupState } from '../options-context.ts';

/** A call under way. `since`: milliseconds since the epoch. */
type Running = { callId: string; since: number };
type Ended = ReturnType<Commands['callTool']> & { tookMs: number };

/** Calls of one tool outside any chat, one at a time. One that is under way when the page goes is stopped. */
export function useTry(fullName: string): {
  running: Running | null;
  ended: Ended | null;
  run: (args: Record<string, unknown>) => void;
  stop: () => void;
} {
  const { command } = useSetupState();
  const [running, setRunning] = useState<Running | null>(null);
  const [ended, setEnded] = useState<Ended | null>(null);
  const current = useRef<Running | null>(null);

  const stop = (): void => {
    if (!current.current) return;
    // What came of it is told by the call itself.
    command('cancelTool', { callId: current.current.callId }).catch((error: unknown) =>
      console.warn('A call could not be stopped.', error),
    );
  };
  useEffect(
    () => () => {
      stop();
      current.current = null;
    },
    [],
  );
  const run = async (args: Record<string, unknown>): Promise<void> => {
    if (current.current) return;
    const own = { callId: crypto.randomUUID(), since: Date.now() };
    current.current = own;
    setRunning(own);
    setEnded(null);
    const answer = await command('callTool', { callId: own.callId, fullName, arguments: args }).catch(
      (error: unknown) => ({ error: toWire(error) }),
    );
    if (current.current !== own) return;
    current.current = null;
    setRunning(null);
    setEnded({ ...answer, tookMs: Date.now() - own.since });
  };
  return { running, ended, run: (args) => void run(args), stop };
}
