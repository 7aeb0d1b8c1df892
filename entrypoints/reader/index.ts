import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';
import type { Outcome, Work } from '../../lib/reader/work.ts';
import type { Failure, Unreadable } from '../../lib/unreadable.ts';
import { read } from './read.ts';

/**
 * Reads foreign bytes, which may be made to take this frame over: the frame has no secrets and no permissions, and its only
 * output is one message, which lib/reader/frame.ts checks. A classic script, as are those that it loads: Firefox refuses
 * modules to an opaque origin.
 */
export default defineUnlistedScript(() => {
  addEventListener(
    'message',
    ({ data, ports: [port], source }: MessageEvent<Work>) => {
      if (source !== parent || !port) return;
      void read(data).then(
        (content) => port.postMessage({ ok: true, content } satisfies Outcome),
        (error: unknown) => {
          const failure = failureOf(error);
          if (!failure) console.error(error);
          port.postMessage(failure ? { ok: false, failure } : null);
        },
      );
    },
    { once: true },
  );
});

/** The scripts that are loaded have a class of their own. */
const failureOf = (error: unknown): Failure | undefined =>
  error instanceof Error && error.name === 'Unreadable' ? (error as Unreadable).failure : undefined;
