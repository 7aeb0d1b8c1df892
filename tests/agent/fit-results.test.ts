import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitResults } from '../../lib/agent/context/fit-results.ts';
import { toolMessage } from '../../lib/agent/context/history.ts';
import { tokensOfMessages } from '../../lib/agent/context/tokens.ts';
import type { Message, ToolMessage } from '../../lib/types/message.ts';
import type { ToolResult } from '../../lib/types/tools/tool-result.ts';
import { userMessage } from '../fakes/rows.ts';
import { calls, failed, says, scriptedModel } from '../fakes/scripted-model.ts';
import { collect, contents, cutOff, only, run, toolContents, types } from './harness.ts';

const bytes = (text: string) => new TextEncoder().encode(text).length;
const isTool = (message: Message): message is ToolMessage => message.role === 'tool';

/** A branch with one step of these results, as they are stored. */
function step(results: Partial<ToolResult>[]): Message[] {
  const { history, rows } = cutOff(...results.map(() => 'mcp__1__echo'));
  const messages = results.map((result, at) => {
    const row = rows[at];
    if (!row) throw new Error('no row');
    return toolMessage(row, { text: '', isError: false, ...result }, 1, '2026-11-01T10:00:00.000Z');
  });
  return [...history, ...messages];
}

/** What is sent of the results, and what of the text is left out, as it says. */
function sent(history: Message[], window: number, halves = 0) {
  return fitResults(history, window, halves)
    .filter(isTool)
    .map(({ content }) => content);
}
const LEFT_OUT = /\n\[(\d+) characters are left out here\. To read them, call read_more with (\{.*?\})\.\]\n/;

