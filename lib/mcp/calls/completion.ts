import { type Queue, untilAborted } from '../../async.ts';
import type { CompletionRef } from '../../types/offer.ts';
import type { ServerConnection } from '../connection/server-connection.ts';
import { isRecord } from '../../json.ts';
import { isText } from '../content/raw.ts';
import { fetchFrom } from './prompts-and-resources.ts';
import type { RequestOptions } from './request-sender.ts';
import type { Session } from '../connection/session.ts';
import { t } from '../../../locales/texts/errors.ts';

type Completions = { values: string[]; hasMore: boolean };
type Argument = { name: string; value: string };

const MOST_VALUES = 100;
const NOTHING: Completions = { values: [], hasMore: false };

/** What completes the arguments of prompts and templates, of any server. */
export function createCompleter() {
  const pending = new Map<string, AbortController>();
  /**
   * `completion/complete`; nothing where the server does not complete, or when the same argument is asked about anew
   * meanwhile. @throws AppError
   */
  return async (
    connection: ServerConnection,
    queue: Queue,
    ref: CompletionRef,
    argument: Argument,
    others: Record<string, string>,
  ): Promise<Completions> => {
    const key = JSON.stringify([connection.config.id, ref, argument.name]);
    const mine = new AbortController();
    pending.get(key)?.abort();
    pending.set(key, mine);
    try {
      return await requestFrom(connection, queue, paramsOf(ref, argument, others), mine.signal);
    } catch (error) {
      if (mine.signal.aborted) return NOTHING;
      throw error;
    } finally {
      if (pending.get(key) === mine) pending.delete(key);
    }
  };
}

async function requestFrom(
  connection: ServerConnection,
  queue: Queue,
  params: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Completions> {
  const { capabilities } = await untilAborted(connection.ready(), signal);
  if (!capabilities['completions']) return NOTHING;
  const request = {
    what: t(($) => $.errors.mcp.completion),
    send: (on: Session, sent: RequestOptions) => on.request('completion/complete', params, sent),
  };
  const cancel = async () => ({ action: 'cancel' as const });
  const { completion } = await fetchFrom(connection, queue, request, { signal, elicit: cancel });
  if (!isRecord(completion) || !Array.isArray(completion['values'])) return NOTHING;
  const values = completion['values'].filter(isText).slice(0, MOST_VALUES);
  return { values, hasMore: completion['hasMore'] === true };
}

function paramsOf(ref: CompletionRef, argument: Argument, others: Record<string, string>) {
  return {
    ref:
      ref.type === 'prompt'
        ? { type: 'ref/prompt', name: ref.name }
        : { type: 'ref/resource', uri: ref.uriTemplate },
    argument,
    ...(Object.keys(others).length > 0 && { context: { arguments: others } }),
  };
}
