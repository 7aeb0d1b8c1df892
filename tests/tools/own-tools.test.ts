import { afterEach, describe, expect, it, vi } from 'vitest';
import { createOwnToolCalls } from '../../lib/tools/own-tool-calls.ts';
import { ownToolList } from '../../lib/tools/own/own-tools.ts';
import type { OwnToolDeps } from '../../lib/tools/own/own-tool.ts';
import { tokensOfTool } from '../../lib/agent/context/tokens.ts';
import { defaultPermission, isRepeatable } from '../../lib/trust/tool-permission.ts';
import { actsOnPage } from '../../lib/types/tools/own-tool-rules.ts';
import { tierOf } from '../../lib/types/tools/tier.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import { OWN_TOOLS } from '../../lib/types/tools/tool-source.ts';
import type { OfferedTool } from '../../lib/types/tools/tool.ts';
import { noTabs } from '../fakes/tabs.ts';

const none = {
  readCall: async () => undefined,
  messagesBefore: async () => [],
  originsRead: async () => [],
  toolsOf: async () => [],
};
const options = (signal = new AbortController().signal) => ({
  signal,
  started: async () => {},
  accepted: async () => {},
  progress: () => {},
});
const use = (tabs: Partial<typeof noTabs>, toolName: string, args = {}, signal?: AbortSignal) =>
  createOwnToolCalls({ ...none, tabs: { ...noTabs, ...tabs } }).call(
    { callId: 'm1.0', serverId: OWN_TOOLS, toolName, conversationId: 'c1' },
    args,
    options(signal),
  );

describe('the definitions of Portside’s own tools', () => {
  it('have no name that looks like a server’s', () => {
    for (const { name } of ownToolList) expect(name).not.toMatch(/^mcp__/);
  });

  it('say which only read; what reaches out or changes the browser asks first', () => {
    const ofTier = (tier: string) =>
      ownToolList.filter(({ annotations }) => tierOf(annotations) === tier).map(({ name }) => name);
    const acting = [
      'click',
      'drag',
      'set_checked',
      'set_slider',
      'fill_form',
      'handle_dialog',
      'hover',
      'press_key',
      'select_option',
      'type_text',
      'upload_file',
    ];
    acting.push('go_back', 'go_forward', 'navigate', 'reload');
    expect(ofTier('sends').toSorted()).toEqual([...acting, 'fetch_url', 'open_tab'].toSorted());
    expect(ofTier('writes')).toEqual(['close_tab', 'remember', 'scroll', 'switch_tab']);
    expect(ofTier('destructive')).toEqual([]);
  });

  it('are never made a second time where they act on a page, and by no tier allowed where that may do harm', () => {
    const acting = ownToolList.filter(({ name }) => actsOnPage(OWN_TOOLS, name));
    expect(acting.filter(isRepeatable)).toEqual([]);
    const tiers = { reads: 'allow', writes: 'allow', sends: 'allow', destructive: 'ask' } as const;
    const allowed = acting.filter((tool) => defaultPermission(tool, { trusted: true }, tiers) === 'allow');
    expect(allowed.map(({ name }) => name)).toEqual(['hover', 'scroll']);
  });

  it('cost little, and the one that goes along only with the memory next to nothing', () => {
    const cost = (tools: typeof ownToolList): number =>
      tools.reduce((sum, tool) => sum + tokensOfTool(tool), 0);
    expect(cost(ownToolList.filter(({ name }) => name !== 'remember'))).toBeLessThan(2_250);
    expect(cost(ownToolList.filter(({ name }) => name === 'remember'))).toBeLessThan(80);
  });
});

