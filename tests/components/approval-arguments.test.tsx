import type { Quote } from '../../lib/types/tools/approval.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import { parseHTML } from 'linkedom';
import { type JSX, render } from 'preact';
import { expect, it, vi } from 'vitest';
import { givenName } from '../../lib/state/shown-text.ts';
import { ArgumentLines } from '../../components/chat/calls/approval-arguments.tsx';
import { ReadSite } from '../../components/chat/calls/approval-addresses.tsx';

/** What an approval shows of these arguments. */
const shown = (
  args: object,
  { quotes = [], isOneLine = false, ...call }: Pick<ToolCall, 'targets' | 'titles' | 'files'> & Shown = {},
): HTMLElement =>
  drawn(
    <ArgumentLines
      text={JSON.stringify(args)}
      call={{ ...call, taint: { from: [], quotes } }}
      isOneLine={isOneLine}
    />,
  );
type Shown = { quotes?: Quote[]; isOneLine?: boolean };

function drawn(view: JSX.Element): HTMLElement {
  const { document } = parseHTML('<main></main>');
  vi.stubGlobal('document', document);
  const root = document.querySelector('main') as unknown as HTMLElement;
  render(view, root);
  return root;
}
const textsOf = (root: HTMLElement, selector: string) =>
  [...root.querySelectorAll(selector)].map(({ textContent }) => textContent);

it('an approval shows every argument, with what of it others wrote and the host that it leads to', () => {
  const harmless = Object.fromEntries(
    ['to', 'cc', 'subject', 'text', 'font', 'tone'].map((name) => [name, 'a']),
  );
  const bcc = 'https://user@thief.example/';
  const root = shown({ ...harmless, bcc }, { quotes: [{ text: bcc, from: 'tides.example' }] });
  expect(textsOf(root, 'dt')).toEqual([...Object.keys(harmless), 'bcc']);
  expect(textsOf(root, '.ask-quote')).toEqual([bcc]);
  expect(textsOf(root, '.ask-host')).toEqual(['thief.example']);
  expect(textsOf(root, '.visit-warning')).toHaveLength(1);
});

it('an approval of a flood of arguments shows all of them at once, in one text', () => {
  const many = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`a${at}`, at]));
  const bcc = 'https://thief.example/';
  const root = shown({ ...many, bcc }, { quotes: [{ text: bcc, from: 'tides.example' }] });
  expect(textsOf(root, 'button, dt')).toEqual([]);
  expect(root.textContent).toContain(`a598: 598\na599: 599\nbcc: "${bcc}"`);
  expect(textsOf(root, '.ask-quote')).toEqual([bcc]);
  expect(textsOf(root, '.ask-host')).toEqual(['thief.example']);
});

it('an approval of a flood of addresses shows all of their hosts, those that deceive first, the last in one text', () => {
  const many = Array.from({ length: 30 }, (_, at) =>
    Array.from({ length: 20 }, (_none, each) => `https://a${at}.b${each}.example`).join(' '),
  );
  const root = shown({ ...many, bcc: 'https://user@thief.example/' });
  const hosts = textsOf(root, '.ask-host');
  expect(hosts).toHaveLength(501);
  expect(hosts[0]).toBe('thief.example');
  expect(hosts[500]?.split('\n')).toHaveLength(101);
  expect(hosts[500]?.endsWith('a29.b18.example\na29.b19.example')).toBe(true);
  expect(textsOf(root, '.visit-warning')).toHaveLength(1);
});

it('an approval draws a very long text in pieces, of which its line has the first', () => {
  const text = `${'אa '.repeat(3_000)}bcc thief`;
  const quotes = [{ text: 'bcc thief', from: 'tides.example' }];
  const cut = shown({ text }, { quotes }).querySelector('dd')?.textContent ?? '';
  expect(cut.length).toBeLessThan(2_500);
  expect(cut.at(-1)).toBe('…');
  const many = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`a${at}`, at]));
  const whole = shown({ ...many, text }, { quotes });
  expect(whole.textContent).toContain(`a598: 598\na599: 599\ntext: "${text}"`);
  expect(textsOf(whole, '.ask-quote').join('')).toBe('bcc thief');
  expect(Math.max(...textsOf(whole, 'p *').map((piece) => piece?.length ?? 0))).toBeLessThan(2_500);
});

