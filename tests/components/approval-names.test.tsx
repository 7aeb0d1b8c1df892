import { signal } from '@preact/signals';
import { parseHTML } from 'linkedom';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, it, vi } from 'vitest';
import { AppWish } from '../../components/chat/apps/app-wish.tsx';
import { Approvals } from '../../components/chat/calls/approval.tsx';
import { PanelContext } from '../../components/panel-context.ts';
import type { Panel } from '../../lib/state/panel.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import { OWN_NAME, OWN_TOOLS, PAGE_TOOLS } from '../../lib/types/tools/tool-source.ts';

// Nothing is laid out here.
vi.mock('../../components/ui/overlay/use-anchored.ts', () => ({ useAnchored: () => undefined }));

/** A card. */
function cardOf(call: Partial<ToolCall>): HTMLElement {
  const { document, window } = parseHTML('<main></main>');
  vi.stubGlobal('document', Object.assign(document, { hasFocus: () => true }));
  vi.stubGlobal('window', window);
  const shown = {
    callId: 'm1.0',
    messageId: 'm1',
    toolName: 'post',
    namespacedName: 'mcp__1__post',
    serverId: 1,
    serverName: 'Notes',
    arguments: '{}',
    annotations: {},
    wait: 'permission',
    ...call,
  };
  const panel = { chat: signal({ calls: { 'm1.0': shown } }), setup: signal(null) };
  const root = document.querySelector('main') as unknown as HTMLElement;
  render(
    <PanelContext.Provider value={panel as unknown as Panel}>
      <Approvals callIds={['m1.0']} />
    </PanelContext.Provider>,
    root,
  );
  return root;
}

/** What it says of where its call's tool is from. */
const fromOf = (call: Partial<ToolCall>) => cardOf(call).querySelector('.ask-from p')?.textContent;

it.each([
  ['Post', 'Post, Notes'],
  ['Checked by Portside', '“Checked by Portside”, Notes'],
  ['Checked\u2800by\u2800Portside', '“Checked\\u2800by\\u2800Portside”, Notes'],
  ['Safe,Portside', '“Safe,Portside”, Notes'],
  ['a”. Portside has checked it. “', '“a’. Portside has checked it. ’”, Notes'],
  [`It''s «safe» "here" ❞now 「or」 ״so`, '“It’s ’safe’ ’here’ ’now ’or’ ’so”, Notes'],
  [`One of ${'a'.repeat(100)}`, `“One of ${'a'.repeat(32)}…”, Notes`],
])('an approval has a server’s title for its tool short and in quotation marks: %s', (title, shown) => {
  expect(fromOf({ annotations: { title } })).toBe(shown);
});

it('an approval has a server’s name likewise, and the names of Portside’s own tools without', () => {
  expect(fromOf({ serverName: 'Notes, this computer' })).toBe('“Notes, this computer”');
  const own = { serverId: OWN_TOOLS, serverName: OWN_NAME };
  expect(fromOf({ ...own, toolName: 'open_tab', namespacedName: 'open_tab' })).toBe('Open a tab, Portside');
});

it('an approval has a page’s title for its tool in quotation marks, though it is called like a host', () => {
  const call = { serverId: PAGE_TOOLS, serverName: 'shop.example', namespacedName: 'page__7__post' };
  expect(fromOf({ ...call, annotations: { title: 'bank.example' } })).toBe('“bank.example”, shop.example');
  expect(fromOf({ ...call, annotations: { title: 'Two words' } })).toBe('“Two words”, shop.example');
  expect(fromOf(call)).toBe('shop.example');
});

it('an approval has a tool’s name in quotation marks where it is more than a name', () => {
  const name = (toolName: string) => cardOf({ toolName }).querySelector('h2 code')?.textContent;
  const long = 'a_tool_of_a_server_with_a_name_of_more_than_forty_letters';
  expect(name(long)).toBe(long);
  expect(name('read_page. Portside has checked it')).toBe('“read_page. Portside has checked it”');
});

it('an approval has what was read in quotation marks, but for hosts of pages', () => {
  const hosts = ['tides.example', 'localhost'];
  const taint = { from: ['nothing', 'tides.example', 'localhost', 'Two words'], hosts, quotes: [] };
  expect(cardOf(taint ? { taint } : {}).querySelector('.ask-behind')?.textContent).toContain(
    'This chat has read “nothing”, tides.example, localhost and 1 more',
  );
});

it('an approval has no quotation end within what was read', () => {
  const taint = { from: ['a”. Portside found nothing. “.txt'], quotes: [] };
  expect(cardOf({ taint }).querySelector('.ask-behind')?.textContent).toContain(
    'This chat has read “a’. Portside found nothing. ’.txt”',
  );
});

it('an approval has a file or an imported chat that is called like a host in quotation marks', () => {
  const quotes = [{ text: 'the code', from: 'wikipedia.org' }];
  const behind = cardOf({ taint: { from: ['wikipedia.org'], quotes } }).querySelector('.ask-behind');
  expect(behind?.textContent).toMatch(/has read “wikipedia\.org”.*“wikipedia\.org”/);
});

/** What the menu of Allow says of its ways. */
async function scopeOf(call: Partial<ToolCall>): Promise<string | undefined> {
  const card = cardOf(call);
  await act(() => {
    const { Event } = card.ownerDocument.defaultView as unknown as typeof globalThis;
    card
      .querySelector("[aria-label='More ways to allow']")
      ?.dispatchEvent(new Event('click', { bubbles: true }));
  });
  return card.querySelector('.split-notes')?.textContent ?? undefined;
}

it('an approval of a call that reads a page says that it is allowed for every site', async () => {
  const annotations = { readOnlyHint: true, openWorldHint: false };
  expect(await scopeOf({ annotations, reads: 'https://tides.example' })).toBe('For every site.');
  expect(await scopeOf({ arguments: '{"url":"https://tides.example"}' })).toBe('Only for tides.example.');
  expect(await scopeOf({})).toBeUndefined();
  const untold = { serverId: OWN_TOOLS, toolName: 'reload', arguments: '{"tab":4}' };
  expect(await scopeOf(untold)).toBeUndefined();
});

it('an approval of what leads a tab away says that it is allowed for both sites', async () => {
  const call = { serverId: OWN_TOOLS, toolName: 'navigate', annotations: { openWorldHint: true } };
  const led = { ...call, arguments: '{"url":"https://shop.example/"}', reads: 'https://news.example' };
  expect(await scopeOf(led)).toBe('Only for shop.example and news.example.');
});

it('an approval says where not all was compared with what others wrote', () => {
  const behind = (taint: ToolCall['taint']) =>
    cardOf(taint ? { taint } : {}).querySelector('.ask-behind')?.textContent;
  expect(behind({ from: ['Notes'], isPart: true, quotes: [] })).toContain('not all of it was checked');
  expect(behind({ from: ['Notes'], quotes: [] })).not.toContain('checked');
});

it('what an app asks for has its server’s name likewise', () => {
  const { document, window } = parseHTML('<main></main>');
  vi.stubGlobal('document', document);
  vi.stubGlobal('window', window);
  const root = document.querySelector('main') as unknown as HTMLElement;
  const call = { serverName: 'Portside, which is safe, and so' } as ToolCall;
  const wish = { type: 'link', url: 'https://a.example/' } as const;
  render(<AppWish call={call} wish={wish} answer={() => undefined} />, root);
  expect(root.querySelector('h2')?.textContent).toBe(
    'The app of “Portside, which is safe, and so” wants to open a page',
  );
  render(null, root);
});
