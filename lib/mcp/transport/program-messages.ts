import { bytesOf } from '../../base64.ts';
import type { Exit, FromNativeHost } from '../../types/native-host.ts';

export type ProgramEvents = {
  message: (message: unknown) => void;
  stderr: (lines: string[]) => void;
  /** The last word. Undefined: the native host is gone, and the program with it. */
  exit: (exit: Exit | undefined) => void;
};

type Piece = Extract<FromNativeHost, { type: 'piece' }>;

/** What is told of a program, in its order: a long message comes in pieces, and takes a while to be read. */
export function orderMessages(on: ProgramEvents): ProgramEvents & { piece: (piece: Piece) => void } {
  /** The long message that comes. */
  let long: Long | undefined;
  /** What is being read, and all that came after it. */
  let queue: Promise<void> | undefined;
  const wait = (job: Promise<void>): void => {
    const turn = job.finally(() => {
      if (queue === turn) queue = undefined;
    });
    queue = turn;
  };
  const after = (tell: () => void): void => (queue ? wait(queue.then(tell, tell)) : tell());
  return {
    message: (message) => after(() => on.message(message)),
    stderr: (lines) => after(() => on.stderr(lines)),
    exit: (exit) => after(() => on.exit(exit)),
    piece({ data, isPacked, last }) {
      long ??= isPacked ? unpacked() : joined();
      long.add(data);
      if (!last) return;
      // One that looked like a message and is none is left out: the native host tells why.
      const reading = long.read().catch(() => undefined);
      long = undefined;
      const before = queue;
      const tell = async (): Promise<void> => {
        const message = await reading;
        await before?.catch(() => undefined);
        if ((message as { jsonrpc?: unknown } | undefined)?.jsonrpc === '2.0') on.message(message);
      };
      wait(tell());
    },
  };
}

type Long = { add: (data: string) => void; read: () => Promise<unknown> };

function joined(): Long {
  const texts: string[] = [];
  return {
    add: (text) => void texts.push(text),
    read: async () => JSON.parse(texts.join('')) as unknown,
  };
}

/** Unpacks what is there while the rest comes. */
function unpacked(): Long {
  const { readable, writable } = new DecompressionStream('deflate-raw');
  const message = new Response(readable).json();
  const writer = writable.getWriter();
  const ignore = (): void => undefined; // the reader of the message is told
  message.catch(ignore);
  return {
    add: (data) => void writer.write(bytesOf(data)).catch(ignore),
    read() {
      writer.close().catch(ignore);
      return message;
    },
  };
}