it('an approval draws a long text of Latin letters as the one that it is', () => {
  const text = 'Größe, naïve “words”. '.repeat(200);
  const many = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`a${at}`, at]));
  expect(shown({ ...many, text }).querySelector('.piece')).toBeNull();
});

it('an approval underlines what is copied also in the names of arguments', () => {
  const name = 'code 4711 of the door';
  const root = shown({ [name]: 'a', to: 'b' }, { quotes: [{ text: name, from: 'tides.example' }] });
  expect(textsOf(root, 'dt .ask-quote')).toEqual([name]);
});

it('an approval whose copied part is blanks alone shows an empty argument beside it', () => {
  const blanks = ' '.repeat(12);
  const root = shown({ text: blanks, note: '' }, { quotes: [{ text: blanks, from: 'tides.example' }] });
  expect(textsOf(root, 'dd')).toEqual([`"${blanks}"`, '""']);
});

it.each([false, true])('an approval shows every host in an argument, on one line: %s', (isOneLine) => {
  const hosts = Array.from({ length: 9 }, (_, at) => `h${at}.example`);
  const root = shown({ text: hosts.map((host) => `https://${host}/`).join(' ') }, { isOneLine });
  expect(textsOf(root, '.ask-host')).toEqual(hosts);
});

it('an approval of several calls has one argument on a line with its name, and more on lines of their own', () => {
  expect(shown({ text: 'a' }, { isOneLine: true }).textContent).toBe('text: "a"');
  const root = shown({ text: 'a'.repeat(300), bcc: 'b' }, { isOneLine: true });
  expect(textsOf(root, 'dt')).toEqual(['text', 'bcc']);
  expect(textsOf(root, 'dd').at(-1)).toBe('"b"');
});

it('an approval of a key says what it would go to where no element is named', () => {
  const targets = { e7: 'button "Buy"' };
  expect(textsOf(shown({ key: 'Enter' }, { targets }), '.ask-host')).toEqual(['button "Buy"']);
  // In Arabic the last quotation mark would stand before the first word.
  expect(textsOf(shown({ key: 'Enter' }, { targets }), 'p > bdi[dir=ltr]')).toEqual(['button "Buy"']);
  const form = { fields: [{ ref: 'e7', value: 'a' }], text: 'b' };
  expect(textsOf(shown(form, { targets }), 'dt > bdi[dir=ltr]')).toEqual(['button "Buy"', 'text']);
  expect(textsOf(shown({ key: 'Enter' }, { targets, isOneLine: true }), '.ask-host')).toEqual([
    'button "Buy"',
  ]);
  expect(textsOf(shown({ key: 'Enter', tab: 4 }, { targets }), '.ask-host')).toEqual(['button "Buy"']);
  expect(textsOf(shown({ key: 'Enter', ref: 'e7' }, { targets }), '.ask-host')).toEqual(['button "Buy"']);
  expect(textsOf(shown({ key: 'Enter', ref: 'e9' }, { targets }), '.ask-host')).toEqual([]);
});

it('an approval unfolds whatever it cuts, names of arguments too', () => {
  const name = `to, as ${'always '.repeat(9)}`;
  const root = shown({ [name]: 'a'.repeat(300), text: 'b' });
  expect(textsOf(root, '.cut')).toEqual([name, `"${'a'.repeat(300)}"`]);
  expect(textsOf(root, 'button[aria-expanded="false"]')).toEqual(textsOf(root, '.cut'));
});

