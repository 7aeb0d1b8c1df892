import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createNativeLink } from '../../lib/mcp/transport/native-link.ts';
import type { ProgramEvents } from '../../lib/mcp/transport/program-messages.ts';
import {
  type FromNativeHost,
  NATIVE_PROTOCOL,
  type Policy,
  type ToNativeHost,
} from '../../lib/types/native-host.ts';
import { createLongMessages } from '../../native-host/channels.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const launch = { command: 'npx', args: [], env: {} };
const policyOf = (...commands: string[]): Policy => ({ file: '/policy.json', commands });

/** In place of a browser: native hosts that say hello with this policy, or nothing, as long as `isMute`. */
function browser() {
  const host = {
    isMute: false,
    policy: policyOf('npx'),
    started: 0,
    ended: 0,
    heard: [] as ToNativeHost[],
    say: (() => undefined) as (frame: FromNativeHost) => void,
  };
  const link = createNativeLink(({ message }) => {
    host.started += 1;
    host.say = message;
    return {
      postMessage(frame) {
        const asked = frame as ToNativeHost;
        host.heard.push(asked);
        if (asked.type !== 'hello' || host.isMute) return;
        const about = { version: '1.0.0', node: '24.0.0', policy: host.policy };
        queueMicrotask(() =>
          message({ type: 'hello', protocol: NATIVE_PROTOCOL, ...about } satisfies FromNativeHost),
        );
      },
      disconnect: () => void (host.ended += 1),
    };
  });
  return { host, link };
}

const events = () => ({ message: vi.fn(), stderr: vi.fn(), exit: vi.fn() }) satisfies ProgramEvents;

describe('a native host that starts and says nothing', () => {
  it('is ended, its callers are told, and the next one is started', async () => {
    const { host, link } = browser();
    host.isMute = true;
    const outcomes = Promise.allSettled([link.about(), link.start(launch, null, events())]);
    await vi.advanceTimersByTimeAsync(20_000);
    const missing = {
      status: 'rejected',
      reason: { code: 'native_host_missing', detail: expect.stringContaining('sent nothing') as string },
    };
    expect(await outcomes).toMatchObject([missing, missing]);
    expect(host.ended).toBe(1);
    host.isMute = false;
    await expect(link.about()).resolves.toMatchObject({ version: '1.0.0' });
    expect(host.started).toBe(2);
  });

  it('any more is ended at the next request, with its programs', async () => {
    const { host, link } = browser();
    const program = events();
    await link.start(launch, null, program);
    host.isMute = true;
    const about = link.about().catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await about).toMatchObject({ code: 'native_host_missing' });
    expect(program.exit).toHaveBeenCalledWith(undefined);
    expect(host.ended).toBe(1);
  });

  it('before a request is left running if it said hello', async () => {
    const { host, link } = browser();
    await link.start(launch, null, events());
    await vi.advanceTimersByTimeAsync(60_000);
    expect(host.ended).toBe(0);
  });
});

describe('what a native host says of itself', () => {
  it('is read anew, though a program keeps it running', async () => {
    const { host, link } = browser();
    await link.start(launch, null, events());
    host.policy = policyOf('uvx');
    await expect(link.about()).resolves.toMatchObject({ policy: { commands: ['uvx'] } });
    expect(host.started).toBe(1);
  });

  it('is requested once for concurrent callers', async () => {
    const { host, link } = browser();
    await Promise.all([link.about(), link.about()]);
    expect(host.heard.filter(({ type }) => type === 'hello')).toHaveLength(1);
  });
});

describe('a request that is cancelled', () => {
  const check = { type: 'check', launch } as const;

  it('is cancelled at the native host by its number', async () => {
    const { host, link } = browser();
    const controller = new AbortController();
    void link.ask(check, controller.signal);
    await vi.waitFor(() => expect(host.heard.at(-1)).toMatchObject({ type: 'request' }));
    controller.abort();
    const [request, cancel] = host.heard.slice(-2);
    expect(cancel).toEqual({ type: 'cancel', id: request && 'id' in request && request.id });
  });

  it('is cancelled there, too, when it was cancelled before it was sent', async () => {
    const { host, link } = browser();
    void link.ask(check, AbortSignal.abort());
    await vi.waitFor(() =>
      expect(host.heard.map(({ type }) => type)).toEqual(['hello', 'request', 'cancel']),
    );
  });
});

describe('a message that comes in pieces', () => {
  const said = { jsonrpc: '2.0', id: 1, result: { text: 'it says "}' } };
  const json = JSON.stringify(said);
  /** What is passed on of it, cut in the middle of a character too. */
  function framed(channel: number, message = json): FromNativeHost[] {
    const frame = createLongMessages(channel);
    const bytes = Buffer.from(message);
    return [frame(bytes.subarray(0, 100), false), frame(bytes.subarray(100), true)];
  }
  async function started(count: number) {
    const { host, link } = browser();
    const programs = Array.from({ length: count }, events);
    for (const program of programs) await link.start(launch, null, program);
    const channels = host.heard.flatMap((frame) => (frame.type === 'start' ? [frame.channel] : []));
    return { host, programs, channels };
  }

  const noise = () => randomBytes(300).toString('base64');
  it.each([
    ['packed', true, () => 'äö'.repeat(200)],
    ['as text where packing gains nothing', false, () => `${noise()}ä${noise()}`],
  ])('is one message of its program, whatever comes between: %s', async (_, isPacked, text) => {
    const { host, programs, channels } = await started(2);
    const [first = 0, second = 0] = channels;
    const messages = [text(), text()].map((result) => ({ jsonrpc: '2.0', id: 1, result }));
    const [one, other] = [
      framed(first, JSON.stringify(messages[0])),
      framed(second, JSON.stringify(messages[1])),
    ];
    expect(one[0]).toMatchObject({ isPacked });
    for (const [at, frame] of one.entries()) {
      host.say(frame);
      host.say({ type: 'stderr', channel: first, lines: ['between'] });
      host.say(other[at] ?? frame);
    }
    const told = programs.map(({ message }) => message.mock.calls);
    await vi.waitFor(() => expect(told).toEqual([[[messages[0]]], [[messages[1]]]]));
  });

  it('comes before what its program says and does after it', async () => {
    const { host, programs, channels } = await started(1);
    const [program, channel = 0] = [programs[0] ?? events(), channels[0]];
    const order: unknown[] = [];
    program.message.mockImplementation((message) => void order.push(message));
    program.stderr.mockImplementation(([line]) => void order.push(line));
    program.exit.mockImplementation(() => void order.push('exit'));
    const next = { jsonrpc: '2.0', method: 'next' };
    for (const frame of framed(channel, JSON.stringify({ ...said, long: 'x'.repeat(1000) }))) host.say(frame);
    host.say({ type: 'message', channel, message: next });
    host.say({ type: 'stderr', channel, lines: ['line'] });
    host.say({ type: 'exit', channel, exit: { type: 'stopped' } });
    await vi.waitFor(() => expect(order).toEqual([expect.objectContaining(said), next, 'line', 'exit']));
  });

  it('and is none in the end is left out, and the next one is read', async () => {
    const { host, programs, channels } = await started(1);
    const [program, channel = 0] = [programs[0] ?? events(), channels[0]];
    const pad = ' '.repeat(200);
    for (const none of [`{"type":"exit"${pad}`, `{"type":"exit"${pad}}`])
      for (const frame of framed(channel, none)) host.say(frame);
    for (const frame of framed(channel)) host.say(frame);
    await vi.waitFor(() => expect(program.message.mock.calls).toEqual([[said]]));
    expect(program.exit).not.toHaveBeenCalled();
  });
});
