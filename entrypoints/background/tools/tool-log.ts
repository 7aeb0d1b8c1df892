import { coalesced } from '../../../lib/async.ts';
import type { Reply, Request } from '../../../lib/protocol/commands.ts';
import { callsForPanel } from '../../../lib/runs/panel-view.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { loadSettings } from '../../../lib/storage/configuration/settings.ts';
import { readToolLog, trimToolLog } from '../../../lib/storage/chats/tool-log.ts';

/** Throttles the trimming: a log that is a little longer for a while does no harm. */
const PAUSE_MS = 60_000;

/** The log of all tool calls: reading it, and keeping it to the size that the user set. */
export function createToolLog(db: Database, now: () => number = Date.now) {
  let trimmedAt = -Infinity;

  const toolLog = (query: Request<'toolLog'>): Promise<Reply<'toolLog'>> => readToolLog(db, query);

  async function loggedCall({ callId }: { callId: string }): Promise<Reply<'loggedCall'>> {
    const call = await db.get('toolCalls', callId);
    return (call && callsForPanel([call])[0]) ?? null;
  }

  /** After calls were written, at most once a minute; `always` after the user changed the limit. Never rejects. */
  async function trim(always = false): Promise<void> {
    if (always || now() - trimmedAt >= PAUSE_MS) await trimNow();
  }

  const trimNow = coalesced(async () => {
    trimmedAt = now();
    try {
      await trimToolLog(db, (await loadSettings(db)).maxLoggedCalls);
    } catch (error) {
      console.warn('The tool log could not be kept to its size.', error);
    }
  });

  return { toolLog, loggedCall, trim };
}
