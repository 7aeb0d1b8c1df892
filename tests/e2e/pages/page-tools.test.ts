import { inBlock } from '../../fakes/rows.ts';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { call, stream, text } from '../../fakes/model-server.ts';
import { kept, named, namedOtherwise, styles } from './named.ts';
import { startSite, type Site } from './page-site.ts';
import { decide, openScene, until, type Scene } from '../support/scene.ts';

let scene: Scene;
let site: Site;
let page: Page;
let asked = 0;

beforeAll(async () => {
  [scene, site] = await Promise.all([openScene(), startSite()]);
  scene.model.otherwise(stream(text('So I read.')));
  page = await scene.portside.context.newPage();
});
afterAll(async () => {
  await scene.close();
  await site.close();
});
const newChat = () => scene.portside.panel.getByRole('button', { name: 'New chat' }).click();
beforeEach(newChat);

async function visit(path: string): Promise<void> {
  await page.goto(site.url + path);
  await page.bringToFront();
}

/** Has the model call a tool, in the chat that is shown. */
async function begin(name: string, args: object = {}): Promise<void> {
  asked += 1;
  const words = `Answer ${asked}.`;
  scene.model.script(
    stream(call({ id: `c${asked}`, name, arguments: JSON.stringify(args) })),
    stream(text(words)),
  );
  // An address in the user's own network, as the site is, they have to name.
  await scene.ask(`Use ${name}${'url' in args ? `: ${String(args.url)}` : ''}`);
}

/** @returns the call as it is written down, once the model has answered to its result */
async function ended(): Promise<ToolCall> {
  await scene.articles('Assistant').getByText(`Answer ${asked}.`).waitFor();
  await scene.idle();
  const made = (await scene.stored()).toolCalls.at(-1);
  if (!made) throw new Error('No call was made.');
  return made;
}

async function use(name: string, args: object = {}): Promise<ToolCall> {
  await begin(name, args);
  return ended();
}
const told = async (name: string, args: object = {}): Promise<string> => {
  const { status, result } = await use(name, args);
  expect([status, result?.text]).toEqual(['success', expect.any(String)]);
  return result?.text ?? '';
};
const approval = () => scene.portside.panel.getByRole('alertdialog');

/** The id of the tab that shows a page, as a model is told, in a chat of its own: it is foreign text. */
async function idOf(path: string): Promise<number> {
  const line = (await told('list_tabs')).split('\n').find((each) => each.includes(site.url + path));
  await newChat();
  return Number.parseInt(line ?? '', 10);
}

