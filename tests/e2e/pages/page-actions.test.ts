import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { call, stream, text } from '../../fakes/model-server.ts';
import { inFront, startSite, type Site } from './page-site.ts';
import { readRows } from '../support/rows.ts';
import { decide, openScene, type Scene } from '../support/scene.ts';

let scene: Scene;
let site: Site;
let page: Page;
let asked = 0;

beforeAll(async () => {
  [scene, site] = await Promise.all([openScene(), startSite()]);
  page = await scene.portside.context.newPage();
});
afterAll(async () => {
  await scene.close();
  await site.close();
});

const newChat = () => scene.portside.panel.getByRole('button', { name: 'New chat' }).click();
const approval = () => scene.portside.panel.getByRole('alertdialog');
const visit = async (path: string): Promise<void> => {
  await page.goto(site.url + path);
  await page.bringToFront();
};

/** Has the model call tools, one after another. */
async function begin(...calls: [name: string, args?: object][]): Promise<void> {
  asked += 1;
  const made = calls.map(([name, args = {}], at) =>
    stream(call({ id: `c${asked}.${at}`, name, arguments: JSON.stringify(args) })),
  );
  scene.model.script(...made, stream(text(`Answer ${asked}.`)));
  await scene.ask(`Go on: ${site.url}`);
}

const answered = () => scene.articles('Assistant').getByText(`Answer ${asked}.`);

/** @returns the calls as they are written down, once the model has answered to their results */
async function ended(count = 1): Promise<ToolCall[]> {
  await answered().waitFor();
  await scene.idle();
  return (await scene.stored()).toolCalls.slice(-count);
}

/** What came of each, and what was told of it. Allows a tool for the chat where it asks. */
async function outcomes(...calls: [name: string, args?: object][]): Promise<[string, string][]> {
  await begin(...calls);
  for (;;) {
    await approval().or(answered()).first().waitFor();
    if ((await approval().count()) === 0) break;
    await decide(approval(), 'Allow for this chat');
  }
  const made = await ended(calls.length);
  return made.map(({ status, result }) => [status, result?.text ?? '']);
}
const told = async (name: string, args: object = {}): Promise<string> =>
  (await outcomes([name, args]))[0]?.[1] ?? '';
const done = (of: Pick<Page, 'evaluate'> = page): Promise<string[]> => of.evaluate('window.done');

let seen = '';
const look = async (args: object = {}): Promise<string> => (seen = await told('snapshot', args));
/** The reference of an element in the last snapshot; of several the first. */
function ref(role: string, name: string): string {
  const found = new RegExp(`- ${role} "${name}" \\[ref=(\\w+)\\]`).exec(seen)?.[1];
  if (found === undefined) throw new Error(`No ${role} "${name}" in:\n${seen}`);
  return found;
}

