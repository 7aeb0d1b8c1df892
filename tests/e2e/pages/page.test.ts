import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { PagePart } from '../../../lib/types/page.ts';
import { call, stream, text } from '../../fakes/model-server.ts';
import { hidden, leftward, overFixed, shown, underFixed, startSite, type Site } from './page-site.ts';
import { openScene, until, type Scene } from '../support/scene.ts';

/** What editors hold, as their HTML begins. */
const editors = [
  '<h2 id="head">Head</h2><a href="/x" target="_blank">link</a><!--c-->',
  '<ul><li>one</li><li>two <b>bold</b></li></ul><p>end</p>',
  '<blockquote>quoted<br>twice</blockquote><p>said</p>',
  '<pre>  code\n  more</pre><p>said</p>',
  '<div>line<br></div>words <img alt="z">',
];

let scene: Scene;
let site: Site;
let page: Page;

beforeAll(async () => {
  [scene, site] = await Promise.all([openScene(), startSite()]);
  scene.model.otherwise(stream(text('So I read.')));
  page = await scene.portside.context.newPage();
});
afterAll(async () => {
  await scene.close();
  await site.close();
});

const panel = () => scene.portside.panel;
const field = () => panel().getByRole('textbox', { name: 'Message' });
const chips = () => panel().locator('form').getByRole('list', { name: 'Context' }).getByRole('listitem');

afterEach(async () => {
  // Before another chat is shown: what is stored of its draft comes later than the chat.
  await until('the draft is empty', async () => {
    if ((await chips().count()) === 0) return true;
    await chips()
      .first()
      .getByRole('button', { name: /^Remove/ })
      .click();
    return false;
  });
  await panel().getByRole('button', { name: 'New chat' }).click();
});

async function visit(path: string): Promise<void> {
  await page.goto(site.url + path);
  await page.bringToFront();
}

/** Chooses an entry of the menu that the paper clip opens. */
async function choose(name: string | RegExp): Promise<void> {
  await panel().getByRole('button', { name: 'Attach' }).click();
  await panel().getByRole('listbox', { name: 'Context' }).getByRole('option', { name }).click();
}

async function add(name: string | RegExp): Promise<void> {
  const before = await chips().count();
  await choose(name);
  await until(
    'it is read',
    async () => (await chips().getByRole('button', { name: 'tokens' }).count()) > before,
  );
}

/** Sends the draft. @returns what the model gets of it */
async function send(words = 'What is it about?'): Promise<string> {
  const before = scene.model.requests.length;
  await field().fill(words);
  await panel().getByRole('button', { name: 'Send', exact: true }).click();
  const { body } = await scene.model.waitForRequest(before);
  await scene.idle();
  return String(body.messages.at(-1)?.content);
}

/** Reads a part of what the tab in front shows, as the panel has it read. @returns what the model would get */
async function read(part: PagePart = 'page'): Promise<string> {
  const { command } = scene.portside;
  const tab = (await command('listTabs')).find(({ url }) => url === page.url());
  if (!tab) throw new Error(`No tab shows ${page.url()}.`);
  const { id } = await command('attachPage', { conversationId: 'elsewhere', part, tabId: tab.id });
  const words = await attached(id);
  await command('detach', { id });
  return words;
}

/** What stands in an attachment, without what it is framed with for the model. */
async function attached(id: string): Promise<string> {
  const content = await scene.portside.command('previewAttachment', { id });
  return /<external[^>]*>\n([^]*)\n<\/external[^>]*>$/.exec(content?.text ?? '')?.[1] ?? '';
}

/** In how many worlds of the page what reads it is. */
async function readersInPage(): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const worlds: number[] = [];
  session.on('Runtime.executionContextCreated', ({ context }) => {
    if (context.origin.startsWith('chrome-extension://')) worlds.push(context.id);
  });
  await session.send('Runtime.enable');
  const readers = await Promise.all(
    worlds.map((contextId) =>
      session.send('Runtime.evaluate', { contextId, expression: '"portsidePage" in globalThis' }),
    ),
  );
  await session.detach();
  return readers.filter(({ result }) => result.value === true).length;
}