describe('the page in front', () => {
  it('is read as its article, under its title and address, in a block', async () => {
    await visit('/article');
    const said = await told('read_page');
    expect(said).toContain(`"The keeper’s log"\n${site.url}/article\n\n`);
    const { content } = scene.model.requests.at(-1)?.body.messages.at(-1) ?? {};
    expect(inBlock(content)).toMatch(/^"The keeper’s log"\n/);
    expect(said).toContain('| Day | Ships |\n| --- | --- |\n| Monday | 3 |');
    await scene.unfold();
    const card = scene.portside.panel.getByRole('group', { name: 'Tool call: read_page' });
    expect(await card.count()).toBe(1);
    expect(await card.textContent()).toMatch(/Read the page.*Portside/);
    await page.evaluate(() => void (document.title = 'Another title'));
    expect((await told('read_page')).match(/^#+ The keeper’s log$/gm)).toEqual(['# The keeper’s log']);
  });

  it('gives what is selected in it, and says so when that is nothing', async () => {
    await visit('/article');
    expect((await use('read_selection')).result).toMatchObject({
      isError: true,
      text: expect.stringContaining('Nothing is selected'),
    });
    await page.getByRole('heading', { name: 'Ships' }).selectText();
    expect(await told('read_selection')).toMatch(/\n\n## Ships$|\n\nShips$/);
    await visit('/hidden');
    await page.evaluate(() =>
      getSelection()?.selectAllChildren(document.querySelector('main p:nth-of-type(8)') ?? document),
    );
    expect((await use('read_selection')).result?.text).not.toContain('secret');
  });

  it('is searched for words, with where they stand', async () => {
    await visit('/article');
    const said = await told('find_in_page', { query: 'ALL  ships' });
    expect(said).toMatch(/\d match(es)? for "ALL {2}ships" in \d+ characters/);
    expect(await told('find_in_page', { query: 'sloop' })).toMatch(/1\. \(under ## Ships\) ….*Sloop/);
    expect(await told('find_in_page', { query: 'zeppelin (' })).toContain('0 matches');
  });

  it('is photographed', async () => {
    await visit('/article');
    const { result } = await use('screenshot');
    expect(result?.blocks).toMatchObject([{ type: 'image', data: expect.any(String) }]);
    expect(result?.text).toContain(`${site.url}/article`);
  });

  it('has a snapshot whose references stay, with what its fields hold and what is off screen, and no password', async () => {
    await visit('/form');
    const first = await told('snapshot');
    expect(first).toMatch(/- form \[ref=e\d+\]:/);
    expect(first).toMatch(/- textbox "Name" \[ref=e\d+\]: Ada$/m);
    expect(first).toMatch(/- checkbox "I agree" \[ref=e\d+\] \[checked\]$/m);
    expect(first).toMatch(
      /- combobox "Plan" \[ref=e\d+\]: Pro\n +- option "Free"\n +- option "Pro" \[selected\]$/m,
    );
    expect(first).toMatch(/- textbox "Password" \[ref=e\d+\] \[private\]$/m);
    expect(first).not.toMatch(/hunter2|4111/);
    await page.evaluate(() => document.querySelector('form')?.prepend(document.createElement('button')));
    const ref = /textbox "Name" \[ref=(e\d+)\]/.exec(first)?.[1];
    expect(await told('snapshot')).toContain(`- textbox "Name" [ref=${ref}]: Ada`);
    expect(await told('snapshot', { ref })).toMatch(/\n\n- textbox "Name" \[ref=e\d+\]: Ada$/);
    expect(await told('snapshot', { filter: 'interactive' })).not.toContain('paragraph');
    expect((await use('snapshot', { ref: 'e999' })).result?.text).toContain('Take a new snapshot');
    await page.evaluate(() => {
      const below = document.createElement('div');
      below.style.marginTop = '5000px';
      for (const name of ['Far', 'Far', 'Far', 'Pinned'])
        below.appendChild(document.createElement('button')).textContent = name;
      Object.assign((below.lastElementChild as HTMLElement).style, { position: 'fixed', top: '0' });
      const around = document.createElement('div');
      around.style.display = 'contents'; // has no box of its own
      around.append(...[1, 2, 3].map(() => document.createElement('i')), below);
      document.querySelector('form')?.after(around);
    });
    const before = await told('snapshot');
    expect(before.match(/button "Far" \[ref=e\d+\] \[offscreen\]$/gm)).toHaveLength(3);
    expect(before).toMatch(/button "Pinned" \[ref=e\d+\]$/m);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const after = await told('snapshot');
    expect(after.match(/button "Far" \[ref=e\d+\]$/gm)).toHaveLength(3);
    expect(after).toMatch(/form \[ref=e\d+\] \[offscreen\]:/);
  });

  it('gives a table of thousands of rows in parts', async () => {
    await visit('/rows');
    const ref = /\[(e\d+)\].*rows 0 to 3 of 8001/.exec(await told('extract_table'))?.[1];
    const rows = await told('extract_table', { table: ref, from: 5000 });
    expect(rows).toContain('rows 5000 to 5500 of 8001, the next is row 5500');
    expect(rows).toContain('| 4999 | Ship 4999 |');
    expect(await told('snapshot')).toContain('- [and 7971 more of row: give the reference of the list]');
  });

  it('has parts by their roles, with links in drawings and on pictures, which are followed', async () => {
    await visit('/landmarks');
    const seen = await told('snapshot');
    for (const line of [
      /- banner \[ref=e\d+\]: Top$/m,
      /- region "Tides" \[ref=e\d+\]:$/m,
      /- button "Listed" \[ref/,
      /- rowheader: Leith$/m,
      /- link "Chart" \[ref=e\d+\]:\n +- \/url: \/article/,
      /- button "Zoom" \[ref/,
      /- link "Leith harbour" \[ref=e\d+\]:\n +- \/url: \/form/,
    ])
      expect(seen).toMatch(line);
    expect(seen).not.toMatch(/banner.*Of it|contentinfo|frob|Sea/);
  });

  it('gives a list of thousands of entries by its reference, from entry to entry to its end', async () => {
    await visit('/entries');
    const [, ref] = /- list \[ref=(e\d+)\]/.exec(await told('snapshot')) ?? [];
    const seen: string[] = [];
    for (let from: string | undefined = '1'; from !== undefined;) {
      await newChat(); // one chat of all parts would be summarised
      const part = await told('snapshot', { ref, from: Number(from) });
      seen.push(...(part.match(/Entry \d+ of/g) ?? []));
      from = /give the reference of the list, and from (\d+)\]/.exec(part)?.[1];
    }
    expect(seen).toEqual(Array.from({ length: 2_500 }, (_each, at) => `Entry ${at + 1} of`));
  });

  it('is cut where it is long, and no reference goes to what is the same beyond that', async () => {
    await visit('/long');
    const buttons = (words: string): Promise<void> =>
      page.evaluate((names) => {
        document.querySelectorAll('button').forEach((each) => each.remove());
        for (const name of names.split(' ')) {
          const button = document.createElement('button');
          button.textContent = name;
          const main = document.querySelector('main');
          if (name.endsWith('Last')) main?.append(button);
          else main?.prepend(button);
        }
        document
          .querySelectorAll('button')
          .forEach((each) => (each.textContent = each.textContent.slice(0, 4)));
      }, words);
    await buttons('SoleFirst TwinFirst TwinLast');
    const seen = await told('snapshot');
    expect(seen).toMatch(/\[and at least \d{3} more lines: give the reference/);
    expect(seen.match(/button "Twin"/g)).toHaveLength(1);
    const [sole, twin] = ['Sole', 'Twin'].map(
      (name) => new RegExp(`button "${name}" \\[ref=(e\\d+)\\]`).exec(seen)?.[1],
    );
    await buttons('SoleFirst TwinLast');
    expect(await told('snapshot', { ref: sole })).toContain('button "Sole"');
    expect((await use('snapshot', { ref: twin })).result?.text).toContain('Take a new snapshot');
  });

  it('gives of tables what is seen, counts the rest, and says what is not drawn or not there', async () => {
    await visit('/grid');
    const said = await told('extract_table');
    expect(said).not.toContain('secret');
    expect(said).toMatch(/rows 0 to 2 of 2\n\| row one \|\n\| row two \|\n\[A list .* 2 of 10000 rows/);
    const left = 'secret-smallsecret-rowsecret-farsecret-faint'.length;
    expect(said).toContain(`rows 0 to 3 of 3\n| first |\n| third |\n[Left out: ${left} characters`);
    expect(said).toMatch(/\[Left out: 12 characters[^\n]*$/);
    expect(said.match(/inner caption: rows/g)).toHaveLength(1);
    const ref = /\[(e\d+)\]: rows 0 to 3/.exec(said)?.[1];
    expect(await told('extract_table', { table: ref, from: 99 })).toContain('it has 3 rows');
    expect((await use('extract_table', { table: 'e999' })).result).toMatchObject({
      isError: true,
      text: expect.stringContaining('no table "e999"'),
    });
  });

  it('is read without frames of sites that its chat has not read', async () => {
    await visit('/frames');
    const other = site.url.replace('127.0.0.1', 'localhost');
    const all = await told('read_page');
    expect(all).toContain('words of the inner frame');
    expect(all).toContain('words of a page in a frame');
    expect(all).toContain(`has not read: ${other}/inner-of-other`);
    expect(all).toContain('words of a frame in a sandbox');
    expect(all).not.toMatch(/words of another|Inner of another|Portside may not read/);
    const outline = await told('snapshot');
    expect(outline).toContain(`has not read: ${other}.`);
    expect(outline).not.toContain('heading of another');
    await page
      .frameLocator('iframe[src$="inner-of-other"]')
      .first()
      .getByText('words of another')
      .selectText();
    expect(await told('read_selection')).toMatch(/\n\n\[Left out: frames [^\n]*$/);
  });

  it('is read in its frames and shadow trees', async () => {
    await page.goto(`${site.url.replace('127.0.0.1', 'localhost')}/inner-of-other`);
    await page.bringToFront();
    await told('read_page');
    await visit('/frames');
    await begin('read_page');
    await decide(approval(), 'Allow once');
    expect((await ended()).result?.text).toContain('words of another origin');
    const said = await told('find_in_page', { query: 'words of the' });
    expect(said).toMatch(/words of the inner frame/);
    expect(said).toMatch(/words of the shadow/);
    const all = await told('read_page');
    expect(all).toContain('words of another origin');
    expect(all).not.toMatch(/Plain words|needs your permission/); // of the hidden frames
    for (const name of ['snapshot', 'extract_table']) expect(await told(name)).not.toContain('secret');
    await visit('/hidden');
    const outline = await told('snapshot');
    expect(outline).toMatch(/- heading "seen-heading" \[ref=e\d+\] \[level=2\]/);
    expect(outline).not.toContain('secret');
    expect(outline.match(/- link .*/g)).toEqual([expect.stringMatching(/^- link "seen-link" \[ref=e\d+\]/)]);
  });

  it('of components is read and named by what they show: closed shadow trees and slots, and no field that is masked', async () => {
    await visit('/components');
    const read = await told('read_page');
    for (const seen of ['seen-closed **seen-slotted**', 'seen-inside', 'seen-label'])
      expect(read).toContain(seen);
    const outline = await told('snapshot');
    expect(
      outline
        .replaceAll(/ \[ref=e\d+\]/g, '')
        .split('\n')
        .slice(2)
        .join('\n'),
    ).toBe(
      `
- heading "seen-closed seen-slotted" [level=2]
- button "seen-inside"
- button "seen-label"
- textbox "Code" [private]
- textbox "White"`,
    );
    expect(read + outline).not.toContain('secret');
  });

  it('gives no code of an editor of the page’s own, nor of what is labelled as one, and nothing that is shown as dots', async () => {
    await visit('/masked');
    const outline = await told('snapshot');
    expect(outline).toMatch(/- textbox "Your code" \[ref=e\d+\] \[private\]$/m);
    expect(outline).toMatch(/- textbox "Note" \[ref=e\d+\]: seen-note$/m);
    expect(outline.match(/- textbox "(Num|Card|Passwort).* \[private\]/g)).toHaveLength(4);
    const read = await told('read_page');
    for (const seen of ['seen-note', 'seen-card', 'seen-last']) expect(read).toContain(seen);
    expect(outline + read + (await told('extract_table'))).not.toContain('secret');
    for (const id of ['otp-code', 'digits', 'card']) {
      await page.evaluate(
        (of) => getSelection()?.selectAllChildren(document.getElementById(of) ?? document),
        id,
      );
      expect((await use('read_selection')).result?.text).not.toContain('secret');
    }
  });

  it('gives the text that stands in the markup of a field neither for what it holds nor as a name', async () => {
    await visit('/text-areas');
    const tables = await told('extract_table');
    expect(tables).toContain('| first [seen-typed] |\n| second |');
    const outline = await told('snapshot');
    expect(outline).toMatch(/- button "seen-hidden-label"/);
    expect(outline).toMatch(/- button "Go"/);
    expect(outline).toMatch(/- textbox "Digit 1" \[ref=\w+\] \[private\]$/m);
    expect(tables + outline).not.toContain('secret');
  });

  it('has its elements named as assistive technology is told, of which Playwright tells the same', async () => {
    await visit('/article');
    const all = [...named.map(([html, name]) => [html, name, name] as const), ...namedOtherwise];
    await page.setContent(
      `<style>${styles}</style>${all.map(([html], at) => `<section id="s${at}" aria-label="s${at}">${html}</section>`).join('')}${kept}`,
    );
    const outline = await told('snapshot');
    const first = (line: string) => {
      const said = /^ *- \w+(?: ("(?:[^"\\]|\\.)*"))?/.exec(line)?.[1];
      return said === undefined ? '' : String(JSON.parse(said));
    };
    const parts = outline.split(/^- region "s\d+" .*$/m).slice(1);
    expect(parts).toHaveLength(all.length);
    const ours = parts.map((part) => first(part.split('\n').find((line) => / \[ref=/.test(line)) ?? ''));
    expect(ours).toEqual(all.map(([, name]) => name));
    const theirs = all.map(async (_each, at) => first(await page.locator(`#s${at} [data-t]`).ariaSnapshot()));
    expect(await Promise.all(theirs)).toEqual(all.map(([, , name]) => name));
    expect(outline).toContain('- button "Ghost" [ref=');
    expect(outline).not.toMatch(/button "(Shade|Shadow)"/);
  });

  it('that was read has the first read of another site asked about, and what was allowed to reach out', async () => {
    await visit('/article');
    await told('read_page');
    await page.goto(`${site.url.replace('127.0.0.1', 'localhost')}/form`);
    await page.bringToFront();
    await begin('read_page');
    await approval().getByText('Already allowed, but this chat has read 127.0.0.1').waitFor();
    await approval().getByText(new URL(page.url()).host, { exact: true }).waitFor();
    await decide(approval(), 'Deny');
    expect((await ended()).status).toBe('denied');
    await begin('open_tab', { url: `${site.url}/article?said=The%20keeper%E2%80%99s%20log` });
    await approval().getByText('This chat has read 127.0.0.1').waitFor();
    await approval().getByText('Underlined: copied from 127.0.0.1').waitFor();
    await decide(approval(), 'Deny');
    expect((await ended()).status).toBe('denied');
  });

  it('that fights back is read all the same', async () => {
    await visit('/hostile');
    expect(await told('read_page')).toContain('honest words');
    expect(await told('snapshot')).toContain('form');
    await told('extract_table');
  });

  it('of the browser’s own is a result that says so', async () => {
    for (const url of [
      'chrome://version',
      'about:blank',
      'data:text/html,<p>words',
      `view-source:${site.url}/article`,
    ]) {
      await page.goto(url);
      await page.bringToFront();
      for (const name of ['read_page', 'screenshot'])
        expect([url, name, (await use(name)).result?.text]).toEqual([
          url,
          name,
          expect.stringMatching(/Browsers don’t let extensions read this page.* paste it here/),
        ]);
    }
  });
});

describe('a page that is lost while it is read', () => {
  /** Shows a page whose thread is stuck, and has the model read it. */
  async function beginStuck() {
    const stuck = await scene.portside.context.newPage();
    await stuck.goto(`${site.url}/stuck`);
    const session = await stuck.context().newCDPSession(stuck); // while the page still answers
    const tab = await idOf('/stuck');
    await stuck.evaluate(() => void setTimeout(() => document.querySelector('button')?.click()));
    await begin('read_tab', { tab });
    await until(
      'it is being read',
      async () => (await scene.stored()).toolCalls.at(-1)?.status === 'running',
    );
    return { stuck, session, tab };
  }
  const inBrowser = (does: string) => scene.portside.options.evaluate(`void ${does}`);

  it('since its tab closes is a result that says so', async () => {
    const { tab } = await beginStuck();
    await inBrowser(`chrome.tabs.remove(${tab})`);
    const { status, result } = await ended();
    expect([status, result?.text]).toEqual(['error', expect.stringContaining('This tab is closed.')]);
  });

  it('since it gives way to another one is a result that says so, and the other one can be read', async () => {
    const { stuck, tab } = await beginStuck();
    await inBrowser(`chrome.tabs.update(${tab}, { url: '${site.other}/article' })`);
    const { status, result } = await ended();
    expect([status, result?.text]).toEqual([
      'error',
      expect.stringContaining('The page could not be read. Reload it, then try again.'),
    ]);
    expect(await told('read_tab', { tab })).toContain('The keeper’s log');
    await stuck.close();
  });

  it('since it crashes is a result that says so, at once and from then on', async () => {
    const { stuck, session, tab } = await beginStuck();
    session.send('Page.crash').catch(() => undefined); // it never answers
    const said = [await ended(), await use('read_tab', { tab })];
    const failed = ['error', expect.stringContaining('Reload it, then try again.')];
    expect(said.map(({ status, result }) => [status, result?.text])).toEqual([failed, failed]);
    await stuck.close();
  });
});

describe('a page that does not answer', () => {
  it('since a dialog stands open, or a script never ends, is given up after its time', async () => {
    const [dialog, stuck] = [await scene.portside.context.newPage(), await scene.portside.context.newPage()];
    await Promise.all([dialog.goto(`${site.url}/form`), stuck.goto(`${site.url}/stuck`)]);
    const ids = [await idOf('/form'), await idOf('/stuck')];
    const opened = dialog.waitForEvent('dialog');
    await dialog.evaluate(() => void setTimeout(() => alert('Answer me')));
    await stuck.evaluate(() => void setTimeout(() => document.querySelector('button')?.click()));
    asked += 1;
    const calls = ids.map((tab, at) =>
      call({ id: `d${at}`, index: at, name: 'read_tab', arguments: JSON.stringify({ tab }) }),
    );
    scene.model.script(stream(...calls), stream(text(`Answer ${asked}.`)));
    await scene.ask('Read both');
    await ended();
    const made = (await scene.stored()).toolCalls.slice(-2);
    expect(made.map(({ result }) => result?.text)).toEqual(
      ids.map(() => expect.stringMatching(/did not answer within \d+ seconds.*dialog/)),
    );
    await (await opened).dismiss();
    expect(await told('read_tab', { tab: ids[0] })).toContain('Sign up');
    await Promise.all([dialog.close(), stuck.close()]);
  });

  it('at once, having twenty megabytes, is read as far as it goes', { timeout: 120_000 }, async () => {
    await visit('/huge');
    expect(await told('read_page')).toMatch(/# Huge[^]*The page is too long to be read whole/);
    expect(await told('snapshot')).toContain('- heading "Huge"');
    expect(await told('find_in_page', { query: 'the very end' })).toContain('0 matches');
    await page.goto('about:blank');
  });
});

describe('tabs', () => {
  it('are listed with their ids, and read by them from behind', async () => {
    await visit('/article');
    const id = await idOf('/article');
    const other = await scene.portside.context.newPage();
    await other.goto(`${site.url}/form`);
    await other.bringToFront();
    expect(await told('read_tab', { tab: id })).toContain('The keeper’s log');
    expect(await told('find_in_page', { tab: id, query: 'sloop' })).toContain('1 match ');
    await other.close();
  });

  it('that close are a result that says so', async () => {
    const other = await scene.portside.context.newPage();
    await other.goto(`${site.url}/grid`);
    const id = await idOf('/grid');
    await other.close();
    expect((await use('read_tab', { tab: id })).result?.text).toContain('This tab is closed.');
  });

  it('are opened in the background and brought to the front after the user allowed it', async () => {
    await visit('/article');
    await begin('open_tab', { url: `${site.url}/form` });
    await decide(approval(), 'Allow once');
    expect((await ended()).result?.text).toMatch(new RegExp(`^Opened \\d+: "Sign up", ${site.url}/form$`));
    await newChat();
    const id = await idOf('/form');
    await begin('switch_tab', { tab: id });
    await decide(approval(), 'Allow once');
    expect((await ended()).result?.text).toContain('(in front)');
    await begin('snapshot');
    await decide(approval(), 'Allow once');
    expect((await ended()).result?.text).toContain('Sign up');
  });

  it('that close since their address is a download are a result that says so', async () => {
    await begin('open_tab', { url: `${site.url}/save` });
    await decide(approval(), 'Allow once');
    expect((await ended()).result?.text).toContain('The new tab closed again');
    expect((await use('open_tab', { url: 'http:///' })).status).toBe('error');
    await begin('open_tab', { url: `${site.url}/nothing` });
    await decide(approval(), 'Allow once');
    expect((await ended()).result?.text).toMatch(/^Opened .*the answer was empty, for another program/);
  });
});

describe('an address', () => {
  it('is fetched only after the user allowed it, without cookies, and read as a page is', async () => {
    await visit('/article');
    await page.evaluate(() => void (document.cookie = 'secret=1'));
    await begin('fetch_url', { url: `${site.url}/echo` });
    await approval().getByText('Sends data out').waitFor();
    await approval().getByText(new URL(site.url).host, { exact: true }).waitFor();
    await decide(approval(), 'Allow once');
    expect((await ended()).result?.text).toContain('Cookies: none');
    await begin('fetch_url', { url: `${site.url}/article` });
    await decide(approval(), 'Allow for this chat');
    expect((await ended()).result?.text).toContain('| Monday | 3 |');
    expect(await told('fetch_url', { url: `${site.url}/log.pdf` })).toContain('Two sails at noon');
    const styled = await told('fetch_url', { url: `${site.url}/hidden` });
    expect(styled).not.toContain('secret-none');
    expect(styled).toContain('[The page was fetched and not drawn: ');
    const old = await told('fetch_url', { url: `${site.url}/old` });
    expect(old).toMatch(/Café, write style = bold[^]*shown 49 kr[^]*\[Left out: 58 characters/);
    expect(old).not.toContain('secret');
    expect(old.match(/\bseen\b/g)).toHaveLength(5);
    expect(old).not.toContain('not drawn');
    expect(await told('fetch_url', { url: `${site.url}/broken` })).toContain('before');
  });

  it('that redirects is not followed, and one that is refused says why', async () => {
    await begin('fetch_url', { url: `${site.url}/to-other` });
    await decide(approval(), 'Allow for this chat');
    expect((await ended()).result?.text).toContain('redirects, and a browser does not tell where to');
    scene.portside.expectComplaint(/Failed to load resource.*404/);
    expect((await use('fetch_url', { url: `${site.url}/missing` })).result?.text).toContain('HTTP 404');
    expect((await use('fetch_url', { url: 'file:///etc/passwd' })).status).toBe('error');
  });

  it('that looks like another one is shown with the host that it leads to, and a warning', async () => {
    await begin('open_tab', { url: 'https://good.example\u0040xn--vil-9la.example/' });
    await approval().getByText('xn--vil-9la.example', { exact: true }).waitFor();
    await approval().getByText('The address begins with a user name.').waitFor();
    await approval().getByText('This name contains letters that can be mistaken for others.').waitFor();
    await decide(approval(), 'Deny');
    await ended();
  });

  it('of the user’s own network is reached only if they named it', async () => {
    const url = `${site.url}/article`;
    scene.model.script(
      stream(call({ id: 'unnamed', name: 'fetch_url', arguments: JSON.stringify({ url }) })),
      stream(text('Then not.')),
    );
    await scene.ask('Use what you find');
    await decide(approval(), 'Allow once');
    await scene.articles('Assistant').getByText('Then not.').waitFor();
    expect((await scene.stored()).toolCalls.at(-1)?.result?.text).toContain(
      '127.0.0.1 is on the user’s computer or in their network, and they did not name it',
    );
  });
});

describe('the user', () => {
  it('switches them off for a chat, and for all', async () => {
    const { panel, options } = scene.portside;
    const offeredTools = async () => {
      const before = scene.model.requests.length;
      await scene.ask('Hello');
      const { body } = await scene.model.waitForRequest(before);
      await scene.idle();
      return (body.tools ?? []).map((tool) => tool.function.name);
    };
    expect(await offeredTools()).toEqual(expect.arrayContaining(['read_page', 'current_time', 'read_more']));
    await panel.getByRole('button', { name: /^Servers: / }).click();
    const tools = panel.getByRole('dialog', { name: 'Tools for this chat' });
    await tools.getByRole('switch', { name: 'Use Portside in this chat' }).press('Space');
    await tools.getByRole('button', { name: 'Close tools' }).click();
    const without = await offeredTools();
    expect(without).not.toContain('read_page');
    expect(without).toContain('read_more');
    await options.evaluate("location.hash = '#permissions'");
    const own = options.getByRole('region', { name: 'Portside’s own tools' });
    const clock = own
      .getByRole('checkbox', { name: /current_time/ })
      .or(own.getByRole('switch', { name: /current_time/ }));
    await clock.press('Space');
    await panel.getByRole('button', { name: 'New chat' }).click();
    await until('it is off', async () => !(await offeredTools()).includes('current_time'));
    await clock.press('Space');
  });

  it('is told the time in words that a model reads', async () => {
    expect(await told('current_time')).toMatch(new RegExp(`${new Date().getFullYear()} .*GMT`));
  });
});
