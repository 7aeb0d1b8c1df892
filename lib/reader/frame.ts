import { createSerial, untilAborted, wait } from '../async.ts';
import { type Outcome, outcomeIn, type Work } from './work.ts';

/** What is not read by then is given up. */
const MOST_MS = 45_000;

type Reader = { frame: HTMLIFrameElement; loaded: Promise<unknown> };

/** For how long one waits for work: what is read next often comes soon. */
const SPARE_MS = 20_000;

const inTurn = createSerial();
let spare: Reader | undefined;

/** Opens a reader for what will be read soon: the process that it gets, where it gets one, takes a while to start. */
export function prepareReader(): void {
  if (spare) return;
  const opened = open();
  spare = opened;
  void wait(SPARE_MS).then(() => spare === opened && takeSpare()?.frame.remove());
}

function takeSpare(): Reader | undefined {
  const taken = spare;
  spare = undefined;
  return taken;
}

function open(): Reader {
  const frame = Object.assign(document.createElement('iframe'), { src: '/reader.html', hidden: true });
  frame.sandbox.add('allow-scripts');
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  document.documentElement.append(frame);
  return { frame, loaded };
}

/**
 * Has bytes of others read in a frame of an opaque origin (entrypoints/reader), which has no part of the browser's API, no
 * storage and no network, and is thrown away with all that runs in it once it has answered, or is too slow. One at a time:
 * frames share a process, and one that never ends would hold up the others.
 * @throws Error when what it answers has another shape; whatever `signal` is aborted with
 */
export const readInFrame = (work: Work, signal = new AbortController().signal): Promise<Outcome> =>
  inTurn(async () => {
    signal.throwIfAborted();
    const { frame, loaded } = takeSpare() ?? open();
    const { port1: port, port2 } = new MessageChannel();
    const over = new AbortController();
    try {
      const answered = new Promise<{ data: unknown }>((resolve) => {
        port.addEventListener('message', resolve, over);
      });
      port.start();
      void loaded.then(() => frame.contentWindow?.postMessage(work, '*', [port2]));
      const answer = await untilAborted(Promise.race([answered, wait(MOST_MS, over.signal)]), signal);
      if (answer) {
        prepareReader(); // in the same process, which ends with its last frame
        return outcomeIn(answer.data);
      }
      takeSpare()?.frame.remove();
      return { ok: false, failure: { why: 'slow', seconds: MOST_MS / 1000 } };
    } finally {
      over.abort();
      frame.remove();
      port.close();
    }
  });
