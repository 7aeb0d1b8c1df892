import { describe, expect, it } from 'vitest';
import { createSpeaking } from '../../lib/state/speaking.ts';
import { nextSpoken } from '../../lib/state/speech.ts';

/** All that is spoken of a text that grows by so many characters at a time. */
function spoken(text: string, step = text.length, over = true): string[] {
  const said: string[] = [];
  let from = 0;
  for (let length = step; ; length += step) {
    const isWhole = length >= text.length;
    let piece = nextSpoken(text.slice(0, length), from, isWhole && over);
    while (piece) {
      if (piece.said !== '') said.push(piece.said);
      from = piece.end;
      piece = nextSpoken(text.slice(0, length), from, isWhole && over);
    }
    if (isWhole) return said;
  }
}

describe('what is spoken of an answer', () => {
  it('is sentences that are finished', () => {
    expect(spoken('The session ends. A new one beg', undefined, false)).toEqual(['The session ends.']);
    expect(spoken('The session ends. A new one begins')).toEqual(['The session ends.', 'A new one begins']);
  });

  it.each([1, 2, 7, 1000])('is the same whatever pieces it comes in, here of %i characters', (step) => {
    const text = [
      '# Result',
      '',
      'Two of **three** fail. See [issue 1708](https://github.com/a/b/issues/1708).',
      'It is still open.',
      '',
      '| SDK | Issue |',
      '| --- | ----- |',
      '| TypeScript | 1708 |',
      '| Python | 3556 |',
      '',
      '1. First `code`',
      '- [ ] then *this*',
      '',
      '```ts',
      'const a = 1;',
      '',
      'a();',
      '```',
      'The end.',
    ].join('\n');
    expect(spoken(text, step)).toEqual([
      'Result',
      'Two of three fail.',
      'See issue 1708.',
      'It is still open.',
      'Table, 2 rows.',
      'First code',
      'then this',
      'Code, 3 lines.',
      'The end.',
    ]);
  });

  it('names what is no prose, and reads no address out', () => {
    expect(spoken('```\na\nb\nc\n')).toEqual(['Code, 3 lines.']);
    expect(spoken('$$\nx^2\n$$\n')).toEqual(['Formula.']);
    expect(spoken('See https://example.com/a/b?c=d for ![a plan](https://example.com/p.png)')).toEqual([
      'See example.com for image a plan',
    ]);
    expect(spoken('Costs 3 * 4 and snake_case stays[^1].')).toEqual(['Costs 3 4 and snake_case stays.']);
  });

  it('is nothing of a code block that is still being written', () => {
    expect(spoken('```ts\nconst a = 1;\n', undefined, false)).toEqual([]);
  });

  it('comes to an end with any text', () => {
    for (const text of [
      '|',
      '||\n|-|',
      '```',
      '$$',
      '>',
      '- ',
      '\n\n',
      '# ',
      '[](',
      '~~~\n~~~\n~~~',
      '$$ $$',
    ]) {
      expect(() => spoken(text, 1)).not.toThrow();
    }
  });
});

describe('speaking', () => {
  function scene() {
    const timers: { task: () => void; ms: number }[] = [];
    const speaking = createSpeaking((task, ms) => void timers.push({ task, ms }));
    const next = (): number => {
      const timer = timers.shift();
      timer?.task();
      return timer?.ms ?? 0;
    };
    return { ...speaking, timers, next };
  }

  it('waits until a voice is through, however fast the text comes', () => {
    const { words, follow, timers, next } = scene();
    const text = 'One more sentence for the reader. '.repeat(100);
    for (let length = 0; length <= text.length; length += 40) follow('m', text.slice(0, length), false);
    expect(timers).toHaveLength(1);
    next();
    expect(words.value.length).toBeGreaterThan(200);
    expect(words.value.length).toBeLessThan(400);
    expect(timers).toHaveLength(1);
    expect(timers[0]?.ms).toBeGreaterThan(words.value.length * 30);
  });

  it('goes on after the end until all is said, then clears', () => {
    const { words, follow, next, timers } = scene();
    follow('m', 'One. Two.', false);
    expect(words.value).toBe('One.');
    follow('m', 'One. Two.', true);
    next();
    expect(words.value).toBe('Two.');
    next();
    expect(words.value).toBe('');
    expect(timers).toHaveLength(1);
    next();
    expect(timers).toHaveLength(0);
  });

  it('does not say again what was there before', () => {
    const { words, skip, follow } = scene();
    skip('m', 'Old. ');
    follow('m', 'Old. New. A', false);
    expect(words.value).toBe('New.');
  });

  it('falls silent for the rest of the answer, and speaks the next one', () => {
    const { words, follow, hush, next } = scene();
    follow('m', 'One. Two', false);
    hush();
    expect(words.value).toBe('');
    follow('m', 'One. Two. Three. Four', false);
    next();
    expect(words.value).toBe('');
    follow('n', 'Another. A', false);
    next();
    expect(words.value).toBe('Another.');
  });

  it('does not wait for the end of a message that was silenced in the middle', () => {
    const { words, follow, hush, announce, next, timers } = scene();
    follow('m', `${'A long sentence that a voice needs a while for '.repeat(4)}. And`, false);
    hush();
    announce('It asks.');
    expect(words.value).toBe('It asks.');
    next();
    expect(words.value).toBe('It asks.');
    expect(timers).toHaveLength(1);
  });

  it('says what waits for the user before the rest of the answer', () => {
    const { words, follow, announce, next } = scene();
    follow('m', 'One. Two. Three', false);
    follow('m', 'One. Two. Three. Four', false);
    announce('It asks.');
    next();
    expect(words.value).toBe('It asks. Three.');
  });
});
