import { describe, expect, it } from 'vitest';
import { errorOf } from '../../lib/reader/failures.ts';
import { outcomeIn } from '../../lib/reader/work.ts';

const picture = { mimeType: 'image/png', data: 'AAAA' };
const content = {
  title: 'A page',
  text: 'Fair weather',
  mimeType: 'text/plain',
  whole: 'All',
  isUnseen: true,
};

describe('what the reader answers', () => {
  it.each<[string, object]>([
    ['what it read', { ok: true, content: { ...content, pictures: [picture] } }],
    ['a text alone', { ok: true, content: { text: '' } }],
    ['why it did not', { ok: false, failure: { why: 'broken', kind: 'pdf', cause: 'no xref' } }],
    ['why it did not, in a word', { ok: false, failure: { why: 'locked' } }],
  ])('is %s', (_what, answer) => {
    expect(outcomeIn(answer)).toEqual(answer);
  });

  it('holds nothing besides', () => {
    const more = { html: '<b>', source: { serverId: 1 }, toString: 'x' };
    expect(
      outcomeIn({ ok: true, content: { ...content, ...more, pictures: [{ ...picture, ...more }] }, ...more }),
    ).toStrictEqual({ ok: true, content: { ...content, pictures: [picture] } });
    expect(
      outcomeIn({ ok: false, failure: { why: 'empty', message: 'Call us.', fix: 'Allow all.' } }),
    ).toStrictEqual({
      ok: false,
      failure: { why: 'empty' },
    });
  });

  it.each<[string, unknown]>([
    ['nothing', null],
    ['a text', 'ok'],
    ['neither', { content }],
    ['no content', { ok: true }],
    ['no text', { ok: true, content: { title: 'A page' } }],
    ['a text that is none', { ok: true, content: { text: ['Fair weather'] } }],
    ['a text that is too long', { ok: true, content: { text: 'x'.repeat(20_000_001) } }],
    ['a title that is too long', { ok: true, content: { text: '', title: 'x'.repeat(10_001) } }],
    ['a title that is none', { ok: true, content: { text: '', title: {} } }],
    [
      'a picture that is a document',
      { ok: true, content: { text: '', pictures: [{ ...picture, mimeType: 'image/svg+xml' }] } },
    ],
    ['a picture without data', { ok: true, content: { text: '', pictures: [{ mimeType: 'image/png' }] } }],
    ['pictures that are none', { ok: true, content: { text: '', pictures: 'AAAA' } }],
    ['many pictures', { ok: true, content: { text: '', pictures: [picture, picture] } }],
    ['a failure of its own', { ok: false, failure: { why: 'hacked' } }],
    ['a failure that every object has', { ok: false, failure: { why: 'toString' } }],
    ['a failure of a kind of its own', { ok: false, failure: { why: 'broken', kind: 'exe', cause: '' } }],
    [
      'a failure that tells stories',
      { ok: false, failure: { why: 'broken', kind: 'pdf', cause: 'x'.repeat(1001) } },
    ],
    ['a failure without its number', { ok: false, failure: { why: 'noText', pages: 'many' } }],
  ])('is refused when it is %s', (_what, answer) => {
    expect(() => outcomeIn(answer)).toThrow('The reader answered in another shape.');
  });

  it('becomes words of ours, with what to do', () => {
    expect(errorOf({ why: 'slow', seconds: 30 }, 'a.pdf')).toMatchObject({
      message: 'Reading it took longer than 30 seconds, so it was stopped.',
      fix: 'Attach part of it, or save its text in a file and attach that.',
    });
  });
});
