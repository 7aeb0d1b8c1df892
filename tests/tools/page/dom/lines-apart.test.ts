import { describe, expect, it } from 'vitest';
import { linesApart } from '../../../../lib/tools/page/dom/lines-apart.ts';

const apart = (gone: string[], came: string[], words: string[], idle: string[] = []) =>
  linesApart(gone, came, [
    { words, isIdle: false },
    { words: idle, isIdle: true },
  ]);

describe('what a page changes by itself', () => {
  it('is kept apart from what came of an action, in text and in names', () => {
    const gone = ['- text: Online: 2', '- button "Inbox 2" [ref=e4]', '- status: Ready'];
    const came = ['- text: Online: 9', '- button "Inbox 9" [ref=e4]', '- status: Saved'];
    const found = apart(gone, came, ['Online: 2', 'Online: 9', '2', '9']);
    expect(found).toMatchObject({ gone: ['- status: Ready'], came: ['- status: Saved'] });
    expect(found.byItself).toHaveLength(4);
  });

  it('is so where it is drawn anew, with other references', () => {
    const words = ['Bid 2', 'Bid 9'];
    expect(apart(['- button "Bid 2" [ref=e4]'], ['- button "Bid 9" [ref=e7]'], words).came).toEqual([]);
  });

  it('has its words alone, not parts of others, and nothing new that was not seen before', () => {
    const words = ['2', '9'];
    expect(apart(['- text: 25 ships'], ['- text: 95 ships'], words).came).toEqual(['- text: 95 ships']);
    expect(apart([], ['- text: 9'], words).came).toEqual(['- text: 9']);
    expect(apart([], ['- listitem: 9'], words, ['9']).came).toEqual([]);
    expect(apart([], ['- dialog "Failed 9"'], words, ['9']).came).toEqual(['- dialog "Failed 9"']);
  });

  it('is paired within one place: a message takes not the place of a clock', () => {
    const found = linesApart(
      ['- paragraph: Online: 2'],
      ['- paragraph: Hello', '- paragraph: Online: 3'],
      [
        { words: ['Online: 2', 'Online: 3'], isIdle: false },
        { words: ['Hello'], isIdle: false },
      ],
    );
    expect(found).toMatchObject({ gone: [], came: ['- paragraph: Hello'] });
  });
});