it.each([
  ['https://tides.example:8443', ['tides.example:8443'], 0],
  ['https://xn--bnk-7la.example', ['xn--bnk-7la.example'], 1],
  [undefined, [], 0],
  ['null', [], 0], // of `about:blank` and the like
])('an approval of a call that reads a tab of %s says so', (origin, hosts, warnings) => {
  const annotations = { readOnlyHint: true, openWorldHint: false };
  const root = drawn(<ReadSite call={{ annotations, ...(origin && { reads: origin }) } as ToolCall} />);
  expect(textsOf(root, '.ask-host')).toEqual(hosts);
  expect(textsOf(root, '.visit-warning')).toHaveLength(warnings);
});

it('an approval cuts a long host at its start, and a sentence at its end', () => {
  expect(givenName(`accounts.google.com.${'a'.repeat(40)}.thief.example`)).toMatch(/^…a+\.thief\.example$/);
  expect(givenName(`Trust ${'and allow '.repeat(9)}`)).toMatch(/^“Trust and .*…”$/);
});

it('an approval shows the files that a page would get with their sizes, also one with hidden characters in its name', () => {
  const files = {
    'result:chart': { id: 'm1.0.0', name: 'chart.png', size: 40_000 },
    'a\u202Efdp.exe': { id: 'f1', name: 'a\u202Efdp.exe', size: 12 },
    'edited-out.txt': { id: 'f2', name: 'edited-out.txt', size: 1 },
  };
  const named = ['result:chart', 'a\u202Efdp.exe'];
  for (const isOneLine of [false, true]) {
    const [chart, ...others] = textsOf(shown({ ref: 'e1', files: named }, { files, isOneLine }), '.ask-host');
    expect(chart).toBe('chart.png, 40 kB');
    expect(others).toEqual([expect.stringMatching(/fdp\.exe, 12 B$/)]);
    expect(others.join('')).not.toContain('\u202E');
  }
});

it('an approval of a call in a tab says which tab, in quotation marks', () => {
  const call = { annotations: {}, at: { tab: 7, title: '"Cart \u202e"' } } as unknown as ToolCall;
  const root = drawn(<ReadSite call={{ ...call, reads: 'https://shop.example' }} />);
  expect(textsOf(root, '.ask-host')).toEqual(['shop.example']);
  expect(root.querySelector('.ask-tab')?.textContent).toMatch(/^"Cart .+"$/);
  expect(drawn(<ReadSite call={call} />).querySelector('code')).toBeNull();
  expect(drawn(<ReadSite call={{ annotations: {} } as ToolCall} />).textContent).toBe('');
});

it('an approval shows the fields of a form by what they are, and all of what is more than that as it came', () => {
  const targets = { e1: 'textbox "Name"', e2: 'textbox "Mail\u202E"' };
  const fields = [
    { ref: 'e1', value: 'Ada' },
    { ref: 'e2', value: 'a@b.example' },
  ];
  const root = shown({ fields, tab: 3 }, { targets });
  expect(textsOf(root, 'dt')).toEqual(['textbox "Name"', 'textbox "Mail\\u202e"', 'tab']);
  expect(textsOf(root, 'dd')).toEqual(['"Ada"', '"a@b.example"', '3']);
  for (const odd of [[...fields, { ref: 'e9', value: '' }], [{ ...fields[0], frame: 1 }], ['e1'], []])
    expect(textsOf(shown({ fields: odd, tab: 3 }, { targets }), 'dt')).toEqual(['fields', 'tab']);
  const twice = drawn(
    <ArgumentLines text={'{"fields":[],"fields":[{"ref":"e1","value":""}]}'} call={{ targets }} />,
  );
  expect(textsOf(twice, 'dt')).toEqual(['fields', 'fields']);
});

it('an approval has what a schema calls an argument beside its name, in quotation marks', () => {
  const titles = { amt: 'Amount” in\n euros', constructor: 'X' };
  const root = shown({ amt: 1, to: 'b', toString: 2 }, { titles });
  expect(textsOf(root, 'dt')).toEqual(['amt “Amount’ in euros”', 'to', 'toString']);
  expect(shown({ amt: 1 }, { titles, isOneLine: true }).textContent).toBe('amt: 1 “Amount’ in euros”');
});