describe('a click', () => {
  it('asks with the element and its site on the card, and tells what the page made of it', async () => {
    await visit('/act');
    await look();
    await begin(['click', { ref: ref('button', 'Save') }]);
    await approval().getByText('button "Save"', { exact: true }).waitFor();
    const card = (await approval().textContent()) ?? '';
    expect(card).toContain('Click, Portside');
    expect(card).toContain(new URL(site.url).host);
    expect(card).toContain('Sends data out');
    expect(await done()).toEqual([]);
    await decide(approval(), 'Allow for this chat');
    const [saved] = await ended();
    expect([saved?.status, saved?.result?.text]).toEqual([
      'success',
      expect.stringMatching(/Clicked button "Save"\.[^]*\+ - status .*: Done: saved/),
    ]);
    expect(await done()).toEqual(['saved']);
    expect(await page.evaluate('window.order')).toEqual(
      'pointerover pointerdown mousedown focus pointerup mouseup click'.split(' '),
    );
  });

  it('is a double one, far down, in a closed shadow tree, or on what is drawn anew at each press', async () => {
    const made = await outcomes(
      ['click', { ref: ref('button', 'Twice'), count: 2 }],
      ['click', { ref: ref('button', 'Far') }],
      ['click', { ref: ref('button', 'Inside') }],
      ['click', { ref: ref('button', 'Renewed') }],
    );
    const says = (what: string) => ['success', expect.stringContaining(`Done: ${what}`)];
    expect(made).toEqual([says('twice'), says('far'), says('inside'), says('renewed')]);
    expect(await done()).toEqual(['saved', 'twice', 'far', 'inside', 'renewed']);
  });

  it('does nothing to what is covered, disabled, gone or the user’s alone to press, and says so', async () => {
    const before = await done();
    await page.evaluate(() => document.getElementById('twice')?.remove());
    // Links without a target of their own open a tab from here on.
    await page.evaluate(() =>
      document.head.append(Object.assign(document.createElement('base'), { target: '_blank' })),
    );
    const failed = (why: string) => ['error', expect.stringContaining(why)];
    expect(
      await outcomes(
        ['click', { ref: ref('button', 'Under') }],
        ['click', { ref: ref('button', 'Sold out') }],
        ['click', { ref: ref('button', 'Twice') }],
        ['click', { ref: ref('link', 'New elsewhere') }],
        ['press_key', { ref: ref('link', 'New elsewhere'), key: 'Enter' }],
        ['click', { ref: ref('link', 'Named elsewhere') }],
        ['click', { ref: ref('link', 'Elsewhere') }],
      ),
    ).toEqual([
      failed('Nothing was done: button "Under" is covered by dialog "Cookies".'),
      failed('button "Sold out" is disabled'),
      ['error', expect.stringMatching(/Take a new snapshot[^]*Now in its place:\n[^]*button "Save"/)],
      failed(`use open_tab with ${site.other}/act-next`),
      failed(`use open_tab with ${site.other}/act-next`),
      failed(`use open_tab with ${site.other}/act-next`),
      failed(`use open_tab with ${site.other}/act-next`),
    ]);
    expect(await done()).toEqual(before);
    await page.evaluate(() => document.querySelector('base')?.remove());
  });

  it('that the page ignores is never told as one that worked', async () => {
    const made = await outcomes(
      ...['Gate', 'Idle'].map((name): [string, object] => ['click', { ref: ref('button', name) }]),
    );
    for (const [, said] of made) expect(said).toMatch(/Nothing visible changed within a second: .*isTrusted/);
  });

  it('tells what an alert said that is gone by then', async () => {
    await page.evaluate(() => {
      const later = Object.assign(document.createElement('button'), { textContent: 'Later' });
      later.addEventListener('click', () => {
        const alert = Object.assign(document.createElement('p'), {
          role: 'alert',
          textContent: 'Kept for you',
        });
        document.body.append(alert);
        setTimeout(() => alert.remove());
      });
      document.querySelector('h1')?.after(later);
    });
    await look();
    const said = await told('click', { ref: ref('button', 'Later') });
    expect(said).toContain('+ - alert (gone by now): Kept for you');
  });

  it('tells nothing of an alert in which there is what the user alone may type', async () => {
    await page.evaluate(() => {
      const locked = Object.assign(document.createElement('button'), { textContent: 'Locked' });
      locked.addEventListener('click', () => {
        const alert = Object.assign(document.createElement('div'), { role: 'alert' });
        alert.innerHTML = 'Your code: <b id="otp-code" contenteditable>secret-483920</b>';
        document.body.append(alert);
        setTimeout(() => alert.remove());
      });
      document.querySelector('h1')?.after(locked);
    });
    await look();
    expect(await told('click', { ref: ref('button', 'Locked') })).not.toContain('secret');
  });

  it('reaches what lies in a frame of the page’s own site', async () => {
    expect(seen).toContain(`[Left out: frames of sites that this chat has not read: ${site.other}.`);
    const said = await told('click', { ref: ref('button', 'Inner') });
    expect(said).toMatch(/In a frame of [^]*Done: inner/);
    const inner = page.frames().filter((frame) => frame.url().endsWith('/act-inner'));
    expect(await Promise.all(inner.map(done))).toEqual([['inner'], []]);
  });

  it('opens a link to the page’s own site in a tab behind it, unless the page keeps it from that', async () => {
    await visit('/act');
    await look();
    const tabs = scene.portside.context.pages().length;
    const made = await outcomes(
      ['click', { ref: ref('link', 'New tab') }],
      ['press_key', { ref: ref('link', 'New tab'), key: 'Enter' }],
      ['click', { ref: ref('link', 'Next'), modifiers: ['Control'] }],
      ['click', { ref: ref('link', 'Next'), button: 'middle' }],
      ['click', { ref: ref('link', 'Kept') }],
    );
    const opened = ['success', expect.stringMatching(/A new tab is there: \d+: "Next", .*\/act-next$/m)];
    const kept = ['success', expect.stringContaining('Done: kept')];
    expect(made).toEqual([opened, opened, opened, opened, kept]);
    expect(await told('click', { ref: ref('link', 'In a frame') })).not.toContain('A new tab');
    await expect.poll(() => page.frame('inner')?.url()).toBe(`${site.url}/act-next`);
    const all = scene.portside.context.pages();
    expect(all.length).toBe(tabs + 4);
    expect(await inFront(scene.portside)).toBe(page.url());
    await Promise.all(all.filter((each) => each.url().endsWith('/act-next')).map((each) => each.close()));
  });

  it('that leads to another page waits for it, and tells nothing of another site but its origin', async () => {
    expect(await told('click', { ref: ref('link', 'Next') })).toContain(
      `The tab shows another page now: ${site.url}/act-next "Next"`,
    );
    await visit('/act');
    await look();
    const left = await told('click', { ref: ref('link', 'Elsewhere') });
    expect(left).toContain(`The tab shows another page now: ${site.other}. `);
    expect(left).not.toContain('"Next"');
  });

  it('that is allowed for a site asks at another one', async () => {
    await page.goto(`${site.other}/act`);
    await look();
    await begin(['click', { ref: ref('button', 'Save') }]);
    await approval().getByText('button "Save"', { exact: true }).waitFor();
    await decide(approval(), 'Deny');
    await ended();
    expect(await done()).toEqual([]);
  });

  it('reaches a frame of another site that the chat has read, which the card names', async () => {
    await visit('/act');
    await look();
    // Frames are told in the order in which they were made, which differs.
    const [, inFrame = ''] = seen.split(`In a frame of ${new URL(site.other).host} [`);
    const [, inner = ''] = /button "Inner" \[ref=(\w+)\]/.exec(inFrame) ?? [];
    await begin(['hover', { ref: inner }], ['click', { ref: inner }]);
    await approval()
      .getByText(`button "Inner" in a frame of ${new URL(site.other).host}`, { exact: true })
      .waitFor();
    await decide(approval(), 'Allow once');
    // That clicks are allowed at the page's own site is no leave for the frame.
    await approval()
      .getByText(/^Approve click/)
      .waitFor();
    await decide(approval(), 'Allow once');
    await ended(2);
    const other = page.frames().find((frame) => frame.url() === `${site.other}/act-inner`);
    expect(other && (await done(other))).toEqual(['inner']);
  });

  it('in a sandboxed frame is asked about each time, whatever is allowed for its page', async () => {
    await newChat();
    await visit('/act-sandbox');
    await look();
    expect(seen).not.toContain('Given');
    expect(await told('type_text', { ref: ref('textbox', 'Own'), text: 'a' })).toContain('holds "a" now');
    const note = { ref: ref('textbox', 'Note'), text: 'b' };
    const decided = async (how: 'Allow once' | 'Deny', what: string, made: [string, object]) => {
      await begin(made);
      await approval().getByText(`${what} in a sandboxed frame of`).waitFor();
      await decide(approval(), how);
      return (await ended())[0]?.status;
    };
    expect(await decided('Allow once', 'textbox "Note"', ['type_text', note])).toBe('success');
    expect(await decided('Deny', 'textbox "Note"', ['type_text', note])).toBe('denied');
    // By its address it is of the page's own site.
    await outcomes(['click', { ref: ref('textbox', 'Own') }]);
    expect(await decided('Deny', 'button "Inner"', ['click', { ref: ref('button', 'Inner') }])).toBe(
      'denied',
    );
    expect(await page.frames()[1]?.locator('input').inputValue()).toBe('b');
  });

  it('in a page that its site serves in a sandbox is asked about each time, whatever is allowed for the site', async () => {
    await newChat();
    await visit('/act-sandbox');
    await look();
    expect(await told('type_text', { ref: ref('textbox', 'Own'), text: 'a' })).toContain('holds "a" now');
    await visit('/act-sandboxed');
    await look();
    await begin(['type_text', { ref: ref('textbox', 'Note'), text: 'b' }]);
    await decide(approval(), 'Deny');
    expect((await ended())[0]?.status).toBe('denied');
    // A scroll that names nothing is one all the same.
    expect(await told('scroll', { direction: 'down' })).toContain('Scrolled');
  });

  it('is one in the tab and the document that the card showed, whatever is in front by then', async () => {
    await newChat();
    const other = await scene.portside.context.newPage();
    for (const each of [other, page]) {
      await each.goto(`${site.url}/act`);
      await each.bringToFront();
      await look(); // an element has the same reference in both
    }
    await begin(['click', { ref: ref('button', 'Save') }]);
    await approval().getByText('"Shop"', { exact: true }).waitFor();
    await other.bringToFront();
    await decide(approval(), 'Allow once');
    expect((await ended())[0]?.status).toBe('success');
    expect([await done(), await done(other)]).toEqual([['saved'], []]);
    await other.close();
    await page.bringToFront();
    await begin(['scroll', { direction: 'down' }]);
    await approval().waitFor();
    await page.reload();
    await decide(approval(), 'Allow once');
    expect((await ended())[0]?.result?.text).toContain('another page than when this was allowed');
  });

  it('is not one on what was drawn anew in a row that says something else by then', async () => {
    await visit('/act');
    const draw = (invoice: string, sum: string) =>
      page.evaluate(
        ([of, due]) => {
          const table = document.querySelector('table') ?? document.createElement('table');
          table.innerHTML = `<tr><td>Invoice ${of}</td><td>€${due}</td><td><button onclick="note('paid')">Pay</button></td></tr>`;
          document.querySelector('h1')?.after(table);
        },
        [invoice, sum],
      );
    const drawnMeanwhile = async (invoice: string, sum: string) => {
      await draw('12', '5');
      await look();
      await begin(['click', { ref: ref('button', 'Pay') }]);
      await approval().getByText('button "Pay" in "Invoice 12"', { exact: true }).waitFor();
      await draw(invoice, sum);
      await decide(approval(), 'Allow once');
      return (await ended())[0]?.result?.text;
    };
    expect(await drawnMeanwhile('99', '5')).toContain('No element of the page has the reference');
    expect(await drawnMeanwhile('12', '500')).toContain(
      'button "Pay" in "Invoice 12" was drawn anew since it was allowed',
    );
    expect(await done()).toEqual([]);
    expect(await drawnMeanwhile('12', '5')).toContain('Clicked button "Pay"');
    expect(await done()).toEqual(['paid']);
  });

  /** A list that draws its rows again by their index, or all of them anew; each has a button, a counter and a clock. */
  const list = (isAnew = false) =>
    page.evaluate((all) => {
      const people = ['Alice', 'Bob', 'Carol'];
      const entries = document.createElement('ul');
      const did: string[] = [];
      Object.assign(window, { did });
      let ticks = 0;
      const draw = () => {
        if (all) entries.replaceChildren();
        while (entries.children.length > people.length) entries.lastElementChild?.remove();
        while (entries.children.length < people.length) {
          const entry = document.createElement('li');
          entry.innerHTML =
            '<span></span> <i>0</i> <b></b> <button class="more">More</button> <button class="delete">Delete</button>';
          entries.append(entry);
        }
        for (const [at, entry] of [...entries.children].entries()) {
          entry.querySelector('span')?.replaceChildren(people[at] ?? '');
          entry.querySelector('b')?.replaceChildren(`12:00:${10 + ticks}`);
        }
        ticks += 1;
      };
      entries.addEventListener('click', ({ target }) => {
        const entry = (target as Element).closest('li');
        const at = [...entries.children].findIndex((each) => each === entry);
        const isMore = (target as Element).className === 'more';
        did.push(`${isMore ? 'more of' : 'deleted'} ${people[at]}`);
        const counter = entry?.querySelector('i');
        if (isMore) counter?.replaceChildren(String(Number(counter.textContent) + 1));
        else people.splice(at, 1);
        draw();
      });
      addEventListener('gone', () => {
        people.shift();
        draw();
      });
      entries.setAttribute('aria-label', 'People');
      draw();
      document.querySelector('h1')?.after(entries);
    }, isAnew);
  const did = (): Promise<string[]> => page.evaluate('window.did');
  const loseAlice = () => page.evaluate(() => dispatchEvent(new Event('gone')));
  const refs = (name: string) =>
    [...seen.matchAll(new RegExp(`button "${name}" \\[ref=(\\w+)\\]`, 'g'))].map(([, found = '']) => found);
  /** Has the model call tools in one message. */
  const plan = async (...calls: [name: string, args: object][]): Promise<void> => {
    asked += 1;
    const made = calls.map(([name, args], index) =>
      call({ index, id: `p${asked}.${index}`, name, arguments: JSON.stringify(args) }),
    );
    scene.model.script(stream(...made), stream(text(`Answer ${asked}.`)));
    await scene.ask(`Go on: ${site.url}`);
  };

  it('of a plan is not one on the row that moved up in place of its own', async () => {
    await newChat();
    for (const decision of ['Allow for this chat', undefined] as const) {
      await visit('/act');
      await list();
      await look();
      const [alice, bob] = refs('Delete');
      await plan(['click', { ref: alice }], ['click', { ref: bob }]);
      if (decision) {
        await approval().getByText('button "Delete" in "Alice"', { exact: true }).waitFor();
        await approval().getByText('button "Delete" in "Bob"', { exact: true }).waitFor();
        await decide(approval(), decision);
      }
      const made = await ended(2);
      expect(made.map(({ status }) => status)).toEqual(['success', 'error']);
      expect(made[1]?.result?.text).toMatch(
        /it is in another row by now[^]*Now in its place:\n- list "People"/,
      );
      expect(await did()).toEqual(['deleted Alice']);
    }
  });

  it('of a plan is not one on a page of another site to which the plan led', async () => {
    await newChat();
    await visit('/act');
    await page.evaluate((to) => {
      const link = [...document.links].find(({ textContent }) => textContent === 'Elsewhere');
      if (link) link.href = to;
    }, `${site.other}/act`);
    await look();
    const save = ref('button', 'Save'); // an element has the same reference there
    await plan(
      ['click', { ref: ref('link', 'Elsewhere') }],
      ['click', { ref: save }],
      ['press_key', { key: 'a' }],
    );
    await decide(approval(), 'Allow for this chat');
    expect((await ended(3)).map(({ status }) => status)).toEqual(['success', 'error', 'error']);
    expect([page.url(), await done()]).toEqual([`${site.other}/act`, []]);
    await look();
    expect(ref('button', 'Save')).toBe(save);
  });

  it('is not one on an element that stands for another row since the user was asked', async () => {
    await visit('/act');
    await newChat();
    await list();
    await look();
    await begin(['click', { ref: refs('Delete')[0] }]);
    await approval().waitFor();
    await loseAlice();
    await decide(approval(), 'Allow once');
    expect((await ended())[0]?.result?.text).toContain(
      'was button "Delete" in "Alice" when it was allowed, and is button "Delete" in "Bob" now',
    );
    expect(await did()).toEqual([]);
  });

  it('goes to its own row where all are drawn anew, and to none once that is gone', async () => {
    await visit('/act');
    await newChat();
    await list(true);
    await look();
    const [alice, bob] = refs('Delete');
    await loseAlice();
    const made = await outcomes(['click', { ref: alice }], ['click', { ref: bob }]);
    expect(made.map(([status]) => status)).toEqual(['error', 'success']);
    expect(await did()).toEqual(['deleted Bob']);
  });

  it('is one again and again in a row whose counter and clock go on', async () => {
    await visit('/act');
    await newChat();
    await list();
    await look();
    const [, more] = refs('More');
    await plan(['click', { ref: more }], ['click', { ref: more }], ['click', { ref: more }]);
    await decide(approval(), 'Allow all');
    expect((await ended(3)).map(({ status }) => status)).toEqual(['success', 'success', 'success']);
    expect(await did()).toEqual(['more of Bob', 'more of Bob', 'more of Bob']);
  });

  it('is not one on an element that became another one since the user was asked', async () => {
    await visit('/act');
    await newChat();
    await look();
    await begin(['click', { ref: ref('button', 'Save') }]);
    await approval().getByText('button "Save"', { exact: true }).waitFor();
    await page.evaluate(() => document.getElementById('save')?.replaceChildren('Buy'));
    await decide(approval(), 'Allow for this chat');
    const [made] = await ended();
    expect(made?.result?.text).toMatch(/was button "Save" when it was allowed, and is button "Buy" now/);
    expect(await done()).toEqual([]);
  });
});

