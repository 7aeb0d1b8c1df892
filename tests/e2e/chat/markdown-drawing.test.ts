import { array, assert, asyncProperty, constantFrom, nat } from 'fast-check';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payloads } from '../../payloads/corpus.ts';
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

  it('is drawn in several tasks where much comes at once, and is in the end what it is when drawn at once', async () => {
    const text = '## Days\n\n- one **day** of `many`\n\nMore of them follow.\n\n'.repeat(1_500);
    const { drawn, html } = await opened.page.evaluate((all) => markdown.arrive(all), text);
    const steps = drawn.map((length, at) => length - (drawn[at - 1] ?? 0));
    expect(steps.length).toBeGreaterThan(2);
    expect(Math.max(...steps)).toBeLessThan(text.length / 2);
    expect(html).toBe(await draw(text));
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
    ['an item', '  a\n\n', 'li p', 'li > div'],
  ])('of one block does not grow in one element: %s', async (_, text, piece, whole) => {
    const begin = text.startsWith('|') ? '| a | b |\n|---|---|\n' : text.startsWith(' ') ? '- a\n\n' : '';
    await opened.page.evaluate((all) => markdown.show(all, true), begin + text.repeat(500));
    const pieces = await opened.page.locator(piece).count();
    const wholes = await opened.page.locator(`#app ${whole}`).count();
    expect(wholes).toBeGreaterThan(1);
    expect(pieces / wholes).toBeLessThan(60);
  });

  it.each([
    ['code', '```\n', '\n```', 'code > .slice'],
    ['a heading', '# ', '', 'h1 > .piece'],
    ['the head of a table', '| ', ' |\n|---|\n| b |', 'th > .piece'],
    ['a cell', '| a |\n|---|\n| ', ' |', 'td > .piece'],
  ])('is laid out in pieces where its letters go both ways: %s', async (_, begin, end, piece) => {
    const text = `${begin}${'aא'.repeat(12_000)}${end}`;
    await opened.page.evaluate((all) => markdown.show(all, true), text);
    const pieces = await opened.page.locator(piece).allTextContents();
    expect(pieces.length).toBeGreaterThan(1);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(9_000);
    expect(pieces.join('')).toBe('aא'.repeat(12_000));
    // The first line of a table is a paragraph's, as long as it comes and is long.
    const ends = begin === '| ' ? [] : [8_000, 8_100, 17_000, 24_003];
    expect(await draw(text, ends)).toBe(await draw(text));
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

describe('a link', () => {
  it.each([
    [
      'says its host in its name when its text does not',
      '[the page](https://a.example/x)',
      'the page (a.example)',
      'a.example',
    ],
    ['says no host twice', '[on a.example](https://www.a.example/x)', 'on a.example', null],
    ['is an address that says it itself', 'https://a.example/x', 'https://a.example/x', null],
    ['shows the host that its text hides', '[b.example](https://a.example/x)', 'b.example (a.example)', null],
    ['to a mailbox names where it is', '[write](mailto:me@a.example)', 'write (a.example)', 'a.example'],
  ])('%s', async (_, text, name, unseen) => {
    const { page } = opened;
    await page.evaluate((all) => markdown.show(all, true), text);
    const link = page.getByRole('link', { name, exact: true });
    expect(await link.getAttribute('data-host')).toBe(unseen);
  });

  it('shows its host where nothing can rest on it', async () => {
    const { page } = opened;
    await page.evaluate(() => markdown.show('[the page](https://a.example/x)', true));
    const shown = (on: Page) =>
      on.evaluate(
        () => getComputedStyle(document.querySelector('#app a') ?? document.body, '::after').content,
      );
    expect(await shown(page)).toBe('none');
    const touched = await page.context().browser()?.newPage({ hasTouch: true, isMobile: true });
    if (!touched) throw new Error('The browser is gone.');
    await touched.goto(page.url());
    await touched.waitForFunction('window.markdown !== undefined');
    await touched.evaluate(() => markdown.show('[the page](https://a.example/x)', true));
    expect(await shown(touched)).toBe('" a.example"');
    await touched.close();
  });
});

describe('what may be wider than the panel', () => {
  it.each([
    ['a table', '| WIDE |\n| LINE |\n| WIDE |', '.table'],
    ['code', '```\nWIDE\n```', '.code pre'],
    ['a formula', '$$\nWIDE\n$$', '.formula'],
  ])('is a stop of the Tab key only while it is: %s', async (_, text, frame) => {
    const { page } = opened;
    const stop = page.locator(`#app ${frame}`);
    for (const [inside, expected] of [
      ['x', null],
      [
        Array(60)
          .fill('x')
          .join(frame === '.table' ? ' | ' : ' + '),
        '0',
      ],
    ] as const) {
      const columns = inside.split(' | ').length;
      const wide = text.replaceAll('WIDE', inside).replace('LINE', Array(columns).fill('-').join('|'));
      await page.evaluate((all) => markdown.show(all, true), wide);
      if (frame === '.formula') await page.locator('#app math').waitFor();
      await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => setTimeout(seen))));
      expect(await stop.getAttribute('tabindex')).toBe(expected);
    }
  });

  it('has columns that can be read in a narrow panel', async () => {
    const { page } = opened;
    await page.setViewportSize({ width: 320, height: 800 });
    await page.evaluate(() =>
      markdown.show(
        '| Client | Since |\n|---|---|\n| TypeScript | 14 November 2026 |\n| A name of a client that is rather long | #3556 |',
        true,
      ),
    );
    const heights = await page
      .locator('#app tbody td')
      .evaluateAll((cells) => cells.map((cell) => cell.clientHeight));
    const widths = await page
      .locator('#app tbody td')
      .evaluateAll((cells) => cells.map((cell) => cell.clientWidth));
    // One line each, and of the long one no more than three.
    expect(heights[0]).toBeLessThan(32);
    expect(heights[2]).toBeLessThan(72);
    expect(Math.min(...widths)).toBeGreaterThan(48);
    await page.setViewportSize({ width: 400, height: 800 });
  });
});

