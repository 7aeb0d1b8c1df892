import { array, assert, asyncProperty, constantFrom, nat } from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payloads } from '../payloads/corpus.ts';
import { documents } from './markdown-documents.ts';
import { openMarkdownPage } from './markdown-page.ts';
import type { MarkdownPage } from './markdown-page/main.ts';

declare const markdown: MarkdownPage;

let opened: Awaited<ReturnType<typeof openMarkdownPage>>;

beforeAll(async () => {
  opened = await openMarkdownPage();
  // What is loaded when it is first seen is there from now on.
  await opened.page.evaluate(() =>
    markdown.show('$x^2$\n```js\nlet a\n```\n```ts\nlet a\n```\n```py\nNone\n```\n```sh\nls if\n```', true),
  );
  await opened.page.locator('math').waitFor();
  await opened.page.waitForFunction(() => document.querySelectorAll('.slice:has(span)').length === 4);
});
afterAll(() => opened.close());

const draw = (text: string, ends: number[] = []) =>
  opened.page.evaluate(([all, at]) => markdown.draw(all, at), [text, ends] as const);

/** What is in the page while a text is still coming. */
const half = (text: string) => opened.page.evaluate((all) => markdown.show(all), text);

describe('a document that streams', () => {
  it.each(Object.entries(documents))('is in the end what it is when drawn at once: %s', async (_, text) => {
    const whole = await draw(text);
    const each = Array.from({ length: text.length }, (_unused, at) => at);
    expect(
      await draw(
        text,
        each.filter((at) => text.length < 3000 || at % 7 === 0),
      ),
    ).toBe(whole);
    const ends = array(nat(text.length), { maxLength: 12 }).map((list) => list.toSorted((a, b) => a - b));
    await assert(
      asyncProperty(ends, async (at) => {
        expect(await draw(text, at)).toBe(whole);
      }),
      { numRuns: 15 },
    );
  });

  it('is so for any mixture of marks', async () => {
    const marks = [
      'a',
      ' ',
      '\n',
      '\n\n',
      '- ',
      '1. ',
      '> ',
      '#',
      '`',
      '```',
      '*',
      '**',
      '_',
      '[',
      ']',
      '(',
      ')',
      '|',
      '-',
      '$',
      '\\',
      '  ',
      '<',
      '>',
      ':',
      '[^a]',
      '!',
      '~~',
      'https://a.example',
      '\t',
      '=',
    ];
    const text = array(constantFrom(...marks), { maxLength: 40 }).map((list) => list.join(''));
    await assert(
      asyncProperty(text, array(nat(60), { maxLength: 8 }), async (all, at) => {
        const ends = at.map((end) => Math.min(end, all.length)).toSorted((a, b) => a - b);
        expect(await draw(all, ends)).toBe(await draw(all));
      }),
      { numRuns: 300 },
    );
  });

  it('leaves closed blocks and their nodes alone', async () => {
    const kept = await opened.page.evaluate(() => {
      const root = document.createElement('div');
      const drawing = markdown.startDrawing(root);
      const text = 'First **block**.\n\n- one\n- two\n\n| a |\n|---|\n| 1 |\n';
      drawing.grow(`${text}| 2`);
      const before = [...root.querySelectorAll('p, li, tr')].slice(0, 5);
      drawing.grow(`${text}| 2 |\n\nMore\n\n- x`);
      return before.length === 5 && before.every((node) => root.contains(node));
    });
    expect(kept).toBe(true);
  });
});