describe('a new chat', () => {
  const asked = async (before: number) => {
    const { body } = await scene.model.waitForRequest(before);
    await scene.idle();
    return String(body.messages.at(-1)?.content);
  };

  it('offers the page in front, and asks of it in one press; then what is selected there', async () => {
    await visit('/article');
    const before = scene.model.requests.length;
    const offers = panel().getByRole('group', { name: 'Ask about this page' });
    await panel().getByRole('button', { name: 'The keeper’s log', exact: true }).waitFor();
    await offers.getByRole('button', { name: 'Key points' }).click();
    const first = await asked(before);
    expect(first).toContain('The lighthouse keeper wrote down');
    expect(first).toContain('List the key points of this');
    await panel().getByText('to ask about the current page').waitFor();
    await panel().getByRole('button', { name: 'Got it' }).click();

    await page.evaluate(() =>
      getSelection()?.selectAllChildren(document.querySelector('h2') ?? document.body),
    );
    await panel().getByRole('button', { name: 'New chat' }).click();
    await panel().locator('header').hover();
    await panel()
      .getByRole('group', { name: 'Ask about the selection' })
      .getByRole('button', { name: 'Explain' })
      .click();
    const second = await asked(before + 1);
    expect(second).toMatch(/Ships[^]*Explain this in simple terms/);
    expect(second).not.toContain('lighthouse');
    const hint = panel().getByText('Next time, right-click a selection or a page');
    await hint.waitFor();
    await panel().getByRole('button', { name: 'Got it' }).click();
    await hint.waitFor({ state: 'detached' });
    expect(await field().evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('offers what the settings have of it, in the user’s words, until they are the default again', async () => {
    await visit('/article');
    const { options } = scene.portside;
    await options.evaluate("location.hash = '#prompts'");
    const starter = (name: string) => options.getByRole('listitem', { name, exact: true });
    const words = starter('Summarise').getByLabel('What it asks');
    await words.fill('Sum this up in one line.');
    await words.blur();
    await starter('Key points').getByRole('switch', { name: 'Offer Key points' }).click();
    await page.bringToFront();
    const offers = panel().getByRole('group', { name: 'Ask about this page' }).getByRole('button');
    const offered = async () => (await offers.allTextContents()).join();
    await until(
      'they are offered',
      async () => (await offered()) === 'Summarise,Draft a reply,Extract as table',
    );
    await field().pressSequentially('/e');
    const entries = panel().getByRole('listbox', { name: 'Prompts and commands' }).getByRole('option');
    await entries.filter({ hasText: 'Explain' }).waitFor();
    expect(await entries.filter({ hasText: 'Key points' }).count()).toBe(0);
    await field().fill('');
    const before = scene.model.requests.length;
    await offers.first().click();
    expect(await asked(before)).toMatch(/keeper[^]*Sum this up in one line\.$/);

    await starter('Summarise').getByRole('button', { name: 'Use the default text' }).click();
    await until('it is the default', async () => (await words.inputValue()) === 'Summarise this.');
    await starter('Key points').getByRole('switch').click();
    await panel().getByRole('button', { name: 'New chat' }).click();
    await until('all are offered again', async () => (await offered()).includes('Key points'));
    expect(await offers.first().getAttribute('title')).toBe('Summarise this.');
  });

  it('takes the page that it offers as context, or leaves it', async () => {
    await visit('/article');
    const offered = panel().getByRole('button', { name: 'The keeper’s log', exact: true });
    await offered.click();
    await chips().getByRole('button', { name: 'tokens' }).waitFor();
    expect(await offered.count()).toBe(0);
    await chips()
      .getByRole('button', { name: /^Remove/ })
      .click();
    await panel().getByRole('button', { name: 'Don’t offer this page' }).click();
    await until('nothing is offered', async () => (await offered.count()) === 0);
    expect(await field().evaluate((element) => element === document.activeElement)).toBe(true);
  });
});

describe('a page', () => {
  it('carries nothing of Portside’s until it is added; then it is a chip with its price', async () => {
    await visit('/article');
    expect(await readersInPage()).toBe(0);
    await add('This page');
    expect(await readersInPage()).toBe(1);
    await chips()
      .getByRole('button', { name: /^The keeper’s log/ })
      .click();
    const preview = panel().getByRole('dialog', { name: 'Preview The keeper’s log' });
    // The line above the text has the address, and so does the frame of the text once it is there.
    await preview.getByText(`${site.url}/article`).first().waitFor();
    await until('its text is there', async () => (await preview.textContent())?.includes('Sloop') === true);
    await panel().keyboard.press('Escape');
  });

  it('reaches the model as its article, marked as what it is, and stays in the conversation with its address', async () => {
    await visit('/article');
    await add('This page');
    const sent = await send();
    expect(sent).toContain(
      `title="The keeper’s log" source="The web page ${site.url}/article, as it was at 2`,
    );
    expect(sent).toMatch(/<external-\w{8} title=/);
    expect(sent).toContain('## Ships\n\nRead [the list](');
    expect(sent).toContain('| Day | Ships |\n| --- | --- |\n| Monday | 3 |');
    expect(sent).toContain('```\nconst ships = 3;\n```');
    expect(sent).not.toMatch(/Subscribe now|All rights|\[Shop\]/);
    const went = scene.articles('You').getByRole('list', { name: 'Context' }).getByRole('button');
    expect(await went.getAttribute('title')).toMatch(
      new RegExp(`^Page, ${site.url}/article, \\d\\d:\\d\\d$`),
    );
  });

  it('is text to a model that calls no tools', async () => {
    const { command } = scene.portside;
    await command('setModel', { providerId: 1, id: 'test-model', chosen: { tools: false } });
    await visit('/article');
    await add('This page');
    expect(await send()).toContain('The lighthouse keeper wrote down');
    expect(scene.model.requests.at(-1)?.body).not.toHaveProperty('tools');
    await command('setModel', { providerId: 1, id: 'test-model', chosen: {} });
  });

  it('is taken as it is when the message is sent', async () => {
    await visit('/app');
    await page.getByText('This is view one').waitFor();
    await add('This page');
    await page.evaluate(() => document.body.append('Written afterwards'));
    expect(await send()).toMatch(/This is view one[^]*Written afterwards/);
  });

  it('that has given way to another one is sent as it was', async () => {
    await visit('/app');
    await page.getByText('This is view one').waitFor();
    await add('This page');
    await page.getByRole('button', { name: 'Next' }).click();
    const sent = await send();
    expect(sent).toContain('This is view one');
    expect(sent).not.toContain('view two');
  });

  it('in another tab is found by its name', async () => {
    await visit('/grid');
    const other = await scene.portside.context.newPage();
    await other.goto(`${site.url}/form`);
    await page.bringToFront();
    await add(/^Sign up/);
    expect(await send()).toContain('title="Sign up"');
    await other.close();
  });

  it('that is long is cut by sections, and the model reads on in it', async () => {
    await visit('/long');
    await add('This page');
    const before = scene.model.requests.length;
    const sent = await send();
    const { result, offset } = JSON.parse(/read_more: (\{.*?\})/.exec(sent)?.[1] ?? '{}') as Record<
      string,
      unknown
    >;
    expect(sent).toContain('## Chapter 40 (offset ');
    expect(sent).not.toContain('## Chapter 40\n');
    scene.model.script(
      stream(call({ id: 'call_1', name: 'read_more', arguments: JSON.stringify({ result, offset }) })),
      stream(text('I read on.')),
    );
    await scene.ask('Go on');
    const { body } = await scene.model.waitForRequest(before + 2);
    expect(String(body.messages.at(-1)?.content)).toMatch(
      /^<external-\w{8}>\n\[Characters \d+ to \d+ of \d+ of the result page-[^]*\n## Chapter \d/,
    );
    await scene.idle();
  });

  it('of the browser’s own can’t be read, which is said with what is possible', async () => {
    await page.goto('chrome://version');
    await page.bringToFront();
    await choose('This page');
    const failed = chips().filter({ hasText: 'couldn’t attach' });
    await failed.getByText('don’t let extensions read this page').first().waitFor();
    const ofOneLine = await failed.evaluate((element) => element.clientHeight);
    expect(ofOneLine).toBeLessThan(32);
    await failed.getByRole('button', { expanded: false }).click();
    await failed.getByText(/don’t let extensions read this page.* paste it here/).waitFor();
  });
});

describe('of a page', () => {
  it('text that is hidden in one of the usual ways is left out, and how much that was is said', async () => {
    await visit('/hidden');
    const words = await read();
    expect(words).not.toMatch(/secret|\/shut|^\s*[-*]\s*$/m);
    for (const seen of [
      'Plain words.',
      'shown-again',
      'white-on-dark',
      'seen-plain',
      '👨‍👩‍👧 stays',
      'Zerowidth and tags end',
      ...(hidden.match(/seen-\w+/g) ?? []),
    ]) {
      expect(words).toContain(seen);
    }
    const secrets = hidden.match(/secret-\w+/g) ?? [];
    const unseen = secrets.join('').length + '\u200B'.length + [...'sec'].length;
    expect(words).toMatch(
      new RegExp(`\\[Left out: ${unseen} characters that the page holds and does not show\\.\\]$`),
    );
  });

  it('text that a user can see is read, wherever it scrolls and whatever it stands on', async () => {
    await visit('/shown');
    const words = await read();
    const seen = shown.match(/seen-\w+/g) ?? [];
    expect(seen.length).toBeGreaterThan(150);
    expect(seen.filter((each) => !words.includes(each))).toEqual([]);
    expect(words).not.toContain('[Left out');
  });

  it('light text on a fixed layer below the page is read, wherever the page is scrolled to', async () => {
    await visit('/over-fixed');
    const seen = overFixed.match(/seen-\w+/g) ?? [];
    for (const y of [0, 2500]) {
      await page.evaluate((to) => scrollTo(0, to), y);
      const words = await read();
      expect(seen.filter((each) => !words.includes(each))).toEqual([]);
    }
  });

  it('text that was scrolled out of the window is read, in a body that scrolls and from right to left', async () => {
    await visit('/leftward');
    const seen = leftward.match(/seen-\w+/g) ?? [];
    for (const y of [0, 2500]) {
      await page.evaluate((to) => void (document.body.scrollTop = to), y);
      const words = await read();
      expect(seen.filter((each) => !words.includes(each))).toEqual([]);
    }
  });

  it('white text on white is left out on a page with a sticky header and a fixed banner, too', async () => {
    await visit('/under-fixed');
    for (const y of [0, 1200]) {
      await page.evaluate((to) => scrollTo(0, to), y);
      const words = await read();
      expect(words).not.toContain('secret');
      expect((underFixed.match(/seen-\w+/g) ?? []).filter((each) => !words.includes(each))).toEqual([]);
      expect(words).toMatch(/seen-summary\n\nseen-open/);
    }
  });

  it('forms are read as they are filled in, but for passwords and cards', async () => {
    await visit('/form');
    const words = await read();
    expect(words).toMatch(
      /Name \[Ada\][^]*\[x\] I agree[^]*Plan \[Pro\][^]*\[I keep a lighthouse\.\][^]*A lamp/,
    );
    expect(words).not.toMatch(/hunter2|4111/);
  });

  it('frames of any site and open shadow trees are read', async () => {
    await visit('/frames');
    const words = await read();
    expect(words).toContain('words of the inner frame');
    expect(words).toContain('words of a page in a frame');
    expect(words).toContain('words of the shadow slotted words');
    expect(words).toMatch(/## In a frame of localhost:\d+: Inner of another\n\nwords of another origin/);
    expect(words.match(/words of a page in a frame/g)).toHaveLength(1);
    expect(words.match(/words of a frame in a frame/g)).toHaveLength(1);
    expect(words).not.toMatch(/unslotted|closed words/);
  });

  it('a page of frames alone is read as what they hold', async () => {
    await visit('/frameset');
    const words = await read();
    expect(words).toContain('words of a page in a frame');
    expect(words).toMatch(/## In a frame of localhost:\d+: Inner of another\n\nwords of another origin/);
    expect(words).not.toContain('Left out');
  });

  it('rows that are not drawn yet are missed and told of', async () => {
    await visit('/grid');
    expect(await read()).toMatch(/row one[^]*row two[^]*has drawn 2 of 10000 rows/);
  });

  it('scripts that lie about the document and never rest change nothing', async () => {
    await visit('/hostile');
    expect(await read()).toContain('honest words');
  });

  it('five megabytes of a table are read as far as they go', async () => {
    await visit('/table');
    const words = await read();
    expect(words).toContain('| No | Ship | Note |\n| --- | --- | --- |\n| 0 | Ship 0 | xxx');
    expect(words).toMatch(
      /\[Cut: these are the first \d+ of \d+ characters\.[^]*\[The page is too long to be read whole/,
    );
    expect(words.length).toBeLessThan(45_000);
  });

  it('a PDF is read as text', async () => {
    await visit('/log.pdf');
    expect(await read()).toBe('[Page 1 of 2]\nFair weather all day\n\n[Page 2 of 2]\nTwo sails at noon');
  });

  it('the selection alone can be sent, in a field and in a shadow tree too', async () => {
    await visit('/article');
    await page.getByRole('listitem').filter({ hasText: 'Sloop' }).selectText();
    await add('Selection');
    await chips().getByRole('button', { name: 'Remove “Sloop”' }).waitFor();
    expect(await send()).toMatch(
      /source="What the user selected in the web page [^>]*>\n-? ?Sloop\n<\/external-\w{8}>/,
    );
    await scene
      .articles('You')
      .last()
      .getByRole('button', { name: /^“Sloop”/ })
      .waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Sloop' }).selectText();
    await add('Selection');
    await page.getByRole('listitem').filter({ hasText: 'Brig' }).selectText();
    expect(await send()).toMatch(/>\n-? ?Sloop\n<\/external-\w{8}>/); // what was attached
    await visit('/form');
    await page.getByRole('textbox', { name: 'About' }).selectText();
    expect(await read('selection')).toContain('I keep a lighthouse.');
    await visit('/frames');
    await page.frameLocator('iframe >> nth=1').getByText('words of a page').selectText();
    expect(await read('selection')).toBe('words of a page in a frame');
    await expect(visit('/grid').then(() => read('selection'))).rejects.toThrow('Nothing is selected');
  });

  it('the field that has the focus can be sent, but no password', async () => {
    await visit('/form');
    await page.getByRole('textbox', { name: 'Name' }).focus();
    expect(await read('field')).toMatch(/Name:?\s[^]*Ada/);
    await page.locator('[type=password]').focus();
    await expect(read('field')).rejects.toThrow('Portside does not read passwords');
  });

  it('a card’s number is not sent that the browser tells of a click on what is selected', async () => {
    const { command } = scene.portside;
    await visit('/article');
    await page.evaluate(() => {
      document.body.innerHTML =
        '<input id="card" autocomplete="cc-number" value="4111 1111 1111 1111"><p>Fair weather</p>';
    });
    const tabId = (await command('listTabs')).find(({ url }) => url === page.url())?.id ?? -1;
    const attach = (told: string) =>
      command('attachPage', {
        conversationId: 'c-card',
        part: 'selection',
        tabId,
        given: { text: told, title: 'Pay', url: page.url() },
      });
    await page.locator('#card').selectText();
    await expect(attach('1111 1111')).rejects.toThrow('Portside does not read passwords');
    await page.getByText('Fair weather').selectText();
    expect(await attach('Fair weather')).toMatchObject({ source: { part: 'selection' } });
  });

  it.each(['About', 'Paper'])(
    'a part of a field that is rewritten is all that an answer takes the place of, and undone: %s',
    async (name) => {
      const { command } = scene.portside;
      await visit('/form');
      const written = page.getByRole('textbox', { name });
      const content = () => written.evaluate((each) => ('value' in each ? each.value : each.innerHTML));
      const before = await content();
      await written.evaluate((each) => {
        each.focus();
        if ('setSelectionRange' in each) (each as HTMLTextAreaElement).setSelectionRange(2, 6);
        else getSelection()?.setBaseAndExtent(each.firstChild ?? each, 2, each.querySelector('b') ?? each, 1);
      });
      const tabId = (await command('listTabs')).find(({ url }) => url === page.url())?.id ?? -1;
      const given = { text: 'keep', title: '', url: page.url() };
      const wish = { conversationId: 'elsewhere', part: 'field', tabId, given } as const;
      const { id, source } = await command('attachPage', wish);
      const fieldId = (source.type === 'page' && source.fieldId) || '';
      expect(source).toMatchObject({ tabId });
      expect(await attached(id)).toMatch(/^\**keep\**$|^ke\*\*ep\*\*$/);
      await command('fillField', { tabId, fieldId, text: 'mind' });
      const filled = await written.evaluate((each) =>
        String('value' in each ? each.value : (each as HTMLElement).innerText),
      );
      expect(filled.replaceAll('\u00A0', ' ')).toBe('I mind a lighthouse.');
      await command('fillField', { tabId, fieldId, text: null });
      expect(await content()).toBe(before);
      await written.evaluate((each) => {
        if ('value' in each) each.value = 'Something else';
        else each.textContent = 'Something else';
      });
      await expect(command('fillField', { tabId, fieldId, text: 'mind' })).rejects.toThrow(
        'The selected text is no longer in the field.',
      );
      await command('detach', { id });
    },
  );

  it('an answer is put into the field that was read alone, and into none of a frame that takes the focus', async () => {
    await visit('/form');
    await page.evaluate((src) => {
      const frame = Object.assign(document.createElement('iframe'), { src });
      document.querySelector('form')?.before(frame);
      return new Promise((resolve) => frame.addEventListener('load', resolve));
    }, `${site.other}/focusing`);
    const about = page.getByRole('textbox', { name: 'About' });
    /** By its own script: playwright's would count as the user's press. */
    const takeFocus = async (): Promise<void> => {
      await page.evaluate("frames[0].postMessage('take', '*')");
      await page.waitForFunction("document.activeElement.localName === 'iframe'");
    };
    await about.focus();
    await takeFocus();
    await expect(read('field')).rejects.toThrow('The cursor isn’t in a form field on the page.');

    await about.focus();
    await add('Form field');
    await takeFocus();
    scene.model.script(stream(text('The user’s own words.')));
    expect(await send('Write it well.')).toContain('I keep a lighthouse.');
    await panel().getByRole('button', { name: 'Insert into the field' }).click();
    await panel().getByText('Inserted into the field.').waitFor();
    const stranger = page.frameLocator('iframe').getByRole('textbox');
    expect([await about.inputValue(), await stranger.inputValue()]).toEqual(['The user’s own words.', '']);
  });

  it('the field in a frame is read again, and filled, wherever the focus is by then', async () => {
    const { command } = scene.portside;
    await visit('/form');
    await page.evaluate(
      (srcs) => {
        const frames = srcs.map((src) => Object.assign(document.createElement('iframe'), { src }));
        document.querySelector('form')?.before(...frames);
        return Promise.all(
          frames.map((frame) => new Promise((resolve) => frame.addEventListener('load', resolve))),
        );
      },
      ['/focusing', `${site.other}/focusing`],
    );
    const tabId = (await command('listTabs')).find(({ url }) => url === page.url())?.id ?? -1;
    for (const at of [0, 1]) {
      const framed = page.locator('iframe').nth(at).contentFrame().getByRole('textbox');
      await framed.fill(`Teh words ${at}`);
      const { id, source } = await command('attachPage', {
        conversationId: 'elsewhere',
        part: 'field',
        tabId,
      });
      await page.getByRole('textbox', { name: 'About' }).focus();
      const fieldId = (source.type === 'page' && source.fieldId) || '';
      await command('fillField', { tabId, fieldId, text: 'The words' });
      expect(await framed.inputValue()).toBe('The words');
      await command('detach', { id });
    }
  });

  it('an editor that begins with any block holds after Undo just what it held, and nothing else is undone', async () => {
    const { command } = scene.portside;
    await visit('/form');
    const [written, other] = [
      page.getByRole('textbox', { name: 'Paper' }),
      page.getByRole('textbox', { name: 'About' }),
    ];
    const content = () => written.evaluate((each) => each.innerHTML);
    const tabId = (await command('listTabs')).find(({ url }) => url === page.url())?.id ?? -1;
    await written.evaluate((each) => {
      each.addEventListener(
        'input',
        () => (each.dataset['told'] = String(Number(each.dataset['told'] ?? 0) + 1)),
      );
    });
    const attach = async (html: string): Promise<{ fieldId: string; before: string }> => {
      await written.evaluate((each, to) => (each.innerHTML = to), html);
      await written.focus();
      const { id, source } = await command('attachPage', {
        conversationId: 'elsewhere',
        part: 'field',
        tabId,
      });
      await command('detach', { id });
      const fieldId = (source.type === 'page' && source.fieldId) || '';
      return { fieldId, before: await content() };
    };
    const told = () => written.evaluate((each) => Number(each.dataset['told'] ?? 0));
    for (const [at, html] of editors.entries()) {
      const { fieldId, before } = await attach(html);
      await command('fillField', { tabId, fieldId, text: 'New words\nand more' });
      if (at === 0) await command('fillField', { tabId, fieldId, text: 'New words and' }); // a double click
      expect(await written.innerText()).toMatch(/^New words\s+and/);
      if (at % 2 === 1) await other.pressSequentially('!');
      const [tellings, kept] = [await told(), await other.inputValue()];
      await command('fillField', { tabId, fieldId, text: null });
      const undone = [await content(), (await told()) > tellings, await other.inputValue()];
      expect(undone).toEqual([before, true, kept]);
    }
    // One that draws what it holds itself.
    const { fieldId } = await attach('<p>stubborn</p>');
    await command('fillField', { tabId, fieldId, text: 'New words' });
    await written.evaluate((each) => each.addEventListener('input', () => (each.textContent = 'Drawn')));
    await expect(command('fillField', { tabId, fieldId, text: null })).rejects.toThrow(
      'The field’s text is not exactly what it was before.',
    );
  });

  it.each([
    [
      'that takes fewer letters',
      'maxlength="10" value="Ada"',
      '',
      'The form field doesn’t accept the text as it is.',
    ],
    ['for a number', 'type="number" value="12"', '', 'The form field doesn’t accept the text as it is.'],
    ['that is read-only by then', 'value="Ada"', 'readOnly', 'The form field can’t be edited.'],
    ['that is switched off by then', 'value="Ada"', 'disabled', 'The form field can’t be edited.'],
  ])('a field %s stays as it is, and says so', async (_which, attributes, then, sentence) => {
    const { command } = scene.portside;
    await visit('/form');
    await page.evaluate(
      `document.forms[0].insertAdjacentHTML('beforeend', '<input aria-label="Odd" ${attributes}>')`,
    );
    const odd = page.getByLabel('Odd');
    await odd.focus();
    const before = await odd.inputValue();
    const tabId = (await command('listTabs')).find(({ url }) => url === page.url())?.id ?? -1;
    const { id, source } = await command('attachPage', { conversationId: 'elsewhere', part: 'field', tabId });
    const fieldId = (source.type === 'page' && source.fieldId) || '';
    await odd.evaluate((each, how) => Object.assign(each, { [how]: true }), then);
    const filling = command('fillField', { tabId, fieldId, text: 'A much longer answer.' });
    await expect(filling).rejects.toThrow(sentence);
    expect(await odd.inputValue()).toBe(before);
    await command('detach', { id });
  });

  it('what is seen can be sent as a picture', async () => {
    await visit('/article');
    await scene.portside.command('setModel', { providerId: 1, id: 'test-model', chosen: { vision: true } });
    await add('Screenshot');
    const before = scene.model.requests.length;
    await send();
    const parts: unknown = scene.model.requests[before]?.body.messages.at(-1)?.content;
    expect(JSON.stringify(parts)).toContain('data:image/jpeg;base64,/9j/');
  });
});