describe('a call of one of them', () => {
  afterEach(() => void vi.useRealTimers());

  it('gives what the tab gave, also when that is why it may not be read', async () => {
    const read = async () => ({ text: 'Not yet.', isError: true, access: 'https://example.com/' });
    expect(await use({ read }, 'read_page')).toEqual({ status: 'error', result: await read() });
  });

  it('that throws tells the model why', async () => {
    const { status, result } = await use({}, 'screenshot');
    expect([status, result.text]).toEqual(['error', 'screenshot failed: Error: No tab was to be looked at.']);
  });

  it('that never ends is given up after its time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const stop = new AbortController();
      setTimeout(() => stop.abort(), ms);
      return stop.signal;
    });
    const outcome = use({ fetch: () => new Promise(() => {}) }, 'fetch_url', { url: 'https://example.com' });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await outcome).toMatchObject({
      status: 'timeout',
      result: { text: 'Tool execution timed out after 30000ms', isError: true },
    });
    vi.restoreAllMocks();
  });

  it.each(['open_tab', 'fetch_url'])(
    '%s of no web address reaches nothing, however long it is',
    async (tool) => {
      const reached: string[] = [];
      const tabs = {
        open: async (url: string) => (reached.push(url), { id: 1, windowId: 1, active: false }),
        fetch: async (_call: object, url: string) => (reached.push(url), { text: '', isError: false }),
      };
      const padding = '#'.padEnd(300, 'x');
      for (const url of [
        'file:///etc/passwd',
        'data:text/html,x',
        'chrome://settings',
        'chrome-extension://a/b.html',
      ])
        for (const each of [url, url + padding, `https://user:secret@example.com/${padding}`, 'example.com'])
          expect(await use(tabs, tool, { url: each })).toMatchObject({ status: 'error' });
      // Joined, a list would lead to another host than each of its parts.
      const list = ['https://good.example', '.evil.example/'];
      expect(await use(tabs, tool, { url: list })).toMatchObject({ status: 'error' });
      expect(reached).toEqual([]);
      await use(tabs, tool, { url: `https://example.com/${padding}` });
      expect(reached).toEqual([`https://example.com/${padding}`]);
    },
  );

  it('open_tab makes a site the chat’s only where the address that the user saw led to it', async () => {
    const opened = async (url: string) => {
      const open = async () => ({ id: 1, windowId: 1, active: false, title: 'Hello', url });
      return (await use({ open }, 'open_tab', { url: 'https://example.com/r' })).result;
    };
    expect(await opened('https://example.com/there')).toEqual({
      text: 'Opened 1: "Hello", https://example.com/there',
      isError: false,
      url: 'https://example.com/r',
    });
    // Of another site neither its title nor what stands in its address, which may be a token.
    expect(await opened('https://bank.example/account?token=1')).toEqual({
      text: 'Opened 1: https://bank.example',
      isError: false,
    });
  });

  it('open_tab names in its error, which is Portside’s own word, no other site that it was led to', async () => {
    const opened = async (url: string) => {
      const open = async () => ({ id: 1, windowId: 1, active: false, url, isBroken: true as const });
      return (await use({ open }, 'open_tab', { url: 'https://example.com/r' })).result;
    };
    expect(await opened('https://call-echo-with-the-notes.example/')).toEqual({
      text: 'Opened 1: a page of another site',
      isError: true,
    });
    // Of the one that was asked for the chat counts as having read it.
    expect(await opened('https://example.com/there')).toEqual({
      text: 'Opened 1: https://example.com/there',
      isError: true,
      url: 'https://example.com/r',
    });
  });

  it('switch_tab tells only the site of the tab, of which the user was not asked', async () => {
    const shown = async (url: string) => {
      const show = async (id: number) => ({ id, windowId: 1, active: true, title: 'Inbox (3)', url });
      return (await use({ show }, 'switch_tab', { tab: 7 })).result.text;
    };
    expect(await shown('https://mail.example/u/ada')).toBe('7: https://mail.example (in front)');
    // Neither whose page of the browser's it is, Portside's own or a file.
    for (const url of ['chrome-extension://portside/options.html', 'file:///home/ada/notes.txt'])
      expect(await shown(url)).toBe('7: (no access to its title and address) (in front)');
  });

  it('that is cancelled ends at once', async () => {
    const stop = new AbortController();
    const outcome = use({ ask: () => new Promise(() => {}) }, 'snapshot', {}, stop.signal);
    stop.abort();
    expect((await outcome).status).toBe('cancelled');
  });

  it('that is cancelled while it acts on a page is not told as not done', async () => {
    const stop = new AbortController();
    const outcome = use({ act: () => new Promise(() => {}) }, 'click', { ref: 'e1' }, stop.signal);
    stop.abort();
    expect((await outcome).result.text).toContain('It may have been done');
  });

  it('lists tabs in a line each, and says of which it knows nothing', async () => {
    const list = async () => [
      { id: 1, windowId: 1, active: true, title: 'A', url: 'https://example.com/' },
      { id: 2, windowId: 1, active: false },
    ];
    expect((await use({ list }, 'list_tabs')).result.text).toBe(
      '1: "A", https://example.com/ (in front)\n2: (no access to its title and address)',
    );
  });
});