describe('what is only half there', () => {
  it.each([
    ['bold', 'some **bo', /some <strong>bo<\/strong>/],
    ['code', 'some `co', /some <code>co<\/code>/],
    ['a mark without text', 'some **', /some ?<\/p>/],
    ['a link', 'see [the page](https://exa', /see the page<\/p>/],
    ['an image', 'see ![a pic](https://exa', /see ?<\/p>/],
    ['a formula', 'so $x^2 + ', /so ?<\/p>/],
    ['a tag', 'press <kb', /press ?<\/p>/],
    ['a table’s head', '| a | b |', /<th[^>]*>a<\/th><th[^>]*>b<\/th>/],
    ['a table’s second line', '| a | b |\n|--', /<th[^>]*>a<\/th><th[^>]*>b<\/th>/],
    ['a bullet', 'a\n\n-', /<p dir="auto" class="caret">a<\/p><\/div>|<p dir="auto">a<\/p><\/div>/],
    ['a fence’s end', '```\nx\n``', /<span class="slice caret">x<\/span>/],
    ['a task', '- [x', /^<div class="blocks[^"]*"><\/div>$/],
  ])('shows no mark that goes away with the next word: %s', async (_, text, expected) => {
    expect(await half(text)).toMatch(expected);
  });
});

describe('a price', () => {
  it('is no formula', async () => {
    expect(await draw('It is $5-$10, or $3.50 each, US$5 to US$6, $HOME or $PATH.')).not.toContain('math');
  });
});

describe('a long answer', () => {
  it.each([
    '[',
    '*',
    '>',
    '`',
    '<',
    '\\',
    '[a][',
    '_a*b ',
    '`a ',
    '- ',
    '![',
    '$a$',
    '|',
    '\n> ',
    '~~a',
    '[a]: b\n',
    '[^a]: b\n',
    '1. a\n',
    '|\n|-|\n',
  ])('of nothing but %j is drawn', async (mark) => {
    expect(await draw(mark.repeat(Math.ceil(60_000 / mark.length)))).toContain('blocks');
  });

  it.each([
    ['a list', '1. a\n', 'ol > li', 'ol'],
    ['a table', '| 1 | 2 |\n', 'tbody > tr', 'tbody'],
    ['a paragraph', 'Not a short sentence, and *no* end.\n', 'p > span', 'p'],
    ['a quote', '> a\n>\n', 'blockquote p', 'blockquote > div'],
  ])('of one block does not grow in one element: %s', async (_, text, piece, whole) => {
    const begin = text.startsWith('|') ? '| a | b |\n|---|---|\n' : '';
    await opened.page.evaluate((all) => markdown.show(all, true), begin + text.repeat(500));
    const pieces = await opened.page.locator(piece).count();
    const wholes = await opened.page.locator(`#app ${whole}`).count();
    expect(wholes).toBeGreaterThan(1);
    expect(pieces / wholes).toBeLessThan(60);
  });

  it('goes on counting in a long list', async () => {
    await opened.page.evaluate((all) => markdown.show(all, true), '7. a\n'.repeat(100));
    const starts = opened.page.locator('#app ol');
    expect(
      await starts.evaluateAll((lists) => lists.map((list) => (list as HTMLOListElement).start)),
    ).toEqual([7, 47, 87]);
  });

  it('of lists in lists in lists is drawn', async () => {
    const nested = Array.from({ length: 300 }, (_, at) => `${'  '.repeat(at)}- a`).join('\n');
    expect(await draw(nested)).toContain('<li');
  });
});

describe('a hostile text', () => {
  it.each(['http://127.0.0.1:9', 'https://canary.portside.test'])(
    'runs nothing and asks %s for nothing, whole or half',
    async (canary) => {
      const { page, complaints } = opened;
      const asked: string[] = [];
      const note = (request: { url: () => string }) => asked.push(request.url());
      page.on('request', note);
      for (const { name, text } of payloads(canary)) {
        const found = await page.evaluate((all) => {
          for (let end = 1; end < all.length; end += 17) markdown.show(all.slice(0, end));
          markdown.show(all, true);
          return markdown.offences(document.getElementById('app') ?? document.body);
        }, text);
        expect({ name, found }).toEqual({ name, found: [] });
      }
      await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))));
      expect(await page.evaluate("globalThis.pwned ?? 'nothing ran'")).toBe('nothing ran');
      page.off('request', note);
      expect(asked.filter((url) => !url.startsWith(new URL(page.url()).origin))).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );
});
