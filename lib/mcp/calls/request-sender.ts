import { LOG_LEVEL_META_KEY, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import type { Elicit } from '../../types/request.ts';
import type { CallOptions } from '../../types/tools/call-tool.ts';
import type { LogLevel } from '../../types/wire-log.ts';
import { ELICIT } from '../elicitation/elicitations.ts';
import { type ClientChannel, NO_TIMEOUT } from '../connection/client-channel.ts';
import { anyObject, cut, type Raw } from '../content/raw.ts';
import { oneLine } from '../failures/one-line.ts';
import { isConnectionLost } from '../failures/sdk-errors.ts';
import { EndlessError, markRefusal, urlRequests } from '../elicitation/server-requests.ts';
import { MOST_MESSAGE, taskIn } from '../tasks/task.ts';
import { t } from '../../../locales/texts/errors.ts';

/** `elicit`: puts the server's elicitations before the user. Aborting cancels on the server. */
export type RequestOptions = {
  signal: AbortSignal;
  elicit: Elicit;
  progress?: CallOptions['progress'];
  /** Where the answer is a task, its progress and what its server asks belong to the request until this aborts. */
  lasts?: AbortSignal;
  /** Told why one of the server's own requests was refused meanwhile without asking the user. */
  refused?: (why: string) => void;
};

/** A server that is refused so often while one request runs is in a loop. */
const MOST_REFUSALS = 50;
/** So often the pages that one request needs are visited: the user may go on before they are done there. */
const MOST_VISITS = 10;

export type Sender = {
  /** Resolves with the raw result; rejects with the client's error. */
  send(method: string, params: Raw, options: RequestOptions, headers?: Record<string, string>): Promise<Raw>;
  isBusy(): boolean;
  /** Resolves when every cancel was sent to the server, or could not be sent. Never rejects. */
  cancelsSent(): Promise<unknown>;
  /** Closes the client once nothing is in flight, which may be at once. */
  closeWhenIdle(): void;
};

/**
 * Sends requests in which the server may ask for something. `logLevel` goes along from 2026-07-28 on; `note` is told
 * what was refused and stands on no wire.
 */
export function createSender(
  channel: ClientChannel,
  logLevel: () => LogLevel | undefined,
  note: (text: string) => void,
): Sender {
  const { client, wire, elicitations, awaitsInput } = channel;
  const progress = watchProgress(channel);
  const cancelsSent = watchCancels(channel);
  const completions = watchCompletions(channel);
  let inFlight = 0;
  let isClosing = false;

  const sendOnce: Sender['send'] = async (method, params, options, headers) => {
    const { signal, elicit, progress: onProgress, refused } = options;
    let lasts: AbortSignal | undefined;
    const before = wire.exceeded();
    const token = onProgress && progress.start(onProgress);
    const level = client.getProtocolEra() === 'modern' ? logLevel() : undefined;
    const meta = {
      ...(token !== undefined && { progressToken: token }),
      ...(level && { [LOG_LEVEL_META_KEY]: level }),
      [ELICIT]: elicit,
    };
    const tooMuch = new AbortController();
    let refusals = 0;
    const finished = elicitations.start(elicit, (why) => {
      refused?.(why);
      refusals++;
      if (refusals === MOST_REFUSALS)
        tooMuch.abort(new EndlessError(t(($) => $.errors.mcp.refusedTooOften, { count: refusals, why })));
      return refusals < MOST_REFUSALS;
    });
    inFlight++;
    try {
      const request = { method, params: { ...params, _meta: meta } };
      const answer = await client.request(request, anyObject, {
        signal: AbortSignal.any([signal, tooMuch.signal]),
        timeout: NO_TIMEOUT,
        ...(headers && { headers }),
      });
      if (options.lasts && taskIn(answer)) lasts = options.lasts;
      return answer;
    } catch (error) {
      if (!signal.aborted) tooMuch.signal.throwIfAborted();
      if (awaitsInput(elicit) && isMisfit(error)) {
        markRefusal(error);
        note(t(($) => $.errors.mcp.log.refused, { why: oneLine(error.message) }));
      }
      // What was broken off because of its size was not lost. Of a body that breaks off Chromium says “Failed to fetch”.
      const exceeded = wire.exceeded();
      throw exceeded !== before && isConnectionLost(error) ? exceeded : error;
    } finally {
      inFlight--;
      const end = (): void => {
        finished();
        progress.end(token);
      };
      if (lasts && !lasts.aborted) lasts.addEventListener('abort', end, { once: true });
      else end();
      if (isClosing && inFlight === 0) void client.close();
    }
  };

  /** The page is opened, and then it is the user who says that they are done there, or the server. */
  async function isDone(page: Page, { elicit, signal }: RequestOptions): Promise<boolean> {
    const completion = completions.of(page.elicitationId);
    try {
      let answer = await elicit(page, signal);
      while (answer.action === 'accept' && !('isDone' in answer) && !completion.signal.aborted)
        answer = await elicit(page, AbortSignal.any([signal, completion.signal]));
      return answer.action === 'accept' || (completion.signal.aborted && !signal.aborted);
    } finally {
      completion.end();
    }
  }

  return {
    /** Once more after the user was done in the pages that the server asks for. */
    async send(method, params, options, headers) {
      const own = { ...options, elicit: withOpened(options.elicit) };
      for (let visits = 0; ; visits++) {
        try {
          return await sendOnce(method, params, own, headers);
        } catch (error) {
          const pages = visits < MOST_VISITS ? urlRequests(error) : [];
          if (pages.length === 0) throw error;
          for (const page of pages) if (!(await isDone(page, own))) throw error;
        }
      }
    },
    isBusy: () => inFlight > 0,
    cancelsSent,
    closeWhenIdle() {
      isClosing = true;
      if (inFlight === 0) void client.close();
    },
  };
}

/** The client's, or Portside's, of what the server asks: the server has nothing to refuse while it asks. */
const isMisfit = (error: unknown): error is ProtocolError =>
  error instanceof ProtocolError && error.code === ProtocolErrorCode.InvalidParams;

const CANCELS: ReadonlySet<string> = new Set(['notifications/cancelled', 'tasks/cancel']);

type Page = ReturnType<typeof urlRequests>[number];

/** Says of a page that the user was there before, in the same request. */
function withOpened(elicit: Elicit): Elicit {
  const opened = new Set<string>();
  return async (request, signal) => {
    if (request.kind !== 'url') return elicit(request, signal);
    const answer = await elicit(opened.has(request.url) ? { ...request, isOpened: true } : request, signal);
    if (answer.action === 'accept') opened.add(request.url);
    return answer;
  };
}

/** Up to 2025-11-25 servers may say that the user is done in a page. Where nothing waits for that it is ignored. */
function watchCompletions({ client }: ClientChannel) {
  const waiting = new Map<AbortController, string>();
  client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => {
    for (const [completed, id] of waiting) if (id === params.elicitationId) completed.abort();
  });
  return {
    of(id: string | undefined): { signal: AbortSignal; end: () => void } {
      const completed = new AbortController();
      if (id !== undefined) waiting.set(completed, id);
      return { signal: completed.signal, end: () => void waiting.delete(completed) };
    },
  };
}

/** The client does not wait for the cancellations that it sends. */
function watchCancels({ transport }: ClientChannel): Sender['cancelsSent'] {
  let all: Promise<unknown> = Promise.resolve();
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const sent = send(message, options);
    if ('method' in message && CANCELS.has(message.method)) {
      all = Promise.allSettled([all, sent]);
    }
    return sent;
  };
  return () => all;
}

/**
 * Progress by tokens of our own: the client would report the rounds of a request that needs input as progress too, and
 * counts its tokens from the same number in each worker.
 */
function watchProgress({ client }: ClientChannel) {
  const listeners = new Map<number, CallOptions['progress']>();
  let next = Math.floor(Math.random() * 2 ** 30);
  client.setNotificationHandler('notifications/progress', ({ params }) => {
    const { progressToken, progress, total, message } = params;
    listeners.get(Number(progressToken))?.({
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message: cut(message, MOST_MESSAGE) }),
    });
  });
  return {
    start(listener: CallOptions['progress']): number {
      listeners.set(++next, listener);
      return next;
    },
    end: (token: number | undefined) => void (token !== undefined && listeners.delete(token)),
  };
}
