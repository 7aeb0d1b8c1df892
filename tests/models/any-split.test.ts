import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createStreamModel } from '../../lib/models/stream-model.ts';
import type { ModelEvent } from '../../lib/types/model.ts';
import type { OfferedTool } from '../../lib/types/tools/tool.ts';
import type { WireReply } from '../fakes/wire-fixture.ts';
import { inbound } from './fixtures/inbound.ts';
import { inboundUnlisted } from './fixtures/inbound-unlisted.ts';
import { echo, plain, user } from './request.ts';

const add: OfferedTool = {
  ...echo,
  name: 'mcp__1__add',
  toolName: 'add',
  inputSchema: { type: 'object', properties: { a: {}, b: {} }, required: ['a', 'b'] },
};

type Heard = { text: string; reasoning: string; calls: string[]; last: unknown };

/** What a reply says when its bytes arrive in these pieces; every request gets it. */
async function hear(reply: Omit<WireReply, 'pieces'>, pieces: Uint8Array[]): Promise<Heard> {
  const respond = () => {
    const body = new ReadableStream<Uint8Array>({
      start(stream) {
        for (const piece of pieces) stream.enqueue(piece);
        stream.close();
      },
    });
    const headers = { 'content-type': 'text/event-stream', ...reply.headers };
    return Promise.resolve(new Response(body, { status: reply.status ?? 200, headers }));
  };
  let made = 0;
  const model = createStreamModel({
    ...plain,
    preset: 'vllm', // calls may leak into its text
    baseUrl: 'http://model.test/v1',
    fetch: respond,
    newId: () => `new${++made}`,
  });
  const heard: Heard = { text: '', reasoning: '', calls: [], last: undefined };
  const request = { messages: [user('Go')], tools: [add, echo] };
  for await (const event of model(request, new AbortController().signal)) take(event, heard);
  return heard;
}

function take(event: ModelEvent, heard: Heard): void {
  if (event.type === 'text') heard.text += event.text;
  else if (event.type === 'reasoning') heard.reasoning += event.text;
  else if (event.type === 'call') {
    heard.calls[event.position] = (heard.calls[event.position] ?? '') + event.arguments;
  } else heard.last = event;
}

function bytesOf(pieces: WireReply['pieces']): Uint8Array {
  const named = pieces.map((piece) =>
    typeof piece === 'string'
      ? Buffer.from(piece.replaceAll('{{add}}', add.name).replaceAll('{{echo}}', echo.name))
      : piece,
  );
  return new Uint8Array(Buffer.concat(named));
}

/** Cuts bytes at shares (0 to 1) of their length. */
function cutAt(bytes: Uint8Array, shares: number[]): Uint8Array[] {
  const cuts = shares.map((share) => Math.round(share * bytes.length)).toSorted((a, b) => a - b);
  return [0, ...cuts].map((from, at) => bytes.slice(from, cuts[at] ?? bytes.length));
}

const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 });
const replies = [...inbound, ...inboundUnlisted]
  .flatMap(({ name, replies: [reply] }) => (reply ? [{ name, reply, bytes: bytesOf(reply.pieces) }] : []))
  .filter(({ bytes }) => bytes.length < 20_000);

describe('the bytes of a reply, however they are cut, say the same:', () => {
  it.each(replies)('$name', async ({ reply, bytes }) => {
    const whole = await hear(reply, [bytes]);
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(await hear(reply, single)).toEqual(whole);
    await fc.assert(
      fc.asyncProperty(shares, async (at) => {
        expect(await hear(reply, cutAt(bytes, at))).toEqual(whole);
      }),
      { numRuns: 10 },
    );
  });
});

// ── Replies that no fixture lists ─────────────────────────────────────────────────────────────────────

const words = fc.constantFrom(
  '<think>',
  '</think>',
  '<thinking>',
  '</thinking>',
  '<tool_call>',
  '</tool_call>',
  '{"name":"mcp__1__add","arguments":{"a":1,"b":2}}',
  'data: [DONE]',
  'Größe',
  '🦊',
  '<',
  '</',
  '{',
  '}',
  '"',
  ' ',
  '\n',
);
const content = fc.array(words, { maxLength: 6 }).map((list) => list.join(''));
const call = fc.record(
  {
    index: fc.nat(2),
    id: fc.constantFrom('a', 'b', ''),
    function: fc.record({ name: fc.constantFrom('mcp__1__add', 'x'), arguments: content }),
  },
  { requiredKeys: ['function'] },
);
const delta = fc.record(
  { content, reasoning: content, reasoning_content: content, tool_calls: fc.array(call, { maxLength: 3 }) },
  { requiredKeys: [] },
);
const reason = fc.constantFrom('stop', 'length', 'tool_calls', null);
const chunk = fc.record({ choices: fc.tuple(fc.record({ delta, finish_reason: reason })) });
const stream = fc
  .tuple(fc.array(chunk, { maxLength: 8 }), fc.constantFrom('\n', '\r\n', '\r'), fc.boolean())
  .map(([chunks, newline, done]) => {
    const events = [...chunks.map((one) => JSON.stringify(one)), ...(done ? ['[DONE]'] : [])];
    return bytesOf(events.map((data) => `data: ${data}${newline}${newline}`));
  });

describe('any reply', () => {
  it('says the same however its bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(stream, shares, async (bytes, at) => {
        expect(await hear({}, cutAt(bytes, at))).toEqual(await hear({}, [bytes]));
      }),
      { numRuns: 300 },
    );
  });

  it('shows as text, thought and calls what its turn then holds', async () => {
    await fc.assert(
      fc.asyncProperty(stream, async (bytes) => {
        const { text, reasoning, last } = await hear({}, [bytes]);
        const end = last as ModelEvent;
        if (end.type !== 'end') return;
        expect({ text, reasoning }).toEqual({ text: end.turn.content, reasoning: end.turn.reasoning ?? '' });
      }),
      { numRuns: 300 },
    );
  });

  it('of any bytes ends with one last event', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        expect((await hear({}, [bytes])).last).toMatchObject({ type: 'error' });
      }),
      { numRuns: 100 },
    );
  });
});
