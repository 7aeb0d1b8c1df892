import type { Writable } from 'node:stream';
import { type FromNativeHost, WINDOW } from '../lib/types/native-host.ts';
import { frameOf } from './frames.ts';

/**
 * Characters of a piece. Browsers take 1 MiB at once, but Chromium, which reads 4 kB at a time, is twice as fast with such
 * pieces. In a string of JSON a character of JSON is at most three bytes: what would be longer is escaped in it already.
 */
const PIECE = 60_000;
/** Characters of a frame of type `piece`, which is sent whole: it is a piece already, however much is escaped in it. */
const MOST_GIVEN = 400_000;

/** A lane with more characters than this waiting is full. */
const MOST_WAITING = 4_000_000;

type Lane = {
  /** As JSON, with the most of it that is sent at once. */
  waiting: { json: string; most: number }[];
  size: number;
  /** Characters of the first that waits that were sent already. */
  sent: number;
};

/**
 * What goes to the worker: frames of one lane in their order, the lanes in turns, so that a short answer never waits for
 * the whole of a long one; long frames in pieces; and no more at once than the worker and the pipe take.
 */
export function createOutgoing(output: Writable, onRoom: (lane: number) => void) {
  const lanes = new Map<number, Lane>();
  let credit = WINDOW;
  let isBlocked = false;

  const flush = (): void => {
    for (const [id, lane] of lanes) {
      if (credit <= 0 || isBlocked) return;
      credit -= 1;
      const wasFull = isFull(lane);
      isBlocked = !output.write(frameOf(next(id, lane)));
      // Behind all others, which a Map goes on to.
      lanes.delete(id);
      if (lane.waiting.length > 0) lanes.set(id, lane);
      if (wasFull && !isFull(lane)) onRoom(id);
    }
  };
  output.on('drain', () => {
    isBlocked = false;
    flush();
  });
  return {
    /** Sends a frame after those of its lane; false when the lane is full, until `onRoom` tells otherwise. */
    send(id: number, frame: FromNativeHost): boolean {
      const lane = lanes.get(id) ?? { waiting: [], size: 0, sent: 0 };
      const json = JSON.stringify(frame);
      lane.waiting.push({ json, most: frame.type === 'piece' ? MOST_GIVEN : PIECE });
      lane.size += json.length;
      lanes.set(id, lane);
      flush();
      return !isFull(lane);
    },
    /** The worker took in so many. */
    acknowledged(frames: number): void {
      credit = Math.min(credit + frames, WINDOW);
      flush();
    },
  };
}

const isFull = (lane: Lane): boolean => lane.size > MOST_WAITING;

/** The next frame of a lane, as JSON: the whole of what waits first, or a piece of it. */
function next(id: number, lane: Lane): string {
  const { json, most } = lane.waiting[0] ?? { json: '', most: PIECE };
  const from = lane.sent;
  const text = json.slice(from, from + most);
  const last = from + text.length === json.length;
  lane.size -= text.length;
  lane.sent = last ? 0 : from + text.length;
  if (last) lane.waiting.shift();
  if (from === 0 && last) return json;
  return JSON.stringify({ type: 'part', lane: id, text, last } satisfies FromNativeHost);
}
