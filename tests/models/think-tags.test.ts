import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createThinkSplitter } from '../../lib/models/reply/think-tags.ts';

/** What pieces of content turn out to be, together. */
function split(...pieces: string[]) {
  const splitter = createThinkSplitter();
  const splits = [...pieces.map(splitter.push), splitter.end()];
  return { thought: splits.map((one) => one.thought).join(''), text: splits.map((one) => one.text).join('') };
}

describe('thinking inside the text', () => {
  it.each([
    ['a thought and an answer', '<think>Hm.</think>42', 'Hm.', '42'],
    ['the longer tag', '<thinking>Hm.</thinking>42', 'Hm.', '42'],
    ['white space around them', '\n <think>\nHm.\n</think>\n\n42\n', 'Hm.\n', '42\n'],
    ['an unclosed thought', '<think>Hm. </thi', 'Hm. </thi', ''],
    ['a line end in what could have been the closing tag', '<think></\n', '</\n', ''],
    ['an empty thought', '<think></think>42', '', '42'],
    ['nothing but white space', ' \n', '', ' \n'],
    ['white space before an answer', ' \n42', '', ' \n42'],
    ['half a tag', '<thin', '', '<thin'],
    ['another tag', '<thinker>x</thinker>', '', '<thinker>x</thinker>'],
    ['a tag in the middle', 'So <think>x</think>', '', 'So <think>x</think>'],
    ['a second thought', '<think>a</think>b<think>c</think>', 'a', 'b<think>c</think>'],
    ['the other closing tag', '<think>a</thinking>b</think>c', 'a</thinking>b', 'c'],
    ['angle brackets in a thought', '<think>a<b</c</think>d', 'a<b</c', 'd'],
  ])('is %s', (_, content, thought, text) => {
    expect(split(content)).toEqual({ thought, text });
    expect(split(...content)).toEqual({ thought, text });
  });

  it('is the same however the text is cut', () => {
    const parts = [
      '<think>',
      '</think>',
      '<thinking>',
      '</thinking>',
      '<',
      '</',
      '>',
      ' ',
      '\n',
      'a',
      'think',
    ];
    const pieces = fc.array(fc.array(fc.constantFrom(...parts)).map((list) => list.join('')));
    fc.assert(
      fc.property(pieces, (list) => {
        expect(split(...list)).toEqual(split(list.join('')));
      }),
    );
  });

  it('shows the answer as soon as it cannot be a tag', () => {
    const { push } = createThinkSplitter();
    expect(push('<t')).toEqual({ thought: '', text: '' });
    expect(push('able>')).toEqual({ thought: '', text: '<table>' });
  });
});
