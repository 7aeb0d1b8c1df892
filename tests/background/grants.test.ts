import 'fake-indexeddb/auto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { countCall, createGrants } from '../../entrypoints/background/tools/permission/grants.ts';
import { createCallPermission } from '../../entrypoints/background/tools/permission/call-permission.ts';
import { OWN_CALLS } from '../../lib/protocol/chats.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import { putServer } from '../../lib/storage/configuration/servers.ts';
import { saveSettings } from '../../lib/storage/configuration/settings.ts';
import { setTool, syncTools } from '../../lib/storage/configuration/tools.ts';
import { fingerprint } from '../../lib/trust/fingerprint.ts';
import { ownToolList } from '../../lib/tools/own/own-tools.ts';
import { SANDBOXED } from '../../lib/types/page.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import { OWN_TOOLS } from '../../lib/types/tools/tool-source.ts';
import { input } from './rig.ts';

vi.mock('wxt/browser', () => ({ browser: {} }));

const at = '2026-11-22T10:00:00.000Z';
const tool = (name: string) => ({
  name,
  offeredName: `mcp__1__${name}`,
  description: `Does ${name}.`,
  inputSchema: { type: 'object' },
  annotations: {},
});

async function start() {
  const db = await openDatabase(crypto.randomUUID());
  const serverId = await putServer(db, input);
  await syncTools(db, serverId, [tool('note'), tool('look')]);
  const chat = { leafId: null, providerId: null, model: null, settings: {}, createdAt: at, updatedAt: at };
  await db.put('conversations', { ...chat, id: 'c1', title: 'Notes' });
  const changed = vi.fn(async () => {});
  const permissions = createCallPermission(db, {
    changed,
    liveTool: async () => undefined,
    targetsOf: async () => ({ targets: {}, sites: [] }),
    originOf: async () => undefined,
    instructionsOf: () => undefined,
  });
  const call = async (toolName: string, conversationId = 'c1') =>
    ({
      callId: 'm1.0',
      conversationId,
      serverId,
      toolName,
      fingerprint: await fingerprint(tool(toolName)),
      arguments: '{}',
      createdAt: new Date().toISOString(),
    }) as ToolCall;
  return { db, serverId, changed, permissions, call, ...createGrants(db, changed) };
}

