import { PATIENCE_MS } from '../../lib/mcp/handshakes.ts';
import type { Database } from '../../lib/storage/database.ts';
import { markSilent } from '../../lib/storage/configuration/servers.ts';
import type { Server, ServerStatus } from '../../lib/types/setup.ts';
import { wait } from './wait.ts';

/** So long, in milliseconds, a run waits for what it can do without. */
const GLANCE_MS = 300;
/** A server that was silent and answers again may think for so long about each further answer. */
const NEXT_MS = 1000;

/** For how long runs wait for servers. Those that are silent are marked, so that the next worker knows. */
export function createPatience(db: Database) {
  /** Of servers that are being connected; aborted once they turn out silent. */
  const silence = new Map<number, AbortController>();
  /** Servers that are marked, as far as this worker knows. */
  const marked = new Set<number>();
  /** Of those that were marked the ones that a run of this worker has waited for. */
  const glanced = new Set<number>();
  /** Of servers that are being connected: how often each has answered. */
  const answers = new Map<number, number>();

  const silenceOf = (id: number): AbortController => {
    const known = silence.get(id) ?? new AbortController();
    silence.set(id, known);
    return known;
  };

  /** Resolves once a server that was silent is so again. */
  async function whileHeard(id: number): Promise<void> {
    const { signal } = silenceOf(id);
    const count = (): number => answers.get(id) ?? 0;
    if (count() === 0) await wait(GLANCE_MS, signal);
    for (let before = 0; count() > before;) {
      before = count();
      await wait(NEXT_MS, signal);
    }
  }

  function mark(id: number, isSilent: boolean): void {
    if (isSilent) marked.add(id);
    else if (!marked.delete(id)) return;
    // The same is found out again if that is not kept.
    markSilent(db, id, isSilent ? Date.now() : null).catch((error: unknown) =>
      console.warn('Whether a server is silent was not kept.', error),
    );
  }

  return {
    /** Of a server that is going to be connected. */
    knows({ id, silentAt }: Server): void {
      if (silentAt !== undefined) marked.add(id);
    },
    /** Whoever connects a server has waited long enough. */
    isOver(id: number): void {
      silenceOf(id).abort();
      if (!marked.has(id)) mark(id, true);
    },
    /** A server that is being connected has answered. */
    heard: (id: number): void => void answers.set(id, (answers.get(id) ?? 0) + 1),
    /** A server's state has changed. One that failed after a silence was tried last by now. */
    turnedOut(id: number, state: ServerStatus['state']): void {
      answers.delete(id);
      const isSilent = silence.get(id)?.signal.aborted ?? false;
      if (state === 'connecting' && !isSilent) return;
      silence.delete(id);
      if (state !== 'connecting') mark(id, isSilent && state === 'error');
    },
    /** Resolves with the job, or after a moment. */
    glance: (job: Promise<void>): Promise<void> => Promise.race([job, wait(GLANCE_MS)]),
    /** What becomes of connecting the server, or `otherwise` as soon as a run need not wait for that any longer. */
    async wait<T>({ id, silentAt }: Server, outcome: Promise<T>, otherwise: T): Promise<T> {
      // One that was silent may be back.
      const wasSilent = silentAt !== undefined;
      if (wasSilent && glanced.has(id) && !answers.has(id)) return otherwise;
      if (wasSilent) glanced.add(id);
      const late = [wait(PATIENCE_MS, silenceOf(id).signal), ...(wasSilent ? [whileHeard(id)] : [])];
      return Promise.race([outcome, Promise.race(late).then(() => otherwise)]);
    },
  };
}
