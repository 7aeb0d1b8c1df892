import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolMessage } from '../../lib/agent/history.ts';
import { byteLength, isLonger, shorten } from '../../lib/agent/shorten.ts';
import type { ToolResult } from '../../lib/types/tool.ts';
import { cutOff } from './harness.ts';

const bytes = (text: string) => new TextEncoder().encode(text).length;

/** What the model gets of a result. */
function message(result: Partial<ToolResult>) {
  const [row] = cutOff('mcp__1__echo').rows;
  if (!row) throw new Error('no row');
  return toolMessage(row, { text: '', isError: false, ...result }, 1, '2026-11-01T10:00:00.000Z');
}

describe('a result', () => {
  it('of 32 kB goes to the model whole', () => {
    const text = 'x'.repeat(32 * 1024);
    expect(message({ text }).content).toBe(text);
  });

  it('over 32 kB keeps its head and its tail, three to one, and says how to read the rest', () => {
    const text = `${'a'.repeat(60_000)}${'z'.repeat(60_000)}`;
    const { content } = message({ text });
    expect(content.length).toBeLessThanOrEqual(32 * 1024);
    const [, head = '', count, call = '', tail = ''] =
      /^(a+)\n\[(\d+) characters are left out here\. To read them, call read_more with (\{.*\})\.\]\n(z+)$/.exec(
        content,
      ) ?? [];
    expect(Math.round(head.length / tail.length)).toBe(3);
    expect(head.length + Number(count) + tail.length).toBe(text.length);
    expect(JSON.parse(call)).toEqual({ result: 'm0.0', offset: head.length });
  });

  it('is measured in bytes, not in characters', () => {
    expect(message({ text: '語'.repeat(12_000) }).content).toContain('read_more');
  });

  it('has its pictures beside the text, those kinds that models take', () => {
    const image = (mimeType: string) => ({ type: 'image' as const, data: 'aGk=', mimeType });
    const blocks = [image('image/png'), { type: 'text' as const, text: 'Look' }, image('image/tiff')];
    const { content, pictures } = message({ text: 'Look', blocks });
    expect(pictures).toEqual([{ data: 'aGk=', mimeType: 'image/png' }]);
    expect(content).toBe('Look');
    expect(message({ text: 'Look' })).not.toHaveProperty('pictures');
  });

  it('that is an error is JSON, a long one too', () => {
    const { content } = message({ text: 'x'.repeat(40_000), isError: true });
    expect(JSON.parse(content)).toMatchObject({ isError: true, error: expect.stringContaining('read_more') });
  });
});

describe('shortening', () => {
  const characters = ['a', 'é', '語', '😀', '\n'];
  const text = fc.string({ unit: fc.constantFrom(...characters), maxLength: 400 });
  const broken = fc.string({ unit: fc.constantFrom(...characters, '\ud83d', '\ude00'), maxLength: 200 });
  const limit = fc.integer({ min: 8, max: 600 });

  it('leaves a text that fits as it is', () => {
    fc.assert(
      fc.property(text, fc.nat({ max: 100 }), (whole, spare) => {
        expect(shorten(whole, bytes(whole) + spare, () => '|')).toBe(whole);
      }),
    );
  });

  it('keeps the two ends of any other, in whole code points, as much as the limit allows', () => {
    fc.assert(
      fc.property(text, limit, (whole, most) => {
        fc.pre(bytes(whole) > most);
        const [head = '', from, to, tail = ''] = shorten(
          whole,
          most,
          (left) => `|${left.from}|${left.to}|`,
        ).split('|');
        expect(whole.slice(0, Number(from))).toBe(head);
        expect(whole.slice(Number(to))).toBe(tail);
        expect(head + tail).not.toMatch(/\p{Surrogate}/u);
        // No code point takes more than four bytes, so nothing that would have fitted is left out.
        for (const [end, share] of [
          [head, (most * 3) / 4],
          [tail, most / 4],
        ] as const) {
          expect(bytes(end)).toBeLessThanOrEqual(share);
          expect(bytes(end)).toBeGreaterThan(share - 5);
        }
      }),
    );
  });

  it('counts bytes as UTF-8 does, lone surrogates too', () => {
    fc.assert(
      fc.property(broken, limit, (whole, most) => {
        expect(byteLength(whole)).toBe(bytes(whole));
        expect(isLonger(whole, most)).toBe(bytes(whole) > most);
      }),
    );
  });
});