describe('a grant of a server’s read tools', () => {
  const reading = (name: string) => ({
    ...tool(name),
    annotations: { readOnlyHint: true, openWorldHint: false },
  });
  const pages = { ...reading('pages'), description: 'A page that a stranger wrote.' };
  const listed = [
    pages,
    reading('names'),
    reading('sizes'),
    tool('note'),
    { ...tool('search'), annotations: { readOnlyHint: true } },
    { ...tool('wipe'), annotations: { readOnlyHint: true, openWorldHint: false, destructiveHint: true } },
  ];
  const others = ['names', 'sizes', 'note', 'search', 'wipe', 'none'];

  /** A chat in which the tools that read were allowed on the card of a call of one of them. */
  async function given(args = '{}', taint?: ToolCall['taint']) {
    const started = await start();
    const { db, serverId, permissions } = started;
    await syncTools(db, serverId, listed);
    const call = async (toolName: string, changes: Partial<ToolCall> = {}) => ({
      ...(await started.call(toolName)),
      fingerprint: await fingerprint((await db.get('tools', [serverId, toolName])) ?? tool(toolName)),
      ...changes,
    });
    await permissions.grant(
      await call('pages', { arguments: args, ...(taint && { taint }) }),
      'chat',
      others,
    );
    const judged = (names: string[], changes: Partial<ToolCall> = {}) =>
      Promise.all(names.map(async (name) => permissions.permission(await call(name, changes))));
    return { ...started, call, judged };
  }

  it('holds in its chat for those that the card named, as far as they only read', async () => {
    const { judged } = await given();
    expect(await judged(['pages', 'names', 'sizes'])).toEqual(['allow', 'allow', 'allow']);
    expect(await judged(['note', 'search', 'wipe'])).toEqual(['ask', 'ask', 'ask']);
    expect(await judged(['names'], { conversationId: 'c2' })).toEqual(['ask']);
  });

  it('leaves what was not named, what the user set to Ask or Block, and what they have to look at first', async () => {
    const { db, serverId, permissions, call, judged } = await given();
    await db.clear('grants');
    await setTool(db, serverId, 'names', { permission: 'ask' });
    await setTool(db, serverId, 'sizes', { permission: 'block' });
    await syncTools(db, serverId, [...listed, reading('late'), reading('dates')]);
    const late = await db.get('tools', [serverId, 'late']);
    if (late) await db.put('tools', { ...late, review: {} });
    await permissions.grant(await call('pages'), 'chat', [...others, 'late']);
    expect(await judged(['names', 'sizes', 'late', 'dates'])).toEqual(['ask', 'block', 'ask', 'ask']);
  });

  it('is void for a tool that changed, and for all once the server is another one', async () => {
    const { db, serverId, judged, list } = await given();
    const writing = { ...reading('names'), annotations: { readOnlyHint: false } };
    await syncTools(db, serverId, [
      writing,
      ...listed.filter(({ name }) => name !== 'names'),
      reading('late'),
    ]);
    expect(await judged(['names', 'sizes', 'late'])).toEqual(['ask', 'allow', 'ask']);
    expect((await list()).map(({ toolName, readTools, isVoid }) => [readTools ?? toolName, isVoid])).toEqual(
      expect.arrayContaining([
        [['pages', 'sizes'], false],
        ['names', true],
      ]),
    );
    await putServer(db, { ...input, id: serverId, url: 'https://other.example/mcp' });
    expect(await list()).toEqual([]);
    expect(await judged(['pages', 'sizes'])).toEqual(['ask', 'ask']);
  });

  it('holds for the addresses of the call that was shown for its own tool alone', async () => {
    const url = '{"url":"https://good.example/"}';
    const { judged } = await given(url);
    expect(await judged(['pages', 'names'], { arguments: url })).toEqual(['allow', 'ask']);
    expect(await judged(['pages', 'names'])).toEqual(['ask', 'allow']);
  });

  it('exempts from what the chat has read only the tool whose card said it', async () => {
    const { db } = await given('{}', { from: ['tides.example'], quotes: [] });
    const grants = await db.getAll('grants');
    expect(grants.map(({ toolName, despite }) => [toolName, despite !== undefined]).toSorted()).toEqual([
      ['names', false],
      ['pages', true],
      ['sizes', false],
    ]);
  });

  it('is listed as one with its use, and taken back as one; what was allowed by itself stays', async () => {
    const { db, serverId, permissions, call, list, revoke } = await given();
    await countCall(db, await call('names'));
    await countCall(db, await call('sizes'));
    expect(await list()).toMatchObject([
      { readTools: ['names', 'pages', 'sizes'], serverName: 'Files', chatTitle: 'Notes', given: { used: 2 } },
    ]);
    await permissions.grant(await call('sizes'), 'chat');
    await permissions.grant(await call('pages'), 'chat', others);
    const together = (await list()).find(({ readTools }) => readTools);
    expect(together?.readTools).toEqual(['names', 'pages']);
    await revoke({
      grants: (together?.readTools ?? []).map((toolName) => ({ serverId, toolName, conversationId: 'c1' })),
    });
    expect((await list()).map(({ toolName }) => toolName)).toEqual(['sizes']);
  });
});

