import { PassThrough, Readable } from 'node:stream';
import { array, assert, asyncProperty, jsonValue, nat } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FromNativeHost, type ToNativeHost, WINDOW } from '../../lib/types/native-host.ts';
import { FrameError, frameOf, readFrames, requireFrame } from '../../native-host/frames.ts';
import { createOutgoing } from '../../native-host/outgoing.ts';

const MOST_FROM_HOST = 1024 * 1024;

async function all(frames: AsyncIterable<unknown>): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const each of frames) found.push(each);
  return found;
}

async function read(chunks: Uint8Array[], most?: number): Promise<unknown[]> {
  return all(readFrames(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), most));
}

const frame = (value: unknown): Buffer => frameOf(JSON.stringify(value));

describe('frames from the browser', () => {
  it('are read however the stream is cut, headers too', async () => {
    await assert(
      asyncProperty(
        array(jsonValue(), { maxLength: 5 }),
        array(nat(200), { maxLength: 8 }),
        async (values, cuts) => {
          const whole = Buffer.concat(values.map(frame));
          const places = [...new Set([0, ...cuts.filter((at) => at < whole.length), whole.length])];
          const sorted = places.toSorted((one, other) => one - other);
          const chunks = sorted.slice(1).map((end, index) => whole.subarray(sorted[index], end));
          expect(await read(chunks)).toEqual(JSON.parse(JSON.stringify(values)));
        },
      ),
    );
  });

  it('are two when one chunk holds two', async () => {
    expect(await read([Buffer.concat([frame({ a: 1 }), frame({ b: 2 })])])).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it('are none when the stream ends at once', async () => {
    expect(await read([])).toEqual([]);
  });

  it('are refused when one is announced as too long, before it is taken in', async () => {
    const header = Buffer.alloc(4);
    header.writeUInt32LE(101);
    await expect(read([header], 100)).rejects.toThrow('A frame of 101 bytes was announced; 100 are allowed.');
  });

  it('are refused when they are no frames at all', async () => {
    await expect(read([Buffer.from('GET / HTTP/1.1\r\n\r\n')])).rejects.toThrow(FrameError);
    await expect(read([frameOf('{"cut":')])).rejects.toThrow('A frame is not JSON.');
  });

  it('are refused when the stream ends inside one', async () => {
    await expect(read([frame({ a: 1 }).subarray(0, 6)])).rejects.toThrow('ended inside a frame');
    await expect(read([frame({ a: 1 }).subarray(0, 2)])).rejects.toThrow('ended inside a frame');
  });
});

describe('what a frame holds', () => {
  const launch = { command: 'x', args: ['-y'], env: { A: 'b' } };

  it.each<ToNativeHost>([
    { type: 'hello', protocol: 1 },
    { type: 'start', channel: 1, launch, idleMs: null },
    { type: 'start', channel: 1, launch: { ...launch, cwd: '/' }, idleMs: 1000 },
    { type: 'message', channel: 1, message: { jsonrpc: '2.0', method: 'ping', id: 1 } },
    { type: 'stop', channel: 1 },
    { type: 'ack', frames: 16 },
    { type: 'request', id: 1, request: { type: 'check', launch } },
    { type: 'request', id: 1, request: { type: 'doctor' } },
    { type: 'cancel', id: 1 },
  ])('is taken as it should be: %j', (value) => {
    expect(requireFrame(value)).toBe(value);
  });

  it.each(['of tomorrow', 'toString'])('is left to the receiver when its type is unknown: %s', (type) => {
    const value = { type };
    expect(requireFrame(value)).toBe(value);
  });

  it.each<[unknown, string]>([
    [null, 'A frame is no object.'],
    [[{ type: 'stop', channel: 1 }], 'A frame is no object.'],
    [{ channel: 1 }, 'A frame has no type.'],
    [{ type: 'start', channel: 1, idleMs: null }, 'A frame of type “start” is not as it should be.'],
    [{ type: 'start', channel: 1, launch: { ...launch, args: [1] }, idleMs: null }, 'of type “start”'],
    [{ type: 'start', channel: 1, launch: { ...launch, env: { A: null } }, idleMs: null }, 'of type “start”'],
    [{ type: 'message', channel: 1, message: null }, 'of type “message”'],
    [{ type: 'request', id: 1 }, 'of type “request”'],
    [{ type: 'request', id: 1, request: { type: 'check' } }, 'of type “request”'],
  ])('is refused in words where it is not: %j', (value, why) => {
    expect(() => requireFrame(value)).toThrow(why);
  });
});

describe('frames to the browser', () => {
  function start(output = new PassThrough({ highWaterMark: 64 * 1024 * 1024 })) {
    const roomy: number[] = [];
    const outgoing = createOutgoing(output, (lane) => roomy.push(lane));
    return { output, outgoing, roomy };
  }
  const message = (channel: number, text: string): FromNativeHost => ({
    type: 'message',
    channel,
    message: text,
  });
  const sent = async (output: PassThrough): Promise<FromNativeHost[]> => {
    output.end();
    return (await all(readFrames(output))) as FromNativeHost[];
  };
  const joined = (frames: FromNativeHost[], lane: number): string =>
    frames.map((each) => (each.type === 'part' && each.lane === lane ? each.text : '')).join('');

  it('are cut so that each passes the browser’s limit, and join to what they were', async () => {
    const { output, outgoing } = start();
    const long = message(1, '"å😀\\\u0007'.repeat(400_000));
    outgoing.send(1, long);
    const sizes: number[] = [];
    const frames: FromNativeHost[] = [];
    while (joined(frames, 1).length < JSON.stringify(long).length) {
      for (;;) {
        const header = output.read(4) as Buffer | null;
        if (!header) break;
        sizes.push(header.readUInt32LE());
        frames.push(JSON.parse(String(output.read(header.readUInt32LE()))) as FromNativeHost);
      }
      outgoing.acknowledged(WINDOW);
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MOST_FROM_HOST);
    expect(JSON.parse(joined(frames, 1))).toEqual(long);
  });

  it('wait until the worker took in what is on its way', async () => {
    const { output, outgoing } = start();
    for (let at = 0; at < WINDOW + 5; at++) outgoing.send(1, message(1, String(at)));
    const count = () => output.readableLength;
    const before = count();
    outgoing.acknowledged(2);
    expect(count()).toBeGreaterThan(before);
    expect(await sent(output)).toHaveLength(WINDOW + 2);
  });

  it('wait while the pipe is full', async () => {
    const { output, outgoing } = start(new PassThrough({ highWaterMark: 10 }));
    for (let at = 0; at < 5; at++) outgoing.send(1, message(1, String(at)));
    const one = frame(message(1, '0')).length;
    // Both ends of the pipe hold one.
    expect(output.writableLength + output.readableLength).toBe(2 * one);
    const frames = readFrames(output);
    for (let at = 0; at < 5; at++) expect((await frames.next()).value).toEqual(message(1, String(at)));
  });

  it('of one server come between the pieces of another’s', async () => {
    const { output, outgoing } = start();
    outgoing.send(1, message(1, 'x'.repeat(3_000_000)));
    for (let at = 0; at < 30; at++) outgoing.send(2, message(2, 'filler'));
    outgoing.send(3, message(3, 'short'));
    outgoing.acknowledged(WINDOW);
    const frames = await sent(output);
    const short = frames.findIndex((each) => each.type === 'message' && each.channel === 3);
    expect(short).toBeLessThan(WINDOW + 3);
    expect(frames.slice(short).some((each) => each.type !== 'message' || each.channel !== 3)).toBe(true);
  });

  it('tell when a lane is full, and when it has room again', () => {
    const { outgoing, roomy } = start();
    expect(outgoing.send(2, message(2, 'short'))).toBe(true);
    let isRoomy = true;
    for (let at = 0; at < 20 && isRoomy; at++) isRoomy = outgoing.send(1, message(1, 'x'.repeat(1_000_000)));
    for (let at = 0; at < 20 && isRoomy; at++) isRoomy = outgoing.send(1, message(1, 'x'.repeat(1_000_000)));
    expect(isRoomy).toBe(false);
    expect(roomy).toEqual([]);
    outgoing.acknowledged(WINDOW);
    outgoing.acknowledged(WINDOW);
    expect(roomy).toEqual([1]);
  });
});