describe('the results of a step', () => {
  it('are sent as they are stored where the model reads enough', () => {
    const history = step([{ text: 'x'.repeat(60_000) }, { text: 'short' }]);
    expect(fitResults(history, 128_000)).toEqual(history);
  });

  it('of 32 kB each take a quarter of a window of 32k tokens, however many', () => {
    const any = fc.record({
      count: fc.integer({ min: 1, max: 40 }),
      size: fc.constantFrom(9000, 32_768, 90_000),
    });
    fc.assert(
      fc.property(any, fc.constantFrom(4096, 8192, 32_768), ({ count, size }, window) => {
        const text = 'word '.repeat(size).slice(0, size);
        const messages = fitResults(step(Array.from({ length: count }, () => ({ text }))), window).filter(
          isTool,
        );
        // A result that has no room at all still says how to read it.
        const least = count * 60;
        expect(tokensOfMessages(messages)).toBeLessThanOrEqual(Math.max(0.25 * window, least) + count * 9);
        for (const { content } of messages) {
          expect(content === text || LEFT_OUT.test(content)).toBe(true);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('leave the long ones what the short ones do not take', () => {
    const short = { text: 's'.repeat(2000) };
    const [first, second, long = ''] = sent(step([short, short, { text: 'x'.repeat(30_000) }]), 8192);
    expect([first, second]).toEqual([short.text, short.text]);
    expect(bytes(long)).toBeGreaterThan(2900);
    expect(bytes(long)).toBeLessThanOrEqual(3168);
  });

  it('say where in the stored text they are cut, cut before or not', () => {
    const part = fc.constantFrom('a', 'é', '語', '😀', '\n', ' 12 ');
    const long = fc
      .array(part, { minLength: 100, maxLength: 400 })
      .chain((parts) => fc.integer({ min: 1, max: 400 }).map((times) => parts.join('').repeat(times)));
    fc.assert(
      fc.property(long, fc.integer({ min: 1200, max: 40_000 }), (text, window) => {
        const [content = ''] = sent(step([{ text }]), window);
        const cut = LEFT_OUT.exec(content);
        if (!cut) return content === text;
        expect(content.match(/read_more/g)).toHaveLength(1);
        const [head = '', tail] = content.split(cut[0]);
        const { result, offset } = JSON.parse(cut[2] ?? '');
        expect(result).toBe('m0.0');
        expect(offset).toBe(head.length);
        expect(text.slice(0, offset)).toBe(head);
        expect(text.slice(offset + Number(cut[1]))).toBe(tail);
        return true;
      }),
      { numRuns: 60 },
    );
  });

  it('that are errors stay JSON', () => {
    const [content = ''] = sent(step([{ text: '"\n'.repeat(20_000), isError: true }]), 4096);
    expect(bytes(content)).toBeLessThanOrEqual(3584);
    expect(JSON.parse(content)).toMatchObject({ isError: true, error: expect.stringMatching(LEFT_OUT) });
  });

  it('that only look like errors are cut as text', () => {
    const [content = ''] = sent(step([{ text: `{"isError":true,"error":"${'x'.repeat(9000)}` }]), 4096);
    expect(content).toMatch(LEFT_OUT);
  });

  it('are halved where a server found even that too long, those of older steps are not', () => {
    const older = step([{ text: 'o'.repeat(3000) }]);
    const newer = step([{ text: 'n'.repeat(3000) }]).map((each): Message => ({
      ...each,
      parentId: each.parentId && `${each.parentId}+`,
      id: `${each.id}+`,
    }));
    const [first = '', second = ''] = sent([...older, ...newer], 128_000, 1);
    expect(first).toHaveLength(3000);
    expect(second.length).toBeLessThanOrEqual(1500);
    expect(second.length).toBeGreaterThan(1400);
  });
});

describe('a run with a small context window', () => {
  const bigResult = {
    callTool: async (_call: unknown, _args: unknown, { started }: { started: () => Promise<void> }) => {
      await started();
      return { status: 'success' as const, result: { text: 'x'.repeat(48_000), isError: false } };
    },
  };
  const asked = () => calls(['mcp__1__echo', {}]);
  const tooLong = [failed('model_too_long', 'Too long.')];

  it('sends as much of a long result as fits, and summarises nothing', async () => {
    const script = scriptedModel(asked(), says('Done'));
    const events = await collect(run(script, {}, { ...bigResult, given: { contextWindow: 4096 } }));
    expect(types(events)).not.toContain('summary_start');
    expect(tokensOfMessages(script.requests[1]?.messages ?? [])).toBeLessThan(0.3 * 4096);
    expect(toolContents(script.requests[1]?.messages)[0]).toMatch(LEFT_OUT);
    expect(events.at(-1)).toMatchObject({ reason: 'done' });
  });

  it('counts of a result only what is sent of it', async () => {
    const script = scriptedModel(asked(), says('Done'), says('Done'));
    const history = [userMessage('y'.repeat(7000))];
    const events = await collect(run(script, { history }, { ...bigResult, given: { contextWindow: 8192 } }));
    expect(types(events)).not.toContain('summary_start');
    expect(script.requests).toHaveLength(2);
  });

  it('asks once more with half of the newest results when the server finds it too long', async () => {
    const script = scriptedModel(asked(), tooLong, says('Done'));
    const events = await collect(run(script, {}, bigResult));
    const [whole = '', half = ''] = script.requests
      .slice(1)
      .flatMap(({ messages }) => toolContents(messages));
    expect(whole.length).toBeGreaterThan(32_000);
    expect(half.length).toBeLessThanOrEqual(whole.length / 2);
    expect(only(events, 'iteration_start').map(({ iteration }) => iteration)).toEqual([1, 2, 2]);
    expect(events.at(-1)).toMatchObject({ reason: 'done' });
  });

  it('ends with the server’s word when that is too long as well', async () => {
    const script = scriptedModel(asked(), tooLong, tooLong, says('Never'));
    const events = await collect(run(script, {}, bigResult));
    expect(script.requests).toHaveLength(3);
    expect(events.at(-1)).toMatchObject({ reason: 'error', error: { code: 'model_too_long' } });
  });

  it('does not ask again where there is no result to halve', async () => {
    const script = scriptedModel(tooLong, says('Never'));
    await collect(run(script, { history: [userMessage('x'.repeat(9000))] }));
    expect(script.requests).toHaveLength(1);
    expect(contents(script.requests[0]?.messages)).toHaveLength(1);
  });
});
