import { array, assert, dictionary, jsonValue, oneof, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { members, pretty, visible, visibleError } from '../../lib/state/shown-text.ts';

describe('what a user is shown', () => {
  it.each([
    ['turns the direction of the text', '/notes/\u202Etxt.exe', '/notes/\\u202etxt.exe'],
    ['isolates a direction', 'a\u2066b\u2069', 'a\\u2066b\\u2069'],
    ['has no width', 'pay\u200bpal\ufeff', 'pay\\u200bpal\\ufeff'],
    ['is a tag', 'a\u{E0041}', 'a\\udb40\\udc41'],
    ['is a control', 'a\u0000\u001b[2K\u009b\rb', 'a\\u0000\\u001b[2K\\u009b\\u000db'],
    ['is a blank letter', 'a\u3164\u115fb', 'a\\u3164\\u115fb'],
    ['is a blank of Braille', 'pay\u2800', 'pay\\u2800'],
    ['pads', 'a\u2003 \u2003\u3000b', 'a\\u2003 \\u2003\\u3000b'],
    ['is half a character', 'a\ud800', 'a\\ud800'],
  ])('tells of what %s', (_what, text, shown) => {
    expect(visible(text)).toBe(shown);
    expect(pretty(text)).toBe(shown);
    const json = JSON.stringify({ [text]: [text] });
    expect(pretty(json)).not.toMatch(/[\u202e\u2066\u200b\ufeff\u{E0041}\u009b\u3164]/u);
    expect(JSON.parse(pretty(json))).toEqual(JSON.parse(json));
  });

  it('is so of every part of an error', () => {
    const error = { message: 'A\u202e', cause: 'b\u0000', fix: 'c\u200b' };
    expect(visibleError(error)).toEqual({ message: 'A\\u202e', cause: 'b\\u0000', fix: 'c\\u200b' });
    expect(visibleError({ message: 'A' })).toEqual({ message: 'A' });
    expect(visibleError({ message: 'A', cause: 'TypeError: Failed to fetch' })).toEqual({ message: 'A' });
  });

  it('keeps what a user reads: lines, tabs, letters and pictographs', () => {
    const text = 'Straße\t你好\r\nשלום\n👩‍💻 ❤️ 👍🏽 10\u202f000\u00a0€\n\u3000\u3000ひ\u3000と ⠓⠊\u2800⠽⠕⠥';
    expect(visible(text)).toBe(text);
  });

  it('shows numbers and repeated keys as they were written', () => {
    expect(pretty('{"ms":12345678901234567890,"ms":1.10}')).toBe(
      '{\n  "ms": 12345678901234567890,\n  "ms": 1.10\n}',
    );
  });

  it('indents every JSON value as usual', () => {
    assert(
      property(oneof(dictionary(string(), jsonValue()), array(jsonValue())), (value) => {
        expect(pretty(JSON.stringify(value))).toBe(visible(JSON.stringify(value, null, 2)));
      }),
    );
  });

  it('leaves text that is no JSON object or list as it is, and what is nested too deeply', () => {
    for (const text of ['{"a":', '42', '"text"', '']) expect(pretty(text)).toBe(text);
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(pretty(deep)).toBe(deep);
  });

  it('reads escapes of ordinary letters', () => {
    expect(pretty('["\\u4f60\\u202e"]')).toBe('[\n  "你\\u202e"\n]');
  });

  it('takes long strings', () => {
    const long = JSON.stringify(['\\"x'.repeat(2_000_000)]);
    expect(pretty(long)).toHaveLength(long.length + 4);
  });
});

describe('the members of a JSON object', () => {
  it('are each on one line, as they were written', () => {
    expect(
      members('{ "a": 1.0, "b": "x\\ny", "c": {"d": [1, {"e": null}], "f": 2}, "a": true, "g": [] }'),
    ).toEqual([
      { name: 'a', value: '1.0' },
      { name: 'b', value: '"x\\ny"' },
      { name: 'c', value: '{"d": [1, {"e": null}], "f": 2}' },
      { name: 'a', value: 'true' },
      { name: 'g', value: '[]' },
    ]);
    expect(members('{}')).toEqual([]);
  });

  it('hide nothing, nor by escapes', () => {
    expect(members('{"a\u202E": "b\u202E"}')).toEqual([{ name: 'a\\u202e', value: '"b\\u202e"' }]);
    expect(members('{"a": ["\\u0068\\u0069 \\u202e\\n"]}')).toEqual([
      { name: 'a', value: '["hi \\u202e\\n"]' },
    ]);
  });

  it.each(['', '[1]', '"a"', 'null', '{'])('are none of %j', (text) => expect(members(text)).toBeUndefined());
});
