import { browser } from 'wxt/browser';
import { AppError, fromWire } from '../errors.ts';
import { syncProgress } from '../broadcasts.ts';
import { openDatabase } from '../storage/database.ts';
import type { SyncFault } from '../types/sync.ts';
import { joinStore } from './key-file.ts';
import type { Answered, Asking, SyncJob, SyncOutcome } from './port.ts';
import { openState } from './state.ts';
import { openStore } from './open-store.ts';
import { sync } from './sync.ts';
import { type Ask, SyncError } from './store.ts';

/**
 * The document's end of a sync: does what the worker posts on a port that is opened to it, so that no page hears of the
 * password, and asks on it for every write. A port that drops ends it.
 * @param name of the port, which the worker made up
 */
export function serveSync(name: string): void {
  const port = browser.runtime.connect({ name });
  const dropped = new AbortController();
  const waiting = new Map<number, (answer: Answered) => void>();
  port.onDisconnect.addListener(() => dropped.abort());
  const post = (message: Asking | { end: SyncOutcome }): void => {
    if (!dropped.signal.aborted) port.postMessage(message);
  };
  let asked = 0;
  const ask: Ask = async (command, request) => {
    const answered = new Promise<Answered>((resolve, reject) => {
      waiting.set(asked, resolve);
      dropped.signal.addEventListener('abort', () => reject(dropped.signal.reason), { once: true });
    });
    post({ id: asked++, command, request });
    const answer = await answered;
    if ('error' in answer) throw fromWire(answer.error);
    return answer.reply as never;
  };
  port.onMessage.addListener((message: unknown) => {
    const { job, id } = message as { job?: SyncJob } & Answered;
    if (job) {
      doJob(job, ask, dropped.signal).then(
        (end) => post({ end }),
        (error: unknown) => post({ end: { fault: faultOf(error) } }),
      );
    } else {
      waiting.get(id)?.(message as Answered);
      waiting.delete(id);
    }
  });
}

async function doJob(job: SyncJob, ask: Ask, signal: AbortSignal): Promise<SyncOutcome> {
  const store = openStore(job.place, job.password);
  if (job.type === 'join') return { key: await joinStore(store, job.passphrase) };
  const progress = syncProgress.open();
  const [db, states] = await Promise.all([openDatabase(), openState(job.machine)]);
  try {
    const fault = await sync({ db, store, key: job.key, states, ask, tell: progress.tell, signal });
    return fault ? { fault } : {};
  } finally {
    progress.tell(null);
    progress.close();
    db.close();
    states.close();
  }
}

function faultOf(error: unknown): SyncFault {
  if (error instanceof SyncError) return error.fault;
  console.error('Chats were not synced.', error);
  return { code: 'unexpected', detail: error instanceof AppError ? error.message : String(error) };
}