describe('a formula', () => {
  it.each([
    ['in a line', 'So $e^{i\\pi} + 1 = 0$ holds.', 'So $e^{i\\pi} + 1 = 0$ holds.'],
    ['of its own', 'So:\n\n$$\nx^2\n$$\n\nholds.', '$$\nx^2\n$$'],
  ])('is copied as it was written: %s', async (_, text, copied) => {
    const { page } = opened;
    await page.evaluate((all) => markdown.show(all, true), text);
    await page.locator('#app math').waitFor();
    const selected = await page.evaluate(() => {
      getSelection()?.selectAllChildren(document.getElementById('app') ?? document.body);
      const clipboardData = new DataTransfer();
      document.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true }));
      return clipboardData.getData('text/plain');
    });
    expect(selected).toContain(copied);
    expect(selected).not.toContain('π');
  });
});

describe('a formula that defines commands', () => {
  const drawnOften = `${'x'.repeat(300)}}${'\\a'.repeat(100)}`;
  it.each([
    ['\\def', `\\def\\a{${drawnOften}`],
    ['\\newcommand', `\\newcommand{\\a}{${drawnOften}`],
    ['an argument', `\\def\\a#1{${'#1'.repeat(300)}}\\a{${'x'.repeat(300)}}`],
  ])('stays as it was written: with %s', async (_, tex) => {
    const { page } = opened;
    await page.evaluate((all) => markdown.show(all, true), `So $${tex}$ and $y^2$.`);
    await page.locator('#app math').waitFor();
    expect(await page.locator('#app math').count()).toBe(1);
    expect(await page.locator('#app .math').first().textContent()).toBe(`$${tex}$`);
  });
});

describe('what an answer draws', () => {
  it.each(['$\\raisebox{9em}{x}$', 'a' + '\u0302'.repeat(90)])('stays in its own place: %j', async (text) => {
    const { page } = opened;
    await page.evaluate((all) => markdown.show(all, true), text);
    if (text.startsWith('$')) await page.locator('#app math').waitFor();
    const [before, after] = [await pageWith('visible'), await pageWith('')];
    expect(after).toBe(await pageWith('', ''));
    expect(before).not.toBe(after);

    /** What is above the answer then, as a picture. */
    async function pageWith(overflow: string, color = 'red'): Promise<string> {
      await page.evaluate(
        ([over, ink]) => {
          const app = document.getElementById('app');
          if (app) Object.assign(app.style, { marginTop: '300px', overflow: over, color: ink });
        },
        [overflow, color],
      );
      const clip = { x: 0, y: 0, width: 400, height: 280 };
      return (await page.screenshot({ clip })).toString('base64');
    }
  });
});

