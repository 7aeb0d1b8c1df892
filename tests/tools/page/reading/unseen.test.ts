import { expect, it } from 'vitest';
import { withoutUnseen } from '../../../../lib/tools/page/reading/unseen.ts';

it.each([
  ['zero-width spaces', 'a\u200Bb\u2060c\uFEFF', 'abc', 3],
  ['tags', 'flag\u{E0068}\u{E0069}', 'flag', 2],
  ['directions', 'a\u202Eb\u2066c', 'abc', 2],
  ['variation selectors in a row', 'x\uFE01\uFE0F\u{E0101}', 'x', 3],
  ['fillers', 'a\u3164b', 'ab', 1],
])('%s are left out and counted', (_name, given, text, hidden) => {
  expect(withoutUnseen(given)).toEqual({ text, hidden });
});

it('every character of that kind is seen by the quick look', () => {
  const joins = new Set([0x200c, 0x200d, 0xfe0e, 0xfe0f, 0xad]);
  const missed: string[] = [];
  for (let code = 0; code < 0x110000; code += 1) {
    const character = String.fromCodePoint(code);
    if (/\p{Default_Ignorable_Code_Point}/u.test(character) && !joins.has(code)) {
      if (withoutUnseen(character).hidden !== 1) missed.push(code.toString(16));
    }
  }
  expect(missed).toEqual([]);
});

it('what joins emoji and letters stays, and a soft hyphen goes without a word', () => {
  for (const text of ['👨‍👩‍👧', '❤️', 'می‌خواهم']) expect(withoutUnseen(text)).toEqual({ text, hidden: 0 });
  expect(withoutUnseen('light\u00ADhouse')).toEqual({ text: 'lighthouse', hidden: 0 });
});
