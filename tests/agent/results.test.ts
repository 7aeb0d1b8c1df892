import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolMessage } from '../../lib/agent/context/history.ts';
import { byteLength, isLonger, shorten } from '../../lib/agent/context/shorten.ts';
import type { ToolResult } from '../../lib/types/tools/tool-result.ts';
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

  const base64 = (...parts: (string | number[])[]) =>
    Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1'))).toString('base64');
  const kinds = {
    'image/png': base64([0x89], 'PNG\r\n', [0x1a], '\n', [0, 0, 0, 13], 'IHDR'),
    'image/jpeg': base64([0xff, 0xd8, 0xff, 0xe0], 'rest'),
    'image/gif': base64('GIF89a', 'rest'),
    'image/webp': base64('RIFF', [1, 250, 3, 4], 'WEBPVP8 '),
  };
  const image = (data: string, mimeType = 'image/png') => ({ type: 'image' as const, data, mimeType });

  it.each(Object.entries(kinds))('has its pictures beside the text: %s', (mimeType, data) => {
    const blocks = [image(data, mimeType), { type: 'text' as const, text: 'Look' }];
    expect(message({ text: 'Look', blocks })).toMatchObject({
      pictures: [{ data, mimeType }],
      content: 'Look',
    });
    expect(message({ text: 'Look' })).not.toHaveProperty('pictures');
  });

  it('has no picture that is only for the user', () => {
    const blocks = [{ ...image(kinds['image/png']), onlyForUser: true as const }];
    expect(message({ text: 'Look', blocks })).not.toHaveProperty('pictures');
  });

  it('has its pictures as what they are, whatever the server calls them, in base64 without line breaks', () => {
    const data = kinds['image/jpeg'];
    const blocks = [image(`${data.slice(0, 4)}\r\n${data.slice(4)}\n`, 'image/png')];
    expect(message({ blocks }).pictures).toEqual([{ data, mimeType: 'image/jpeg' }]);
  });

  it.each([
    ['of another kind', base64('II*', [0], 'tiff'), /no whole PNG/],
    ['that are none', base64('<html>'), /no whole PNG/],
    ['without a byte', '', /no whole PNG/],
    ['in broken base64', `${kinds['image/png']}!`, /no whole PNG/],
    ['cut in base64', kinds['image/png'].slice(0, -3), /no whole PNG/],
    ['of more than 5 MB', kinds['image/png'].replace(/=*$/, 'A'.repeat(6_000_000)), /larger than 5 MB/],
  ])('has pictures %s in words only', (_what, data, why) => {
    const good = image(kinds['image/gif']);
    const { content, pictures } = message({ text: 'Look', blocks: [image(data), good] });
    expect(pictures).toEqual([{ data: good.data, mimeType: 'image/gif' }]);
    expect(content).toMatch(/^Look\n\(A picture could not be used: /);
    expect(content).toMatch(why);
    expect(message({ blocks: [image(data)] })).not.toHaveProperty('pictures');
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