describe('a form', () => {
  it('is filled in every kind of field, in a tab that is behind', async () => {
    await visit('/act-form');
    await newChat();
    const front = await scene.portside.context.newPage();
    await front.goto(site.url);
    const lines = (await told('list_tabs')).split('\n');
    const tab = Number.parseInt(lines.find((line) => line.includes('/act-form')) ?? '', 10);
    await look({ tab });
    const fields = [
      ['textbox', 'Name', 'Grace'],
      ['textbox', 'Notes', 'one\ntwo'],
      ['textbox', 'Letter', 'Dear keeper'],
      ['checkbox', 'Gift', 'true'],
      ['radio', 'Boat', 'true'],
      ['combobox', 'Plan', 'Pro'],
      ['textbox', 'Day', '2026-12-31'],
      ['slider', 'Size', '7'],
      ['textbox', 'Colour', '#ff0000'],
    ].map(([role = '', name = '', value]) => ({ ref: ref(role, name), value }));
    const says = (what: string) => ['success', expect.stringContaining(what)];
    expect(
      await outcomes(
        ['fill_form', { tab, fields }],
        ['type_text', { tab, ref: ref('textbox', 'Mail'), text: 'a@b.example' }],
        ['type_text', { tab, ref: ref('textbox', 'Greeting'), text: '🚢 ahoy 👋🏽' }],
        ['select_option', { tab, ref: ref('listbox', 'Tags'), values: ['Red', 'Blue'] }],
        ['select_option', { tab, ref: ref('combobox', 'Port'), values: ['Leith'] }],
      ),
    ).toEqual([
      says('textbox "Name" holds "Grace" now; before: "Ada".'),
      says('holds "a@b.example" now'),
      says('holds "🚢 ahoy 👋🏽" now'),
      says('"Red, Blue" chosen now'),
      says('Leith'),
    ]);
    const entered = await page.evaluate(() => {
      const data = new FormData(document.querySelector('form') ?? undefined);
      const textOf = (selector: string) => document.querySelector(selector)?.textContent;
      return {
        ...Object.fromEntries(data),
        tags: data.getAll('tags'),
        letter: textOf('[contenteditable]'),
        port: textOf('[aria-label=Port]'),
      };
    });
    expect(entered).toMatchObject({
      name: 'Grace',
      notes: 'one\ntwo',
      letter: 'Dear keeper',
      gift: 'on',
      way: 'boat',
      plan: 'p',
      day: '2026-12-31',
      size: '7',
      colour: '#ff0000',
      mail: 'a@b.example',
      tags: ['Red', 'Blue'],
      port: 'Leith',
    });
    const keys: string[] = await page.evaluate('window.keys');
    expect([keys.slice(0, 4), keys.at(-1)]).toEqual([['keydown', 'beforeinput', 'input', 'keyup'], 'change']);
    expect(await inFront(scene.portside)).toBe(front.url());
    await front.close();
  });

  it('keeps what only the user may type, and what is locked, as it is', async () => {
    await page.bringToFront();
    const into = (name: string): [string, object] => [
      'type_text',
      { ref: ref('textbox', name), text: 'a1b2' },
    ];
    const both = [ref('textbox', 'Name'), ref('textbox', 'Password')].map((each) => ({
      ref: each,
      value: 'x',
    }));
    await page.evaluate(() => document.querySelector<HTMLInputElement>('[name=secret]')?.focus());
    const failed = (why: string) => ['error', expect.stringContaining(why)];
    expect(
      await outcomes(
        ['press_key', { key: 'x' }],
        into('Password'),
        into('Card'),
        into('Code'),
        ['fill_form', { fields: both }],
        into('Fixed'),
        ['select_option', { ref: ref('combobox', 'Plan'), values: ['Gold'] }],
        ['type_text', { ref: ref('textbox', 'Digits'), text: 'abc' }],
      ),
    ).toEqual([
      ...Array.from({ length: 5 }, () => failed('which only the user may type: use ask_user')),
      failed('is read-only'),
      failed('there are: "Free", "Pro"'),
      failed('It was not taken as typed'),
    ]);
    const data = await page.evaluate(() =>
      Object.fromEntries(new FormData(document.querySelector('form') ?? undefined)),
    );
    const kept = { name: 'Grace', fixed: 'as it is', digits: '', plan: 'p' };
    expect(data).toMatchObject({ secret: '', number: '', 'user[otp_attempt]': '', ...kept });
  });

  it('keeps a password to the user, however it is named, and is not sent by a line break', async () => {
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend',
      '<div id="secrets"><label>PIN <input type="range" max="9999" value="1234"></label>' +
      '<label>Card number <select><option>4111</option><option>4242</option></select></label></div>')`);
    await look();
    const failed = (why: string) => ['error', expect.stringContaining(why)];
    const made = await outcomes(
      ['set_slider', { ref: ref('textbox', 'Vault key'), value: 4711 }],
      ['fill_form', { fields: [{ ref: ref('group', 'Vault'), value: 'x' }] }],
      ['select_option', { ref: ref('button', 'Order'), values: ['Gold'] }],
      ['select_option', { ref: ref('combobox', 'Card number'), values: ['4242'] }],
      ['press_key', { ref: ref('combobox', 'Card number'), key: 'ArrowDown' }],
      ['press_key', { ref: ref('slider', 'PIN'), key: 'ArrowRight' }],
      ['type_text', { ref: ref('textbox', 'Greeting'), text: 'a\nb', clear: true }],
    );
    expect(made).toEqual([
      failed('is no slider'),
      failed('which only the user may type'),
      failed('is no list of options'),
      ...Array.from({ length: 3 }, () => failed('which only the user may type')),
      ['success', expect.stringContaining('holds "a b" now')],
    ]);
    expect(
      await page.evaluate(
        `[...document.querySelectorAll('#secrets :is(input, select)')].map(({ value }) => value)`,
      ),
    ).toEqual(['1234', '4111']);
    await page.evaluate(`document.getElementById('secrets').remove()`);
    expect(JSON.stringify(made)).not.toContain('hunter3');
    expect(await page.locator('fieldset input').inputValue()).toBe('hunter3');
    expect(new Set(await done())).toEqual(new Set(['letter']));
  });

  it('that moves the focus gets what is typed in the field that was named, not in a password’s', async () => {
    const typed = await told('type_text', { ref: ref('textbox', 'Nick'), text: 'abc' });
    expect(typed).toContain('textbox "Nick" holds "abc" now');
    const data = await page.evaluate(() =>
      Object.fromEntries(new FormData(document.querySelector('form') ?? undefined)),
    );
    expect(data).toMatchObject({ nick: 'abc', secret: '' });
  });

  it('in which an action breaks off half-way is not told as an element that is not there', async () => {
    // An input of that name stands for the method of its form.
    const pressed = await told('press_key', { ref: ref('form', 'Odd'), key: 'a' });
    expect(pressed).toContain('It broke off at form "Odd", and may have been done in part: TypeError');
  });

  it('keeps a password that the page shows as text as what it is', async () => {
    await page.evaluate(() => {
      const password = document.querySelector<HTMLInputElement>('[name=secret]');
      if (password) Object.assign(password, { type: 'text', value: 'hunter2' });
    });
    expect(await look()).not.toContain('hunter2');
    const typed = await told('type_text', { ref: ref('textbox', 'Password'), text: 'x' });
    expect(typed).toContain('which only the user may type');
  });

  it('keeps a password as what it is where the page draws it anew as text', async () => {
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    expect(await look()).toMatch(/- textbox "Entry" \[ref=\w+\] \[private\]$/m);
    expect(await told('read_page')).not.toContain('hunter4');
    const typed = await told('type_text', { ref: ref('textbox', 'Entry'), text: 'x' });
    expect(typed).toContain('which only the user may type');
  });

  it('keeps when a card expires to the user, in a list too', async () => {
    expect(await look()).toMatch(
      /- combobox "Expires" \[ref=\w+\] \[private\]:?\n.*- option "01"\n.*- option "11"\n/,
    );
    const expires = ref('combobox', 'Expires');
    const made = await outcomes(
      ['select_option', { ref: expires, values: ['01'] }],
      ['fill_form', { fields: [{ ref: expires, value: '01' }] }],
      ['read_page'],
    );
    const locked = ['error', expect.stringContaining('which only the user may type')];
    expect(made).toEqual([locked, locked, ['success', expect.not.stringContaining('[11]')]]);
    expect(await page.locator('[name=until]').inputValue()).toBe('11');
  });

  it('gets a key where what has the focus is what the card showed, and is asked about when a key sends it', async () => {
    await visit('/act-form');
    await newChat();
    await look();
    const focus = (name: string) =>
      page.evaluate((of) => document.querySelector<HTMLElement>(`[name=${of}]`)?.focus(), name);
    await focus('notes');
    const pressed = async (args: object, shown: string, meanwhile?: string, sends = false) => {
      await begin(['press_key', args]);
      await approval().getByText(shown, { exact: true }).waitFor();
      expect((await approval().textContent())?.includes('This sends a form.')).toBe(sends);
      if (meanwhile !== undefined) await focus(meanwhile);
      await decide(approval(), meanwhile === 'name' ? 'Allow for this chat' : 'Allow once');
      return (await ended())[0]?.result?.text ?? '';
    };
    expect(await pressed({ key: 'x' }, 'textbox "Notes"')).toContain('Pressed x on textbox "Notes"');
    expect(await pressed({ key: 'y' }, 'textbox "Notes"', 'mail')).toMatch(
      /Nothing was done: the key would go to textbox "Mail" now, which did not have the focus when it was allowed.*: if that is meant, give its reference, e\d+/,
    );
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    expect(await pressed({ key: 'PageDown' }, 'the page')).toContain('Pressed PageDown');
    // It holds a button that sends its form, which no key presses there.
    expect(await pressed({ key: 'Enter' }, 'the page', 'name')).toContain('Nothing was done');
    const values = () =>
      page.evaluate(() => Object.fromEntries(new FormData(document.querySelector('form') ?? undefined)));
    expect(await values()).toMatchObject({ notes: 'x', mail: '' });
    expect(await done()).toEqual([]);
    const enter = { key: 'NumpadEnter', ref: ref('textbox', 'Name') };
    expect(await pressed(enter, 'textbox "Name"', undefined, true)).toContain('Done: sent');
    await pressed({ key: 'Space', ref: ref('button', 'Order') }, 'button "Order"', undefined, true);
    expect(await done()).toHaveLength(2);
  });

  it('is sent with a key; a page is scrolled and pointed at', async () => {
    await visit('/act-form');
    await look();
    expect(await told('press_key', { key: 'Enter', ref: ref('textbox', 'Name') })).toContain('Done: sent');
    await visit('/act');
    await look();
    const made = await outcomes(
      ['scroll', { direction: 'down', amount: 500 }],
      ['hover', { ref: ref('button', 'Menu') }],
      ['scroll', { direction: 'left' }],
    );
    expect(made.map(([, said]) => said)).toEqual([
      expect.stringContaining('Scrolled from 0 to 500 of'),
      expect.stringContaining('Item one'),
      expect.stringContaining('It did not scroll'),
    ]);
  });
});

describe('what is pressed', () => {
  /** @returns whether the card says that a form is sent, and what came of it */
  const pressed = async (name: string, args: object): Promise<[boolean, string]> => {
    await begin([name, args]);
    await approval().waitFor();
    const sends = ((await approval().textContent()) ?? '').includes('This sends a form.');
    await decide(approval(), 'Allow once');
    return [sends, (await ended())[0]?.result?.text ?? ''];
  };

  it('sends no form of which the card did not say so, wherever its button lies or what it turns into', async () => {
    await newChat();
    await visit('/act');
    await page.evaluate(() => {
      const sent = (what: string) => `onsubmit="event.preventDefault(); note('${what}')"`;
      document.querySelector('h1')?.insertAdjacentHTML(
        'afterend',
        `<x-pay tabindex="0" style="display: inline-block"></x-pay>
        <form ${sent('turned')}><button type="button" onmousedown="this.type = 'submit'">Turn</button></form>
        <div role="listbox" aria-label="Kind" aria-owns="kinds"></div>
        <form id="kinds" ${sent('chosen')}><button role="option">Big</button></form>
        <form id="asked" ${sent('asked')}></form>
        <div tabindex="0" onclick="document.getElementById('asked').requestSubmit()">Ask for it</div>`,
      );
      const pay = document.querySelector('x-pay')?.attachShadow({ mode: 'open' });
      if (pay) pay.innerHTML = `<form ${sent('paid')}><button>Pay</button></form>`;
    });
    await look();
    expect(await pressed('click', { ref: ref('generic', 'Pay') })).toEqual([
      true,
      expect.stringContaining('Done: paid'),
    ]);
    const stopped = [false, expect.stringContaining('It stopped before a press that sends a form')];
    expect(await pressed('click', { ref: ref('button', 'Turn') })).toEqual(stopped);
    const kind = { ref: ref('listbox', 'Kind'), values: ['Big'] };
    expect(await pressed('select_option', kind)).toEqual(stopped);
    const asking = { ref: ref('generic', 'Ask for it') };
    expect(await pressed('click', asking)).toEqual(stopped);
    expect(await done()).toEqual(['paid']);
    const [sends] = await pressed('select_option', kind);
    expect([sends, await done()]).toEqual([true, ['paid', 'chosen']]);
    const [asks] = await pressed('click', asking);
    expect([asks, await done()]).toEqual([true, ['paid', 'chosen', 'asked']]);
  });

  it('sends no form of a shadow tree around it or in it, which its event does not leave, unless the card says so', async () => {
    await newChat();
    await visit('/act');
    await page.evaluate(() => {
      const shadowOf = (host: Element | null | undefined, html: string): ShadowRoot => {
        const root = (host as Element).attachShadow({ mode: 'open' });
        root.innerHTML = html;
        return root;
      };
      document
        .querySelector('h1')
        ?.insertAdjacentHTML(
          'afterend',
          '<x-app></x-app><x-card tabindex="0" style="display: inline-block"></x-card><x-slot><b tabindex="0">Slotted</b></x-slot>',
        );
      const at = (name: string) => document.querySelector(name);
      const form = (what: string, inner: string): string =>
        `<form onsubmit="event.preventDefault(); note('${what}')">${inner}</form>`;
      const sendBy = (by: Element | null | undefined, of: ShadowRoot) =>
        by?.addEventListener('click', () => of.querySelector('form')?.requestSubmit());
      const app = shadowOf(at('x-app'), form('around', '<x-button></x-button>'));
      const button = shadowOf(app.querySelector('x-button'), '<button type="button">Transfer</button>');
      sendBy(button.querySelector('button'), app);
      const card = shadowOf(at('x-card'), `${form('in it', '')}<i>Card</i>`);
      sendBy(card.querySelector('i'), card);
      sendBy(at('x-slot b'), shadowOf(at('x-slot'), form('by its slot', '<slot></slot>')));
    });
    await look();
    for (const [role, name, what] of [
      ['button', 'Transfer', 'around'],
      ['generic', 'Card', 'in it'],
      ['generic', 'Slotted', 'by its slot'],
    ] as const) {
      const before = await done();
      const pressing = { ref: ref(role, name) };
      expect(await pressed('click', pressing)).toEqual([
        false,
        expect.stringContaining('It stopped before a press that sends a form'),
      ]);
      expect(await done()).toEqual(before);
      const [sends] = await pressed('click', pressing);
      expect([sends, await done()]).toEqual([true, [...before, what]]);
    }
  });

  it('is told by a tag of the page’s own making as no more than an element', async () => {
    await newChat();
    await visit('/act');
    await page.evaluate(() => {
      // Chromium takes a square of the time to lay out what mixes directions.
      for (const tag of [
        'button"Save"\u00a0in\u00a0a\u00a0frame\u00a0of\u00a0bank.example',
        `x-${'a\u05d01'.repeat(200_000)}`,
      ]) {
        const made = Object.assign(document.createElement(tag), {
          tabIndex: 0,
          textContent: `Tag ${tag.length}`,
        });
        document.querySelector('h1')?.after(made);
      }
    });
    await look();
    const names = [...seen.matchAll(/- generic "(Tag \d+)"/g)].map(([, name = '']) => name);
    expect(names).toHaveLength(2);
    for (const name of names) {
      await begin(['click', { ref: ref('generic', name) }]);
      await approval().getByText(`generic "${name}"`, { exact: true }).waitFor();
      await decide(approval(), 'Deny');
      await ended();
    }
  });

  it('is on no button of the page that a stranger’s label in it stands for, unless the card says so', async () => {
    await newChat();
    await visit('/act');
    await page.evaluate(() =>
      document.querySelector('h1')?.insertAdjacentHTML(
        'afterend',
        `<button id="end" type="button" onclick="note('ended')">End it</button>
        <article>By Eve <label for="end" style="display: block; height: 90px"></label><input type="checkbox"></article>
        <article>By Mallory <a href="/act-next" style="display: block; height: 90px"></a></article>
        <article>By Trent <svg width="100%" height="90" style="display: block"><a xlink:href="/act-next"><rect width="100%" height="90" /></a></svg></article>
        <input id="share" type="checkbox" aria-label="Share"><label for="share"><b onclick="">Like</b></label>
        <label for="end"><b onclick="">More</b> of it <input type="checkbox" hidden></label>`,
      ),
    );
    await look();
    expect(seen).toMatch(/- button "End it" [^]*- text: of it/);
    const articles = [...seen.matchAll(/- article \[ref=(\w+)\]/g)].map(([, each]) => each);
    expect(articles).toHaveLength(3);
    for (const article of articles) {
      await pressed('click', { ref: article });
      expect([await done(), new URL(page.url()).pathname]).toEqual([[], '/act']);
    }
    await begin(['click', { ref: ref('generic', 'Like') }]);
    await approval().getByText('checkbox "Share" of').waitFor();
    await decide(approval(), 'Deny');
    await ended();
    await begin(['click', { ref: ref('generic', 'More') }]);
    await approval().getByText('button "End it" of').waitFor();
    await decide(approval(), 'Allow once');
    await ended();
    expect(await done()).toEqual(['ended']);
  });

  it('follows no link in a label that a stranger wrote for a box that is drawn by its labels alone', async () => {
    await newChat();
    await visit('/act');
    await page.evaluate(() =>
      document.querySelector('h1')?.insertAdjacentHTML(
        'afterend',
        `<article>By Eve <label for="news"><a href="/act-next">so</a></label></article>
        <input id="news" type="checkbox" aria-label="News" style="position: absolute; opacity: 0; width: 1px; height: 1px">
        <label for="news">News</label>`,
      ),
    );
    await look();
    await pressed('click', { ref: ref('checkbox', 'News') });
    expect(new URL(page.url()).pathname).toBe('/act');
    expect(await page.locator('#news').isChecked()).toBe(true);
  });

  it('sends no form unasked by arguments that switch the check of their schema off', async () => {
    await newChat();
    await visit('/act-form');
    await look();
    const name = ref('textbox', 'Name');
    await told('type_text', { ref: name, text: 'a' });
    // The validator throws at such a name.
    await begin(
      ['type_text', { ref: name, text: 'b', submit: 1, '\ud800': 0 }],
      ['type_text', { ref: ref('textbox', 'Notes'), text: ['h', 'Enter'], '\ud800': 0 }],
    );
    const refused = { status: 'error', result: { text: expect.stringContaining('not well-formed') } };
    expect(await ended(2)).toMatchObject([refused, refused]);
    expect(await approval().count()).toBe(0);
    expect(await done()).toEqual([]);
  });
});

describe('a form that goes to another site', () => {
  it('is told as such on the card, by its button or its field, and sent to no third one', async () => {
    await newChat();
    await visit('/act');
    await page.evaluate(() =>
      document.querySelector('h1')?.insertAdjacentHTML(
        'afterend',
        `<form id="note" action="//notes.example/"><input aria-label="Note"></form>
        <button form="note" formaction="https://elsewhere.example:8443/collect">Keep</button>
        <form action="/own"><input name="action"><button>Stay</button></form>`,
      ),
    );
    await look();
    const cardOf = async (name: string, args: object): Promise<string> => {
      await begin([name, args]);
      await approval().waitFor();
      return (await approval().textContent()) ?? '';
    };
    const denied = async (name: string, args: object): Promise<string> => {
      const card = await cardOf(name, args);
      await decide(approval(), 'Deny');
      await ended();
      return card;
    };
    const note = { ref: ref('textbox', 'Note'), text: 'x', submit: true };
    expect(await denied('type_text', note)).toContain('textbox "Note" of a form that goes to notes.example');
    expect(await denied('click', { ref: ref('button', 'Stay') })).not.toContain('goes to');
    const keep = 'button "Keep" of a form that goes to';
    expect(await cardOf('click', { ref: ref('button', 'Keep') })).toContain(`${keep} elsewhere.example:8443`);
    await page.evaluate(() =>
      document.querySelector('[formaction]')?.setAttribute('formaction', 'https://third.example/'),
    );
    await decide(approval(), 'Allow once');
    const [made] = await ended();
    expect(made?.result?.text).toContain(`${keep} elsewhere.example:8443 when it was allowed`);
  });
});

describe('a download', () => {
  it('is asked about each time, though clicks are allowed there', async () => {
    await newChat();
    await visit('/act');
    await page.evaluate(() => {
      const saves = `onclick="event.preventDefault(); note('kept')"`;
      document.querySelector('h1')?.insertAdjacentHTML(
        'afterend',
        `<a href="/file" download ${saves}><span>Keep</span></a><a href="data:text/plain,x" ${saves}>Data</a>
        <a href="/" onmousedown="this.download = ''" ${saves}>Later</a>`,
      );
    });
    await look();
    for (const name of ['Keep', 'Keep', 'Data']) {
      await begin(['click', { ref: ref('link', name) }]);
      await approval().getByText('This downloads a file. That is asked about each time.').waitFor();
      await decide(approval(), 'Allow for this chat');
      expect((await ended())[0]?.status).toBe('success');
    }
    expect(await done()).toEqual(['kept', 'kept', 'kept']);
    expect(await told('click', { ref: ref('link', 'Later') })).toContain('a press that downloads a file');
    expect(await done()).toHaveLength(3);
  });

  it('that a script of the page begins is stopped, wherever its link lies, and asked about the next time', async () => {
    await newChat();
    await visit('/act');
    const saved: string[] = [];
    page.on('download', (download) => void saved.push(download.suggestedFilename()));
    await page.evaluate(() => {
      const link = (name: string) =>
        Object.assign(document.createElement('a'), {
          href: URL.createObjectURL(new Blob(['x'])),
          download: `${name}.txt`,
        });
      const { click } = HTMLElement.prototype;
      const ways: Record<string, () => void> = {
        Detached: () => link('detached').click(),
        Sent: () => void link('sent').dispatchEvent(new MouseEvent('click')),
        Late: () => void setTimeout(() => link('late').click(), 50),
        Kept() {
          const kept = link('kept');
          document.body.append(kept);
          click.call(kept);
        },
      };
      for (const [name, way] of Object.entries(ways)) {
        const button = Object.assign(document.createElement('button'), { textContent: name, onclick: way });
        document.querySelector('h1')?.after(button);
      }
    });
    await look();
    for (const name of ['Detached', 'Sent', 'Late', 'Kept'])
      expect(await told('click', { ref: ref('button', name) })).toContain(
        `began to download a file (${JSON.stringify(`${name.toLowerCase()}.txt`)}), of which the user was not asked`,
      );
    expect(saved).toEqual([]);
    await begin(['click', { ref: ref('button', 'Detached') }]);
    await approval().getByText('This downloads a file. That is asked about each time.').waitFor();
    await decide(approval(), 'Allow once');
    expect((await ended())[0]?.status).toBe('success');
    await expect.poll(() => saved).toEqual(['detached.txt']);
  });
});

describe('a link to what only its server calls a download', () => {
  it('is told as one that may have saved a file, and asked about the next time', async () => {
    await newChat();
    await visit('/act');
    const saved: string[] = [];
    page.on('download', (download) => void saved.push(download.suggestedFilename()));
    await page.evaluate(() =>
      document
        .querySelector('h1')
        ?.insertAdjacentHTML(
          'afterend',
          `<a href="/save">Log</a><button onclick="location = '/save'">Get</button>`,
        ),
    );
    await look();
    const may = ['success', expect.stringContaining('it may have saved a file on the user’s computer')];
    expect(
      await outcomes(['click', { ref: ref('link', 'Log') }], ['click', { ref: ref('button', 'Get') }]),
    ).toEqual([may, may]);
    for (const element of [ref('link', 'Log'), ref('button', 'Get')]) {
      await begin(['click', { ref: element }]);
      await approval().getByText('This downloads a file. That is asked about each time.').waitFor();
      await decide(approval(), 'Deny');
      await ended();
    }
    await expect.poll(() => saved).toEqual(['log.txt', 'log.txt']);
    expect(await outcomes(['navigate', { url: `${site.url}/save` }])).toEqual([may]);
    expect(await told('click', { ref: ref('button', 'Save') })).not.toContain('no page came');
  });
});

describe('a plan', () => {
  it('is one card with all of it, and ends where something of it fails; a form is sent by none unasked', async () => {
    await visit('/act-form');
    await newChat();
    await look();
    const [name, mail] = [ref('textbox', 'Name'), ref('textbox', 'Mail')];
    const plan = (...calls: [string, object][]) =>
      stream(
        ...calls.map(([tool, args], at) =>
          call({ index: at, id: `p${at}`, name: tool, arguments: JSON.stringify(args) }),
        ),
      );
    asked += 1;
    scene.model.script(
      plan(
        ['type_text', { ref: name, text: 'Eve', clear: true }],
        ['type_text', { ref: mail, text: 'e@f.example' }],
        ['click', { ref: ref('button', 'Order') }],
      ),
      plan(
        ['click', { ref: ref('textbox', 'Name') }],
        ['select_option', { ref: ref('combobox', 'Plan'), values: ['Gold'] }],
        ['click', { ref: ref('button', 'Order') }],
      ),
      stream(text(`Answer ${asked}.`)),
    );
    await scene.ask('Order it');
    await approval().getByText('button "Order"', { exact: true }).waitFor();
    const card = (await approval().textContent()) ?? '';
    expect(card).toContain('Approve 3 calls');
    for (const each of ['textbox "Name"', 'textbox "Mail"', 'This sends a form.'])
      expect(card).toContain(each);
    await decide(approval(), 'Allow for this chat');
    // All of the kind is allowed now, but to send a form.
    await approval()
      .getByText(/^Approve/)
      .waitFor();
    expect(await approval().textContent()).toContain('Approve click');
    await decide(approval(), 'Allow once');
    const made = await ended(6);
    expect(made.map(({ status }) => status)).toEqual([
      'success',
      'success',
      'success',
      'success',
      'error',
      'error',
    ]);
    expect(made.at(-1)?.result?.text).toContain('asked for together with this one failed before it');
    expect(await done()).toEqual([expect.stringContaining('"name":"Eve","mail":"e@f.example"')]);
  });
});

describe('a plan', () => {
  it('is edited on its card: values are changed, fields and calls left out, and what is left is done in one go', async () => {
    await visit('/act-form');
    await newChat();
    await look();
    const [name, mail, plan] = [ref('textbox', 'Name'), ref('textbox', 'Mail'), ref('combobox', 'Plan')];
    const fields = [
      { ref: name, value: 'Eve' },
      { ref: mail, value: 'e@f.example' },
    ];
    asked += 1;
    scene.model.script(
      stream(
        ...[
          ['fill_form', { fields }] as const,
          ['select_option', { ref: plan, values: ['Pro'] }] as const,
          ['click', { ref: ref('button', 'Order') }] as const,
        ].map(([tool, args], at) =>
          call({ index: at, id: `e${at}`, name: tool, arguments: JSON.stringify(args) }),
        ),
      ),
      stream(text(`Answer ${asked}.`)),
    );
    await scene.ask('Order it');
    await approval().getByText('Approve 3 calls').waitFor();
    const each = (at: number) => approval().getByRole('listitem').nth(at);

    await each(1).getByRole('button', { name: 'Leave out', exact: true }).press('Enter');
    await approval().getByText('Approve 2 calls').waitFor();
    await each(0).getByRole('button', { name: 'Edit' }).press('Enter');
    const field = (what: string) => each(0).getByRole('textbox', { name: what, exact: true });
    expect(await field('textbox "Name"').evaluate((node) => node === document.activeElement)).toBe(true);
    await field('textbox "Name"').fill('Grace');
    await each(0).getByRole('button', { name: 'Leave out textbox "Mail"' }).press('Enter');
    await field('textbox "Mail"').waitFor({ state: 'detached' });
    await each(0).getByText('Edited').waitFor();
    // Escape ends the editing first, with what was edited.
    await scene.portside.panel.keyboard.press('Escape');
    await each(0).getByText('"Grace"').waitFor();

    await each(2).getByRole('button', { name: 'Edit' }).press('Enter');
    const json = each(2).getByRole('textbox', { name: 'Arguments' });
    const written = await json.inputValue();
    await json.fill('{"ref": 7}');
    await each(2)
      .getByText(/must be a string/)
      .waitFor();
    expect(
      await approval()
        .getByRole('button', { name: /^Allow all/ })
        .isDisabled(),
    ).toBe(true);
    await json.fill(written);
    await decide(approval(), 'Allow all');

    const made = await ended(3);
    expect(
      made.map(({ status, edited, targets }) => [status, edited !== undefined, Object.keys(targets ?? {})]),
    ).toEqual([
      ['success', true, [name]],
      ['denied', false, [plan]],
      ['success', false, [ref('button', 'Order')]],
    ]);
    expect(JSON.parse(made[0]?.edited ?? '')).toEqual({ fields: [{ ref: name, value: 'Grace' }] });
    expect(await done()).toEqual([expect.stringContaining('"name":"Grace","mail":""')]);
  });
});

describe('a finished run', () => {
  const panel = () => scene.portside.panel;

  it('becomes a prompt of its steps, without what was typed, which the user reads and edits before it is saved', async () => {
    await visit('/act-form');
    await newChat();
    await look();
    await outcomes(
      ['type_text', { ref: ref('textbox', 'Name'), text: 'Grace Hopper', clear: true }],
      ['select_option', { ref: ref('combobox', 'Plan'), values: ['Pro'] }],
      ['click', { ref: ref('button', 'Order') }],
    );
    const save = panel().getByRole('button', { name: 'Save as prompt' });
    // An answer that only looked has no steps.
    expect(await save.count()).toBe(1);
    await save.click();
    const form = panel().getByRole('form', { name: 'Save as prompt' });
    const words = form.getByRole('textbox', { name: 'Text' });
    const host = new URL(site.url).host;
    const steps = (name: string, plan: string): string =>
      [
        `1. Use the open page of ${host}`,
        `2. Fill in textbox “Name” with ${name}`,
        `3. Choose ${plan} in combobox “Plan”`,
        '4. Press button “Order”',
      ].join('\n');
    expect(await words.inputValue()).toBe(steps('{{name}}', '{{plan}}'));
    await form.getByText('Asks for name, plan.').waitFor();
    await panel().keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    expect(await save.evaluate((node) => node === document.activeElement)).toBe(true);
    expect(await readRows(scene.portside.options, 'prompts')).toEqual([]);

    await save.press('Enter');
    await form.getByRole('textbox', { name: 'Name' }).fill('Order again');
    await words.fill(`${steps('{{name}}', '{{plan}}')}\n5. Tell me the price`);
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.waitFor({ state: 'detached' });

    await newChat();
    const message = panel().getByRole('textbox', { name: 'Message' });
    await message.pressSequentially('/order');
    await panel()
      .getByRole('option', { name: /Order again/ })
      .click();
    const asks = panel().getByRole('form', { name: 'Arguments for Order again' });
    await asks.getByRole('combobox', { name: 'name' }).fill('Ada');
    await asks.getByRole('combobox', { name: 'plan' }).fill('Free');
    await asks.getByRole('button', { name: 'Insert' }).click();
    await asks.waitFor({ state: 'detached' });
    asked += 1;
    scene.model.script(stream(text(`Answer ${asked}.`)));
    await message.press('Enter');
    await answered().waitFor();
    await scene.idle();
    expect(await scene.articles('You').last().textContent()).toContain('5. Tell me the price');
    const sent = JSON.stringify(scene.model.requests.at(-1)?.body);
    expect(sent).toContain(JSON.stringify(steps('Ada', 'Free')).slice(1, -1));
  });
});

describe('a board', () => {
  it('has its elements found by text and role, with what they lie in', async () => {
    await visit('/act-widgets');
    await newChat();
    const found = await outcomes(
      ['find', { text: 'paint' }],
      ['find', { role: 'slider' }],
      ['find', { text: 'nowhere' }],
    );
    const says = (what: RegExp | string) => ['success', expect.stringMatching(what)];
    expect(found).toEqual([
      says(/- button "Paint" \[ref=\w+\] \(in list "Todo"/),
      says(/- slider "Volume" \[ref=\w+\]: 3/),
      says('There is none.'),
    ]);
  });

  it('has things dragged natively and by the pointer, set, switched and clicked with keys held', async () => {
    await look();
    const [card, puck] = [ref('button', 'Paint'), ref('button', 'Puck')];
    const made = await outcomes(
      ['drag', { from: card, to: ref('button', 'Wall') }],
      ['drag', { from: card, to: ref('list', 'Done') }],
      ['drag', { from: puck, to: ref('button', 'Goal') }],
      ['set_slider', { ref: ref('slider', 'Volume'), value: 7 }],
      ['set_checked', { ref: ref('switch', 'Light'), checked: true }],
      ['set_checked', { ref: ref('switch', 'Light'), checked: true }],
      ['set_checked', { ref: ref('button', 'Wall'), checked: true }],
      ['click', { ref: ref('button', 'Many'), modifiers: ['Control', 'Shift'] }],
    );
    const says = (what: string) => ['success', expect.stringContaining(what)];
    const failed = (what: string) => ['error', expect.stringContaining(what)];
    expect(made).toEqual([
      failed('Nothing there takes it.'),
      says('Done: dropped'),
      says('Done: goal'),
      says('slider "Volume" is at 7 now; before: 3.'),
      says('switch "Light" is checked now; before: not checked.'),
      says('switch "Light" is checked now; before: checked.'),
      failed('can’t be checked'),
      says('Done: true,true'),
    ]);
    expect(await done()).toEqual(['dropped', 'goal', 'true,true']);
  });
});

/** Drags as a hand does, by so many moves as Portside makes. */
async function dragByHand(from: string, to: string): Promise<void> {
  await page.locator(from).hover();
  await page.mouse.down();
  const box = await page.locator(to).boundingBox();
  if (!box) throw new Error(`No ${to}.`);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 12 });
  await page.mouse.up();
}

describe('a page', () => {
  it('gets the events of a real mouse and keyboard, in their order', async () => {
    await visit('/act-events');
    await page.mouse.move(700, 500);
    await look();
    const [one, two, card] = [ref('button', 'One'), ref('button', 'Two'), ref('button', 'Card')];
    const [bin, puck, field] = [ref('button', 'Bin'), ref('button', 'Puck'), ref('textbox', 'Field')];
    const logged = (): Promise<string[]> => page.evaluate('log.splice(0)');
    await logged();
    await outcomes(
      ['click', { ref: one }],
      ['click', { ref: two, button: 'right' }],
      ['click', { ref: two, button: 'middle', modifiers: ['Control', 'Shift'] }],
      ['hover', { ref: one }],
      ['click', { ref: two, count: 2 }],
      ['drag', { from: card, to: bin }],
      ['drag', { from: puck, to: bin }],
      ...['Shift+S', '!', 'Control+Shift+k', 'Shift+Tab'].map((key): [string, object] => [
        'press_key',
        { key, ref: field },
      ]),
    );
    const sent = await logged();
    await page.reload();
    await page.mouse.move(700, 500);
    await logged();
    await page.locator('#one').click();
    await page.locator('#two').click({ button: 'right' });
    await page.keyboard.down('Control');
    await page.keyboard.down('Shift');
    await page.locator('#two').click({ button: 'middle' });
    await page.keyboard.up('Shift');
    await page.keyboard.up('Control');
    await page.locator('#one').hover();
    await page.locator('#two').dblclick();
    await dragByHand('#card', '#bin');
    await dragByHand('#puck', '#bin');
    await page.locator('#field').focus();
    for (const key of ['Shift+S', '!', 'Control+Shift+k', 'Shift+Tab']) await page.keyboard.press(key);
    expect(sent).toEqual(await logged());
  });
});

describe('a tab', () => {
  it('is led to an address, back, forward and anew, waited for, and closed', async () => {
    await newChat();
    await visit('/act');
    const lines = (await told('list_tabs')).split('\n');
    const tab = Number.parseInt(lines.find((line) => line.includes(`${site.url}/act`)) ?? '', 10);
    const made = await outcomes(
      ['navigate', { tab, url: `${site.url}/act-next` }],
      ['wait_for', { tab, text: 'Next page', seconds: 5 }],
      ['wait_for', { tab, text: 'nowhere', seconds: 1 }],
      ['go_back', { tab }],
      ['go_forward', { tab }],
      ['reload', { tab }],
      ['close_tab', { tab }],
    );
    expect(made.map(([status, said]) => [status, said.split('\n').at(-1)])).toEqual([
      ['success', `The tab shows ${site.url}/act-next`],
      ['success', 'It is so now.'],
      ['error', 'It was not so within 1 seconds.'],
      ['success', `The tab shows ${site.url}/act`],
      ['success', `The tab shows ${site.url}/act-next`],
      ['success', `The tab shows ${site.url}/act-next`],
      ['success', expect.stringContaining('Closed ')],
    ]);
    expect(page.isClosed()).toBe(true);
  });
});