describe('a grant', () => {
  it('is listed with its server, its chat and when it was given', async () => {
    const { permissions, call, list } = await start();
    await permissions.grant(await call('note'), 'chat');
    await permissions.grant(await call('look'), 'always');
    const listed = await list();
    expect(listed).toHaveLength(2);
    expect(listed).toContainEqual(
      expect.objectContaining({ toolName: 'note', serverName: 'Files', chatTitle: 'Notes', isVoid: false }),
    );
    const always = listed.find(({ toolName }) => toolName === 'look');
    expect(always?.conversationId).toBeUndefined();
    expect(always?.given?.used).toBe(0);
    expect(Date.parse(always?.given?.at ?? '')).toBeGreaterThan(0);
  });

  it('counts the calls that it released, and no others', async () => {
    const { db, permissions, call, list } = await start();
    await permissions.grant(await call('note'), 'chat');
    await permissions.grant(await call('look'), 'always');
    await countCall(db, await call('note'));
    await countCall(db, await call('note'));
    await countCall(db, await call('note', 'c2'));
    await countCall(db, await call('look', 'c2'));
    await countCall(db, await call('look', OWN_CALLS));
    const used = new Map((await list()).map(({ toolName, given }) => [toolName, given?.used]));
    expect(used).toEqual(
      new Map([
        ['note', 2],
        ['look', 1],
      ]),
    );
  });

  it('says when it released the last of them', async () => {
    const { db, permissions, call, list } = await start();
    await permissions.grant(await call('note'), 'chat');
    await permissions.grant(await call('look'), 'always');
    expect((await list()).map(({ given }) => given?.usedAt)).toEqual([undefined, undefined]);
    const before = new Date().toISOString();
    await countCall(db, await call('note'));
    await countCall(db, await call('look'));
    for (const { given } of await list()) expect((given?.usedAt ?? '') >= before).toBe(true);
  });

  it('is what its calls run by, an Allow for all chats goes before it, and before both stands the default', async () => {
    const { db, serverId, permissions, call } = await start();
    await permissions.grant(await call('note'), 'chat');
    expect(await permissions.judge(await call('note'))).toEqual({ permission: 'allow', basis: 'chat' });
    await permissions.grant(await call('look'), 'always');
    expect(await permissions.judge(await call('look'))).toEqual({ permission: 'allow', basis: 'always' });
    const reads = { ...tool('read'), annotations: { readOnlyHint: true, openWorldHint: false } };
    await syncTools(db, serverId, [tool('note'), tool('look'), reads]);
    expect(await permissions.judge(await call('read'))).toEqual({ permission: 'ask' });
    await putServer(db, { ...input, id: serverId, trusted: true });
    await setTool(db, serverId, 'read', { accepted: true });
    expect(await permissions.judge(await call('read'))).toEqual({ permission: 'allow', basis: 'tier' });
  });

  it('keeps when and how often over a reconnect, and says of a tool that has changed that it allows nothing', async () => {
    const { db, serverId, permissions, call, list } = await start();
    await permissions.grant(await call('note'), 'chat');
    await permissions.grant(await call('look'), 'always');
    await countCall(db, await call('look'));
    await syncTools(db, serverId, [{ ...tool('note'), description: 'Does more.' }, tool('look')]);
    const listed = await list();
    expect(listed.find(({ toolName }) => toolName === 'look')?.given?.used).toBe(1);
    expect(listed.find(({ toolName }) => toolName === 'note')?.isVoid).toBe(true);
    await countCall(db, await call('note'));
    expect((await list()).find(({ toolName }) => toolName === 'note')?.given?.used).toBe(0);
  });

  it('is taken back one by one, and what holds then is what holds for the tier', async () => {
    const { serverId, permissions, call, list, revoke, changed } = await start();
    await permissions.grant(await call('note'), 'chat');
    await permissions.grant(await call('look'), 'always');
    changed.mockClear();
    await revoke({ grants: [{ serverId, toolName: 'look' }] });
    expect(changed).toHaveBeenCalledTimes(1);
    expect((await list()).map(({ toolName }) => toolName)).toEqual(['note']);
    expect(await permissions.permission(await call('look'))).toBe('ask');
    expect(await permissions.permission(await call('note'))).toBe('allow');
    await revoke({});
    expect(await list()).toEqual([]);
    expect(await permissions.permission(await call('note'))).toBe('ask');
  });

  it('for always reaches the origins that it was given for, and more once it is given again; in the settings, any', async () => {
    const { db, serverId, permissions, call, list } = await start();
    const to = async (url: string, createdAt = new Date().toISOString()) => ({
      ...(await call('look')),
      arguments: JSON.stringify({ url }),
      createdAt,
    });
    const waited = await to('https://b.example/waited', '2026-01-01T00:00:00.000Z');
    await permissions.grant(await to('https://a.example/x'), 'always');
    expect(await permissions.permission(await to('https://a.example/y'))).toBe('allow');
    expect(await permissions.permission(await to('https://b.example/'))).toBe('ask');
    const led = ['https://a.example/r?to=https%3A%2F%2Fb.example%2F', 'https://a.example/ git://b.example/x'];
    for (const url of led) expect(await permissions.permission(await to(url))).toBe('ask');
    await permissions.grant(await to('https://b.example/'), 'always');
    expect(await permissions.permission(await to('https://b.example/'))).toBe('allow');
    expect(await permissions.permission(await to('https://a.example/'))).toBe('allow');
    expect(await permissions.permission(await to('https://c.example/'))).toBe('ask');
    // It was not seen, whatever is given for its origin later.
    expect(await permissions.permission(waited)).toBe('ask');
    expect((await list())[0]?.given?.origins).toEqual(['https://a.example', 'https://b.example']);
    await syncTools(db, serverId, [tool('note'), tool('look')]);
    expect(await permissions.permission(await to('https://c.example/'))).toBe('ask');
    await setTool(db, serverId, 'look', { permission: 'allow' });
    expect(await permissions.permission(await to('https://c.example/'))).toBe('allow');
  });

  it.each(['chat', 'always'] as const)(
    'for %s of a call to a site reaches no call whose address is not known as one, and is given for both by and by',
    async (scope) => {
      const { permissions, call } = await start();
      const to = async (url: string) => ({
        ...(await call('look')),
        arguments: JSON.stringify({ url }),
        createdAt: new Date().toISOString(),
      });
      const judged = async (...urls: string[]) =>
        Promise.all(urls.map(async (url) => permissions.permission(await to(url))));
      await permissions.grant(await to('https://good.example/'), scope);
      const hidden = [
        'https://good.example~.evil.example/',
        'https://good.example\\@evil.example',
        '//evil.example',
        'wss://evil.example',
        'ftp://evil.example',
      ];
      expect(new Set(await judged('evil.example/?q=1', 'gopher://evil.example', ...hidden))).toEqual(
        new Set(['ask']),
      );
      await permissions.grant(await to('notes'), scope);
      expect(await judged('notes', 'https://good.example/x')).toEqual(['allow', 'allow']);
      expect(new Set(await judged(...hidden))).toEqual(new Set(['ask']));
    },
  );

  it.each(['chat', 'always'] as const)(
    'for %s that is given again for no more origins takes nothing from calls that were made under it',
    async (scope) => {
      const { permissions, call } = await start();
      const made = async () => ({ ...(await call('look')), arguments: '{"url":"https://a.example/"}' });
      vi.useFakeTimers({ toFake: ['Date'] });
      onTestFinished(() => void vi.useRealTimers());
      await permissions.grant(await made(), scope);
      vi.setSystemTime(Date.now() + 1);
      const under = await made();
      vi.setSystemTime(Date.now() + 1);
      await permissions.grant(await made(), scope);
      expect(await permissions.permission(under)).toBe('allow');
    },
  );

  it('for a chat is kept for calls without an address when it is given for a site, too', async () => {
    const { permissions, call } = await start();
    const notes = async () => ({ ...(await call('look')), createdAt: new Date().toISOString() });
    await permissions.grant(await notes(), 'chat');
    await permissions.grant({ ...(await notes()), arguments: '{"url":"https://good.example/"}' }, 'chat');
    expect(await permissions.permission(await notes())).toBe('allow');
  });

  it('is refused a name that names nothing', async () => {
    const { revoke } = await start();
    await expect(revoke({ grants: [{ serverId: 'x' }] as never })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });
});

describe('the default of a tier', () => {
  it('holds for calls at once, is no approval, and what was approved before does not pass a block', async () => {
    const { db, permissions, call } = await start();
    expect(await permissions.permission(await call('note'))).toBe('ask');
    const left = await call('note');
    await db.put('toolCalls', left);
    await expect(permissions.requireRunnable(left, {})).rejects.toMatchObject({ code: 'definition_changed' });
    const approved = { ...left, allowed: 'once' as const };
    await db.put('toolCalls', approved);
    await expect(permissions.requireRunnable(approved, {})).resolves.toMatchObject({ name: 'note' });
    const tierPermissions = { reads: 'allow', writes: 'block', sends: 'ask', destructive: 'ask' } as const;
    await saveSettings(db, { tierPermissions });
    expect(await permissions.permission(await call('note'))).toBe('block');
    await expect(permissions.requireRunnable(approved, {})).rejects.toMatchObject({ code: 'tool_blocked' });
  });

  it('that is withdrawn as a call begins stops what nobody approved', async () => {
    const { db, permissions, call } = await start();
    const begun = { ...(await call('note')), allowed: 'before' as const };
    await db.put('toolCalls', begun);
    await expect(permissions.requireRunnable(begun, {})).rejects.toMatchObject({
      code: 'definition_changed',
      message: expect.stringContaining('its tab shows another site'),
    });
  });
});

it('a tool that acts on a page is allowed for the site of its tab alone, of no frame there and of no address that it types', async () => {
  const db = await openDatabase(crypto.randomUUID());
  await syncTools(db, OWN_TOOLS, ownToolList);
  const chat = { leafId: null, providerId: null, model: null, settings: {}, createdAt: at, updatedAt: at };
  await db.put('conversations', { ...chat, id: 'c1', title: 'Shops' });
  let site: string | undefined = 'https://shop.example';
  let sites = [site];
  const permissions = createCallPermission(db, {
    changed: async () => {},
    originOf: async () => site,
    liveTool: async () => undefined,
    targetsOf: async () => ({ targets: { e1: 'button "Save"' }, sites }),
    instructionsOf: () => undefined,
  });
  const named = { toolName: 'click', namespacedName: 'click', serverId: OWN_TOOLS, serverName: 'Portside' };
  const made = {
    ...named,
    callId: 'm1.0',
    conversationId: 'c1',
    arguments: '{"ref":"e1","text":"mail me at https://bank.example/"}',
    createdAt: new Date(Date.now() + 60_000).toISOString(),
  } as ToolCall;
  const asked = await permissions.definitionOf(made);
  expect(asked).toMatchObject({ reads: site, targets: { e1: 'button "Save"' } });
  await permissions.grant({ ...made, ...asked }, 'chat');
  const judged = async (toolName = 'click') => (await permissions.judge({ ...made, toolName })).permission;
  // With what is of the same kind, as its card says.
  for (const name of ['click', 'hover', 'drag']) expect(await judged(name)).toBe('allow');
  for (const name of ['fill_form', 'reload']) expect(await judged(name)).toBe('ask');
  // Whatever is allowed, nothing is done where the user lets nothing be done, nor in a frame from there.
  const blocks = (list: string) => saveSettings(db, { blockedSites: list });
  await blocks('Example\nbank.example https://shop.example/cart');
  expect(await judged()).toBe('block');
  await blocks('example');
  expect(await judged()).toBe('block');
  await blocks('*.example.');
  expect(await judged()).toBe('block');
  for (const list of ['a.example, shop.example', 'shop.example;', '.shop.example', '"shop.example"']) {
    await blocks(list);
    expect(await judged()).toBe('block');
  }
  for (const pattern of ['https://*.shop.example/*', '*://shop.example/*', '//shop.example']) {
    await blocks(pattern);
    expect(await judged()).toBe('block');
  }
  await blocks('op.example\nno host at all');
  expect(await judged()).toBe('allow');
  await blocks('bank.example');
  expect(
    (await permissions.judge({ ...made, ...asked, targetSites: ['https://www.bank.example'] })).permission,
  ).toBe('block');
  await blocks('');
  // In a frame of another site.
  sites = ['https://bank.example'];
  const inFrame = await permissions.definitionOf(made);
  expect(inFrame).toMatchObject({ reads: site, targetSites: sites });
  expect((await permissions.judge({ ...made, ...inFrame })).permission).toBe('ask');
  site = 'https://bank.example';
  expect(await judged()).toBe('ask');
  site = undefined;
  for (const name of ['reload', 'close_tab', 'handle_dialog']) expect(await judged(name)).toBe('ask');
  // Nothing comes of it there, so the user is asked nothing (tab-tools.test.ts).
  expect(await judged()).toBe('allow');
  // In a sandbox each time, whatever is allowed.
  [site, sites] = ['https://shop.example', [SANDBOXED]];
  const inSandbox = { ...made, ...(await permissions.definitionOf(made)) };
  await setTool(db, OWN_TOOLS, 'click', { permission: 'allow' });
  for (const scope of ['chat', 'always'] as const) await permissions.grant(inSandbox, scope);
  expect((await permissions.judge(inSandbox)).permission).toBe('ask');
});

it('an Allow of a page action leaves blocked what the user blocked of its kind', async () => {
  const db = await openDatabase(crypto.randomUUID());
  await syncTools(db, OWN_TOOLS, ownToolList);
  const site = 'https://shop.example';
  const permissions = createCallPermission(db, {
    changed: async () => {},
    originOf: async () => site,
    liveTool: async () => undefined,
    targetsOf: async () => ({ targets: {}, sites: [site] }),
    instructionsOf: () => undefined,
  });
  await setTool(db, OWN_TOOLS, 'drag', { permission: 'block' });
  const createdAt = new Date(Date.now() + 60_000).toISOString();
  const chat = { callId: 'm1.0', conversationId: 'c1', serverId: OWN_TOOLS, arguments: '{}', createdAt };
  const made = { ...chat, toolName: 'click' } as ToolCall;
  for (const scope of ['chat', 'always'] as const) {
    await permissions.grant({ ...made, ...(await permissions.definitionOf(made)) }, scope);
    for (const [toolName, expected] of [
      ['click', 'allow'],
      ['hover', 'allow'],
      ['drag', 'block'],
    ] as const)
      expect((await permissions.judge({ ...made, toolName })).permission).toBe(expected);
  }
});

it('a press that downloads asks each time, whatever is allowed', async () => {
  const db = await openDatabase(crypto.randomUUID());
  await syncTools(db, OWN_TOOLS, ownToolList);
  const chat = { leafId: null, providerId: null, model: null, settings: {}, createdAt: at, updatedAt: at };
  await db.put('conversations', { ...chat, id: 'c1', title: 'Files' });
  const found = { targets: { e1: 'link "Save"' }, sites: ['https://files.example'] };
  let downloads = true;
  const permissions = createCallPermission(db, {
    changed: async () => {},
    originOf: async () => 'https://files.example',
    liveTool: async () => undefined,
    targetsOf: async () => ({ ...found, downloads }),
    instructionsOf: () => undefined,
  });
  const asked = async (toolName: string) => {
    const call = {
      toolName,
      namespacedName: toolName,
      serverId: OWN_TOOLS,
      serverName: 'Portside',
      callId: 'm1.0',
      conversationId: 'c1',
      arguments: '{"ref":"e1"}',
      createdAt: new Date(Date.now() + 60_000).toISOString(),
    } as ToolCall;
    return { ...call, ...(await permissions.definitionOf(call)) };
  };
  const judged = async (toolName: string) => (await permissions.judge(await asked(toolName))).permission;
  await permissions.grant(await asked('click'), 'always');
  expect(await judged('click')).toBe('ask');
  // To point at it or scroll to it is no press.
  expect([await judged('hover'), await judged('scroll')]).toEqual(['allow', 'allow']);
  downloads = false;
  expect(await judged('click')).toBe('allow');
});

it('an upload that presses a button is allowed by what allows clicks there, too', async () => {
  const db = await openDatabase(crypto.randomUUID());
  await syncTools(db, OWN_TOOLS, ownToolList);
  const chat = { leafId: null, providerId: null, model: null, settings: {}, createdAt: at, updatedAt: at };
  await db.put('conversations', { ...chat, id: 'c1', title: 'Jobs' });
  const targets = { e1: 'button "Choose"' };
  let presses = true;
  const permissions = createCallPermission(db, {
    changed: async () => {},
    originOf: async () => 'https://jobs.example',
    liveTool: async () => undefined,
    targetsOf: async () => ({ targets, sites: ['https://jobs.example'], presses }),
    instructionsOf: () => undefined,
  });
  const made = (toolName: string, args = { ref: 'e1', files: ['cv.pdf'] }) =>
    ({
      toolName,
      namespacedName: toolName,
      serverId: OWN_TOOLS,
      serverName: 'Portside',
      callId: 'm1.0',
      conversationId: 'c1',
      arguments: JSON.stringify(args),
      createdAt: new Date(Date.now() + 60_000).toISOString(),
    }) as ToolCall;
  const asked = async (toolName: string) => {
    const call = made(toolName);
    return { ...call, ...(await permissions.definitionOf(call)) };
  };
  const judged = async () => (await permissions.judge(await asked('upload_file'))).permission;
  await permissions.grant(await asked('upload_file'), 'chat');
  expect(await judged()).toBe('ask');
  presses = false;
  expect(await judged()).toBe('allow');
  presses = true;
  await permissions.grant(await asked('click'), 'chat');
  expect(await judged()).toBe('allow');
  await setTool(db, OWN_TOOLS, 'click', { permission: 'block' });
  expect(await judged()).toBe('block');
});

it.each(['close_tab', 'reload', 'go_back', 'navigate'])(
  '%s of a tab of a site that is not told is allowed each time, unless it is for all in the settings',
  async (toolName) => {
    const db = await openDatabase(crypto.randomUUID());
    await syncTools(db, OWN_TOOLS, ownToolList);
    const chat = { leafId: null, providerId: null, model: null, settings: {}, createdAt: at, updatedAt: at };
    await db.put('conversations', { ...chat, id: 'c1', title: 'Tabs' });
    let site: string | undefined;
    const permissions = createCallPermission(db, {
      changed: async () => {},
      originOf: async () => site,
      liveTool: async () => undefined,
      targetsOf: async () => ({ targets: {}, sites: [] }),
      instructionsOf: () => undefined,
    });
    const named = { toolName, namespacedName: toolName, serverId: OWN_TOOLS, serverName: 'Portside' };
    const made = {
      ...named,
      callId: 'm1.0',
      conversationId: 'c1',
      arguments: JSON.stringify({ tab: 7, ...(toolName === 'navigate' && { url: 'https://a.example/' }) }),
      createdAt: new Date(Date.now() + 60_000).toISOString(),
    } as ToolCall;
    const judged = async () => (await permissions.judge(made)).permission;
    for (const scope of ['chat', 'always'] as const)
      await permissions.grant({ ...made, ...(await permissions.definitionOf(made)) }, scope);
    expect(await judged()).toBe('ask');
    site = 'https://a.example';
    for (const scope of ['chat', 'always'] as const)
      await permissions.grant({ ...made, ...(await permissions.definitionOf(made)) }, scope);
    expect(await judged()).toBe('allow');
    site = undefined;
    expect(await judged()).toBe('ask');
    await setTool(db, OWN_TOOLS, toolName, { permission: 'allow' });
    expect(await judged()).toBe('allow');
  },
);

it('navigate is allowed for the site that it goes to and the one that the tab leaves', async () => {
  const db = await openDatabase(crypto.randomUUID());
  await syncTools(db, OWN_TOOLS, ownToolList);
  const chat = { leafId: null, providerId: null, model: null, settings: {}, createdAt: at, updatedAt: at };
  await db.put('conversations', { ...chat, id: 'c1', title: 'Tabs' });
  let site = 'https://news.example';
  const permissions = createCallPermission(db, {
    changed: async () => {},
    originOf: async () => site,
    liveTool: async () => undefined,
    targetsOf: async () => ({ at: { tab: 7 }, targets: {}, sites: [] }),
    instructionsOf: () => undefined,
  });
  const named = { toolName: 'navigate', namespacedName: 'navigate', serverId: OWN_TOOLS };
  const made = async () => {
    const createdAt = new Date(Date.now() + 60_000).toISOString();
    const args = JSON.stringify({ tab: 7, url: 'https://shop.example/cart' });
    const call = {
      ...named,
      callId: 'm1.0',
      conversationId: 'c1',
      arguments: args,
      createdAt,
    } as ToolCall;
    return { ...call, ...(await permissions.definitionOf(call)) };
  };
  const judged = async () => (await permissions.judge(await made())).permission;
  const asked = await made();
  expect(asked.reads).toBe('https://news.example');
  await permissions.grant(asked, 'chat');
  expect(await judged()).toBe('allow');
  site = 'https://shop.example';
  expect(await judged()).toBe('allow');
  site = 'https://mail.example';
  expect(await judged()).toBe('ask');
  // Nor once a tab that was judged as one of an allowed site shows another.
  expect((await permissions.judge(asked)).permission).toBe('ask');
  await permissions.grant(await made(), 'chat');
  expect(await judged()).toBe('allow');
});

it('what is asked of the user waits for them, whatever is allowed', async () => {
  const db = await openDatabase(crypto.randomUUID());
  await syncTools(db, OWN_TOOLS, ownToolList);
  const permissions = createCallPermission(db, {
    changed: async () => {},
    originOf: async () => 'https://tides.example',
    targetsOf: async () => ({ targets: {}, sites: [] }),
    liveTool: async () => undefined,
    instructionsOf: () => undefined,
  });
  const made = {
    callId: 'm1.0',
    conversationId: 'c1',
    toolName: 'ask_user',
    serverId: OWN_TOOLS,
    arguments: '{"what":"Sign in","why":"Members only"}',
    createdAt: new Date(Date.now() + 60_000).toISOString(),
  } as ToolCall;
  const judged = async () => (await permissions.judge(made)).permission;
  expect(await judged()).toBe('ask');
  await setTool(db, OWN_TOOLS, 'ask_user', { permission: 'allow' });
  await permissions.grant({ ...made, ...(await permissions.definitionOf(made)) }, 'chat');
  expect(await judged()).toBe('ask');
  await setTool(db, OWN_TOOLS, 'ask_user', { permission: 'block' });
  expect(await judged()).toBe('block');
});
