import { describe, expect, it } from 'vitest';
import { toToolResult } from '../../lib/mcp/content/results.ts';

const base64 = 'QUJD'.repeat(1000);

describe('a tool result', () => {
  it('reads as its text blocks, a line each', () => {
    const raw = {
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
    };
    expect(toToolResult(raw)).toEqual({ text: 'one\ntwo', isError: false, blocks: raw.content });
  });

  it('is never a decision of the user, whatever fields it has', () => {
    const result = toToolResult({ content: [], refusal: 'denied', word: 'Pay it', edited: '{}' });
    expect(Object.keys(result).toSorted()).toEqual(['blocks', 'isError', 'text']);
  });

  it('reads as its structured content when it has no text', () => {
    const result = toToolResult({ content: [], structuredContent: { total: 42 } });
    expect(result.text).toBe('{"total":42}');
    expect(result.structured).toEqual({ total: 42 });
  });

  it('reads as its text alone when it has both', () => {
    const result = toToolResult({
      content: [{ type: 'text', text: '42' }],
      structuredContent: { total: 42 },
    });
    expect(result.text).toBe('42');
  });

  it('names images, sounds and files in words, without their base64', () => {
    const { text, blocks } = toToolResult({
      content: [
        { type: 'image', data: base64, mimeType: 'image/png' },
        { type: 'audio', data: base64, mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'file:///a.bin', mimeType: 'application/zip', blob: base64 } },
        { type: 'resource_link', uri: 'file:///b.txt', name: 'b' },
      ],
    });
    expect(text).not.toContain('QUJD');
    expect(text).toMatch(
      /image\/png, 3 kB.*audio\/wav.*file:\/\/\/a.bin \(application\/zip.*file:\/\/\/b.txt/s,
    );
    expect(blocks).toHaveLength(4);
    expect(blocks?.[0]).toEqual({ type: 'image', data: base64, mimeType: 'image/png' });
  });

  it('says of each picture and sound whether the user sees or hears it', () => {
    const image = (mimeType: string, data = base64) => ({ type: 'image', data, mimeType });
    const { text } = toToolResult({
      content: [
        ...Array.from({ length: 6 }, () => image('image/png')),
        image('image/svg+xml'),
        image('image/png', 'A'.repeat(4_000_000)),
        { type: 'audio', data: base64, mimeType: 'audio/wav' },
        { type: 'audio', data: base64, mimeType: 'sound' },
      ],
    });
    expect(text.split('\n')).toEqual([
      ...Array(6).fill('[An image (image/png, 3 kB) is shown to the user.]'),
      '[An image (image/svg+xml, 3 kB), which the user can’t see.]',
      '[An image (image/png, 2930 kB), which the user can’t see.]',
      '[A sound (audio/wav, 3 kB) is available to the user.]',
      '[A sound (sound, 3 kB), which the user can’t play.]',
    ]);
  });

  it('tells the model in words of what is only for the user', () => {
    const content = [
      { type: 'text', text: 'for all' },
      { type: 'text', text: 'for you', annotations: { audience: ['user'] } },
      { type: 'text', text: 'for both', annotations: { audience: ['user', 'assistant'] } },
    ];
    const { text, blocks } = toToolResult({ content });
    expect(text).toBe('for all\nfor both\n[One part of the result is for the user only.]');
    expect(blocks).toHaveLength(3);
  });

  it('marks the pictures that are only for the user', () => {
    const picture = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
    const content = [{ ...picture, annotations: { audience: ['user'] } }, picture];
    expect(toToolResult({ content }).blocks).toEqual([{ ...picture, onlyForUser: true }, picture]);
  });

  it('reads as its structured content when all of its text is only for the user', () => {
    const content = [{ type: 'text', text: 'for you', annotations: { audience: ['user'] } }];
    expect(toToolResult({ content, structuredContent: { total: 42 } }).text).toContain('{"total":42}');
  });

  it('includes the text of a resource', () => {
    const content = [{ type: 'resource', resource: { uri: 'file:///a.txt', text: 'hello' } }];
    expect(toToolResult({ content }).text).toBe('[Resource file:///a.txt]\nhello');
  });

  it.each([
    { type: 'hologram', data: 1 },
    { type: 'image' },
    { type: 'resource', resource: null },
    'words',
    null,
  ])('keeps a block that it does not understand: %j', (value) => {
    const result = toToolResult({ content: [value] });
    expect(result.blocks).toEqual([{ type: 'unknown', value }]);
    expect(result.text).toContain('does not know');
  });

  it('says so when there is nothing in it', () => {
    expect(toToolResult({}).text).toBe('(The tool returned nothing.)');
    expect(toToolResult({ content: 'nonsense' }).blocks).toEqual([]);
  });

  it.each([101, 600_000])('is without a structured part that nests %i deep, and says so', (levels) => {
    const raw: unknown = JSON.parse(`{"a":`.repeat(levels) + '1' + '}'.repeat(levels));
    const content = [{ type: 'text', text: 'hello' }];
    const result = toToolResult({ content, structuredContent: raw });
    expect(result).not.toHaveProperty('structured');
    expect(toToolResult({ content: [...content, { type: 'hologram', raw }] }).text).toMatch(
      /^hello\n\[A part of the result is more than 100 levels deep/,
    );
    expect(result.text).toBe(
      'hello\n[The structured part of the result is more than 100 levels deep, so it was left out.]',
    );
  });

  it('has what only an app gets of it, but not a million numbers', () => {
    const meta = { map: [1, 2] };
    expect(toToolResult({ content: [], _meta: meta }).meta).toEqual(meta);
    const numbers = Array.from({ length: 1_000_000 }, () => 1e20);
    expect(toToolResult({ content: [], _meta: { map: numbers } }).meta).toBeUndefined();
  });

  it('is without a structured part of a million pieces, and without the parts after the thousandth, and says so', () => {
    const parts = Array.from({ length: 1002 }, (_, at) => ({ type: 'text', text: String(at) }));
    const raw = { content: parts, structuredContent: { x: Array.from({ length: 1_000_000 }, () => []) } };
    const { text, blocks, structured } = toToolResult(raw);
    expect(structured).toBeUndefined();
    expect(blocks).toHaveLength(1001);
    expect(text.split('\n').slice(998)).toEqual([
      '998',
      '999',
      '[2 more parts were left out.]',
      '[The structured part of the result is too large, so it was left out.]',
    ]);
  });

  it('is an error only when the server says so', () => {
    expect(toToolResult({ content: [], isError: true }).isError).toBe(true);
    expect(toToolResult({ content: [], isError: 'yes' }).isError).toBe(false);
  });
});