describe('a picture that stands in the text itself', () => {
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
  /** A whole picture, and behind its end what no reader looks at. */
  const padded = (length: number): string => {
    const bytes = Buffer.concat([Buffer.from(pixel, 'base64'), Buffer.alloc(Math.ceil((length * 3) / 4))]);
    return bytes.toString('base64');
  };
  it.each([100, 2000, 100_000])('is drawn, if it has %i characters', async (length) => {
    const text = `Look: ![A dot](data:image/png;base64,${padded(length)}) there, and on it goes.`;
    const whole = await draw(text);
    expect(whole).toContain('<img alt="A dot"');
    expect(whole).toContain('> there, and on it goes.');
    expect(await draw(text, [20, 900, 1500, 1601, text.length - 30, text.length - 24])).toBe(whole);
  });

  it('is text above the size limit', async () => {
    const text = `![A dot](data:image/png;base64,${padded(300_000)})`;
    const whole = await draw(text);
    expect(whole).not.toContain('<img');
    expect(await draw(text, [200_000, 262_100, 262_200])).toBe(whole);
  });
});

describe('a direction', () => {
  it('is that of each paragraph, item, quote, cell and heading; code is read from the left', async () => {
    const { page } = opened;
    const arabic = 'مرحبا بالعالم';
    const text = `# ${arabic}\n\n${arabic}\n\nEnglish\n\n- ${arabic}\n- English\n\n> ${arabic}\n\n| ${arabic} | b |\n|---|---|\n| ${arabic} | c |\n\n\`\`\`\n${arabic}\n\`\`\`\n\n[^1]: ${arabic}`;
    await page.evaluate((all) => markdown.show(all, true), text);
    const directions = await page.evaluate(() =>
      ['h1', 'p', 'li', 'blockquote', 'th', 'td', 'pre', '.footnotes li'].map((name) =>
        [...document.querySelectorAll(`#app ${name}`)]
          .map((element) => `${name} ${element.matches(':dir(rtl)') ? 'rtl' : 'ltr'}`)
          .join(', '),
      ),
    );
    expect(directions).toEqual([
      'h1 rtl',
      'p rtl, p ltr, p rtl, p ltr, p rtl, p rtl',
      'li rtl, li ltr, li rtl',
      'blockquote rtl',
      'th rtl, th ltr',
      'td rtl, td ltr',
      'pre ltr',
      '.footnotes li rtl',
    ]);
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

describe('a character reference', () => {
  it('is read by the browser once, however often it comes', async () => {
    const asked = await opened.page.evaluate(() => {
      const { parseFromString } = DOMParser.prototype;
      let count = 0;
      DOMParser.prototype.parseFromString = function parse(...given) {
        count += 1;
        return parseFromString.apply(this, given);
      };
      const html = markdown.draw('Salt &middot; vinegar &middot; &#8212; &amp;middot;\n\n'.repeat(500));
      DOMParser.prototype.parseFromString = parseFromString;
      return { again: Math.max(0, count - 3), html: html.slice(html.lastIndexOf('Salt')) };
    });
    expect(asked).toEqual({ again: 0, html: expect.stringMatching(/^Salt · vinegar · — &amp;middot;</) });
  });
});

// The browser reports to the console what it reads here: after what looks at the console.
describe('what is drawn', () => {
  it.each([
    ['<b>a</b><code>b</code><br><kbd>c</kbd>', undefined],
    ['<p dir="auto">a</p><span>b</span>', undefined],
    ['<b id="baseURI">a</b>', '<b>a</b>'],
    ['<i onclick="alert()">a</i><span style="color:red">b</span>', '<i>a</i><span>b</span>'],
    ['a<img src="x" onerror="alert()">b', 'ab'],
    ['<b is="x-b">a</b>', '<b is="">a</b>'],
    ['<x-b>a</x-b><svg><b>b</b></svg><math><p>c</p></math>', 'a<b>b</b><p>c</p>'],
    ['<svg><a href="https://a.example/">a</a></svg>', ''],
    ['<a href="https://a.example/" title="t">a</a>', undefined],
    ['<a href="https://a.example/" ping="https://b.example/">a</a>', '<a href="https://a.example/">a</a>'],
    ['<a href="javascript:alert()">a</a><a href="//a.example/">b</a>', '<a>a</a><a>b</a>'],
    ['<template><b>a</b></template><form><b>a</b></form>', '<b>a</b>'],
    ['<b>a</b><script>alert()</script>', '<b>a</b>'],
  ])('is let by or taken out by the sanitiser: %s', async (html, left = html) => {
    expect(await opened.page.evaluate((each) => markdown.sanitise(each), html)).toBe(left);
  });
});