it('a note is kept as the user left it, with whose text may be behind it', async () => {
  const taint = { from: ['a.example'], quotes: [{ text: 'Tea.', from: 'b.example' }] };
  const remember = vi.fn(async () => {});
  const { call } = createOwnToolCalls({
    ...none,
    readCall: async () => ({ taint }) as unknown as ToolCall,
    tabs: { ...noTabs, remember },
  });
  const wanted = { callId: 'm1.0', serverId: OWN_TOOLS, toolName: 'remember', conversationId: 'c1' };
  expect(await call(wanted, { note: 'Likes tea.' }, options())).toMatchObject({ status: 'success' });
  expect(remember).toHaveBeenCalledWith(
    'Likes tea.',
    expect.objectContaining({ conversationId: 'c1', from: ['a.example', 'b.example'] }),
  );
});

it('a call whose arguments the user changed is bound to elements and files as any other', async () => {
  const bound = { targets: { e1: 'link "A"' }, files: { a: { id: 'f1', name: 'a', size: 1 } } };
  const row = { ...bound, edited: '{"ref":"e1"}' } as unknown as ToolCall;
  const act = vi.fn(async () => ({ text: '', isError: false }));
  const { call } = createOwnToolCalls({ ...none, readCall: async () => row, tabs: { ...noTabs, act } });
  const wanted = { callId: 'm1.0', serverId: OWN_TOOLS, toolName: 'click', conversationId: 'c1' };
  await call(wanted, { ref: 'e1' }, options());
  expect(act).toHaveBeenCalledWith(expect.objectContaining(bound), { ref: 'e1' }, 'click');
});

it('a server whose clicks are trusted is known by its tools, as the way on where a page wants that', async () => {
  const tool = (serverId: number, toolName: string, properties = {}) => ({
    name: `mcp__chrome__${toolName}`,
    toolName,
    serverId,
    serverName: 'My "chrome"',
    description: '',
    inputSchema: { properties },
    annotations: {},
  });
  const told = async (...tools: OfferedTool[]) => {
    let said = '';
    const act: OwnToolDeps['act'] = async ({ trustedInput }) => {
      said = (await trustedInput?.()) ?? '';
      return { text: '', isError: false };
    };
    const { call } = createOwnToolCalls({ ...none, toolsOf: async () => tools, tabs: { ...noTabs, act } });
    const wanted = { callId: 'm1.0', serverId: OWN_TOOLS, toolName: 'click', conversationId: 'c1' };
    await call(wanted, { ref: 'e1' }, options());
    return said;
  };
  const named = 'of the server "My \\"chrome\\"": their input is trusted';
  expect(await told(tool(3, 'browser_click'))).toContain(`mcp__chrome__browser_click and its like ${named}`);
  expect(await told(tool(3, 'click', { uid: {} }))).toContain(`mcp__chrome__click and its like ${named}`);
  expect(await told(tool(3, 'click', { id: {} }), tool(OWN_TOOLS, 'browser_click'))).toBe('');
});
