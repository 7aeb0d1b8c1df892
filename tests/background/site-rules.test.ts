import 'fake-indexeddb/auto';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { countCall, createGrants } from '../../entrypoints/background/tools/permission/grants.ts';
import { createCallPermission } from '../../entrypoints/background/tools/permission/call-permission.ts';
import { FREE, setRules } from '../../lib/fleet/rules.ts';
import { OWN_CALLS } from '../../lib/protocol/chats.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import { saveSettings } from '../../lib/storage/configuration/settings.ts';
import { setTool, syncTools } from '../../lib/storage/configuration/tools.ts';
import { ownToolList } from '../../lib/tools/own/own-tools.ts';
import type { SiteKind } from '../../lib/types/site-rule.ts';
import { SANDBOXED } from '../../lib/types/page.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import { OWN_TOOLS, PAGE_TOOLS } from '../../lib/types/tools/tool-source.ts';

vi.mock('wxt/browser', () => ({ browser: {} }));
// Files share a worker: the clock goes on for the next one.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterAll(() => void vi.useRealTimers());

/** Nobody decides twice within a millisecond. */
const tick = () => void vi.setSystemTime(Date.now() + 1);

const at = '2026-11-22T10:00:00.000Z';
const SHOP = 'https://shop.example';
const BANK = 'https://bank.example';

async function start() {
  const db = await openDatabase(crypto.randomUUID());
  await syncTools(db, OWN_TOOLS, ownToolList);
  const chat = { leafId: null, providerId: null, model: null, settings: {}, createdAt: at, updatedAt: at };
  await db.put('conversations', { ...chat, id: 'c1', title: 'Shops' });
  let site: string | undefined = SHOP;
  const offered = { ...ownToolList[0], serverId: PAGE_TOOLS, name: 'buy', enabled: true, present: true };
  const permissions = createCallPermission(db, {
    changed: async () => {},
    originOf: async () => site,
    liveTool: async () => offered as never,
    targetsOf: async () => ({ targets: {}, sites: [] }),
    instructionsOf: () => undefined,
  });
  let made = 0;
  /** A call that is made now. */
  const call = (toolName: string, more: Partial<ToolCall> = {}): ToolCall => {
    tick();
    return {
      callId: `m${(made += 1)}.0`,
      conversationId: 'c1',
      serverId: OWN_TOOLS,
      serverName: 'Portside',
      namespacedName: toolName,
      toolName,
      arguments: '{}',
      createdAt: new Date(Date.now() + 60_000).toISOString(),
      ...more,
    } as ToolCall;
  };
  const judged = async (toolName: string, more: Partial<ToolCall> = {}) =>
    (await permissions.judgeCounted(call(toolName, more))).permission;
  const allowed = async (toolName: string, scope: 'chat' | 'always', more: Partial<ToolCall> = {}) => {
    const asked = call(toolName, more);
    await permissions.grant({ ...asked, ...(await permissions.definitionOf(asked)) }, scope);
    tick();
  };
  const grants = createGrants(db, async () => {});
  const rows = async () =>
    (await grants.onSites()).map(({ site: where, kind, holds, given }) => [where, kind, holds, given.used]);
  const show = (url: string | undefined) => void (site = url);
  const never = async (kind: SiteKind, toolName: string, more: Partial<ToolCall> = {}) => {
    const asked = call(toolName, more);
    await permissions.forbid({ ...asked, ...(await permissions.definitionOf(asked)) }, kind);
  };
  return { db, permissions, call, judged, allowed, never, rows, show, ...grants };
}

it('a Never blocks what is of its kind on its site, whatever was allowed, and nothing else', async () => {
  const { judged, allowed, never, show } = await start();
  await allowed('click', 'always');
  await allowed('click', 'chat');
  expect(await judged('click')).toBe('allow');
  await never('click', 'click');
  for (const name of ['click', 'drag', 'press_key']) expect(await judged(name)).toBe('block');
  for (const name of ['fill_form', 'reload', 'upload_file']) expect(await judged(name)).toBe('ask');
  expect(await judged('read_page')).toBe('allow');
  // Also by http, by the name with a dot at its end, and in a frame; elsewhere and on another port it is asked about.
  for (const url of ['http://shop.example', 'https://shop.example.']) {
    show(url);
    expect(await judged('click')).toBe('block');
  }
  show(BANK);
  expect(await judged('click')).toBe('ask');
  expect(await judged('click', { targetSites: [SHOP] })).toBe('block');
  show('https://shop.example:8443');
  expect(await judged('click')).toBe('ask');
});

it('a site that the policy forbids is neither read, acted on nor fetched, though the user tries it', async () => {
  setRules({ ...FREE, sites: { forbidden: ['shop.example'] } });
  onTestFinished(() => setRules(FREE));
  const { permissions, call, judged, show } = await start();
  const url = `${SHOP}/a`;
  for (const name of ['read_page', 'click', 'fill_form']) expect(await judged(name)).toBe('block');
  show(BANK);
  for (const name of ['read_page', 'click', 'fill_form']) expect(await judged(name)).not.toBe('block');
  for (const name of ['fetch_url', 'open_tab']) {
    expect(await judged(name, { arguments: JSON.stringify({ url }) })).toBe('block');
    const tried = permissions.requireRunnable(call(name, { conversationId: OWN_CALLS }), { url });
    await expect(tried).rejects.toMatchObject({ code: 'tool_blocked' });
  }
});

it('a tab is not led away from a site that the user blocked', async () => {
  const { db, judged, show } = await start();
  await saveSettings(db, { blockedSites: 'shop.example' });
  const there = { arguments: JSON.stringify({ url: `${BANK}/a` }) };
  expect(await judged('navigate', there)).toBe('block');
  show(BANK);
  expect(await judged('navigate', there)).toBe('ask');
});

it('an Allow of a click in a sandbox is for this once', async () => {
  const { judged, allowed } = await start();
  for (const scope of ['chat', 'always'] as const)
    await allowed('click', scope, { targetSites: [SANDBOXED] });
  expect(await judged('click')).toBe('ask');
});

it('a Never of what a call does not do changes nothing', async () => {
  const { judged, never } = await start();
  await never('click', 'read_page');
  expect(await judged('click')).toBe('ask');
});

it('a Never stops the tools that its site offers, too: what they do only the page knows', async () => {
  for (const [kind, name, more] of [
    ['click', 'click', {}],
    ['fill', 'type_text', {}],
    ['submit', 'click', { submits: true }],
    ['read', 'read_page', {}],
  ] as const) {
    const { db, permissions, call, judged, allowed, never } = await start();
    const offered = { serverId: PAGE_TOOLS, reads: SHOP };
    await allowed('buy', 'chat', offered);
    expect(await judged('buy', offered)).toBe('allow');
    await never(kind, name, more);
    expect(await judged('buy', offered)).toBe('block');
    expect(await judged('buy', { ...offered, reads: BANK })).toBe('ask');
    const approved = call('buy', { ...offered, allowed: 'once' });
    await db.put('toolCalls', { ...approved, ...(await permissions.definitionOf(approved)) });
    await expect(permissions.requireRunnable(approved, {})).rejects.toMatchObject({ code: 'tool_blocked' });
  }
  const { judged, never } = await start();
  await never('upload', 'upload_file');
  expect(await judged('buy', { serverId: PAGE_TOOLS, reads: SHOP })).toBe('ask');
});

it('an Ask of its site asks about a tool of the page in spite of what was allowed before', async () => {
  const { judged, allowed, setSite } = await start();
  const offered = { serverId: PAGE_TOOLS, reads: SHOP };
  await allowed('buy', 'chat', offered);
  await setSite({ site: SHOP, kind: 'submit', rule: 'ask' });
  expect(await judged('buy', offered)).toBe('ask');
});

it.each(['ask', 'never'] as const)(
  'what a page’s tool was allowed is over once its site is set to %s',
  async (rule) => {
    const { judged, allowed, setSite, list } = await start();
    const offered = { serverId: PAGE_TOOLS, reads: SHOP };
    await allowed('buy', 'chat', offered);
    await setSite({ site: SHOP, kind: 'upload', rule });
    await setSite({ site: BANK, kind: 'click', rule });
    expect(await judged('buy', offered)).toBe('allow');
    await setSite({ site: SHOP, kind: 'click', rule });
    // The rule goes, also with an Always for Portside's own tools.
    if (rule === 'ask') await allowed('click', 'always');
    else await setSite({ site: SHOP, kind: 'click', rule: null });
    expect(await judged('buy', offered)).toBe('ask');
    expect((await list()).filter(({ serverId }) => serverId === PAGE_TOOLS)).toEqual([]);
  },
);

it('an Always for a call that the user edited leaves a Never of what it does now', async () => {
  const { permissions, call, judged, never } = await start();
  await never('fill', 'type_text');
  const targets = { e1: 'textbox "Name"' };
  const asked = call('press_key', { arguments: '{"key":"Tab"}' });
  const seen = { ...asked, ...(await permissions.definitionOf(asked)), targets };
  expect(await judged('press_key', seen)).toBe('ask');
  await permissions.grant({ ...seen, edited: '{"key":"a"}' }, 'always');
  expect(await judged('press_key', { ...seen, edited: '{"key":"a"}' })).toBe('block');
});

it('a Never of filling in holds for keys that edit and for what is chosen with a click, too', async () => {
  const { db, permissions, call, judged, never } = await start();
  await never('fill', 'type_text');
  const key = (name: string, on?: string) =>
    judged('press_key', { arguments: JSON.stringify({ key: name }), ...(on && { targets: { e1: on } }) });
  for (const name of ['9', 'é', '+', 'Shift++', 'Shift+a', ' ', 'Space', 'Backspace', 'Shift+Delete'])
    expect(await key(name)).toBe('block');
  // On a form, arrows and Enter choose, step and switch; where they go is not known of a page that does not answer.
  const choices = ['checkbox', 'radio', 'switch', 'option', 'slider', 'spinbutton', 'combobox', 'listbox'];
  for (const role of [...choices, 'textbox', 'switch of label'])
    for (const name of ['ArrowDown', 'Enter', 'Home'])
      expect(await key(name, `${role} "Agree"`)).toBe('block');
  expect(await key('ArrowDown')).toBe('block');
  for (const name of ['Tab', 'Shift+Tab', 'Escape']) {
    expect(await key(name)).toBe('ask');
    expect(await key(name, 'combobox "Size"')).toBe('ask');
  }
  for (const name of ['Enter', 'Control+ArrowLeft', 'F2']) {
    expect(await key(name, 'button "option"')).toBe('ask');
    expect(await key(name, 'the page')).toBe('ask');
  }
  for (const role of choices)
    for (const name of ['click', 'drag'])
      expect(await judged(name, { targets: { e1: `${role} "Agree"` } })).toBe('block');
  const pressed = call('click', { targets: { e1: 'button "option"' }, allowed: 'once' });
  expect(await judged('click', pressed)).toBe('ask');
  // Where it is dispatched, by what the call was bound to.
  await db.put('toolCalls', { ...pressed, targets: { e1: 'checkbox "Agree"' } });
  await expect(permissions.requireRunnable(pressed, {})).rejects.toMatchObject({ code: 'tool_blocked' });
});

it('a Never stops a call that was approved before, where it would be dispatched', async () => {
  const { db, permissions, call, never } = await start();
  const asked = call('click');
  const approved = { ...asked, ...(await permissions.definitionOf(asked)), allowed: 'once' as const };
  await db.put('toolCalls', approved);
  await expect(permissions.requireRunnable(approved, {})).rejects.toMatchObject({ code: 'bad_arguments' });
  await never('click', 'click');
  await expect(permissions.requireRunnable(approved, {})).rejects.toMatchObject({ code: 'tool_blocked' });
});

it('a site that is never read is read by nothing: neither by acting in it nor as a frame of another page', async () => {
  const { db, judged, never, permissions, show } = await start();
  await never('read', 'read_page');
  for (const name of ['read_page', 'snapshot', 'screenshot', 'wait_for', 'ask_user', 'click', 'type_text'])
    expect(await judged(name)).toBe('block');
  expect(await judged('fetch_url', { arguments: JSON.stringify({ url: `${SHOP}/x` }) })).toBe('block');
  for (const name of ['reload', 'close_tab', 'switch_tab', 'list_tabs'])
    expect(await judged(name)).not.toBe('block');
  show(BANK);
  expect(await judged('read_page')).toBe('allow');
  const read = (url: string, id: string) => ({
    kind: 'text',
    id,
    name: url,
    text: 'x',
    source: { type: 'page', url },
  });
  await db.put('messages', {
    id: 'u1',
    conversationId: 'c1',
    parentId: null,
    role: 'user',
    content: 'Look',
    timestamp: at,
    seq: 1,
    sub: 0,
    attachments: [read(`${SHOP}/cart`, 'a'), read(`${BANK}/`, 'b')],
  } as never);
  await db.put('messages', {
    id: 'm1',
    conversationId: 'c1',
    parentId: 'u1',
    role: 'assistant',
    content: '',
    timestamp: at,
    seq: 2,
    sub: 0,
  } as never);
  expect(await permissions.originsRead({ callId: 'm1.0', conversationId: 'c1' })).toEqual([BANK]);
});

it('a Never of forms blocks what sends them and no other click; one of navigating, going there and leaving', async () => {
  const { judged, never, show } = await start();
  await never('submit', 'click', { submits: true });
  expect(await judged('click')).toBe('ask');
  expect(await judged('click', { submits: true })).toBe('block');
  expect(await judged('press_key', { submits: true })).toBe('block');
  const to = { arguments: JSON.stringify({ url: `${BANK}/accounts` }) };
  await never('navigate', 'navigate', to);
  for (const name of ['navigate', 'open_tab']) expect(await judged(name, to)).toBe('block');
  expect(await judged('reload')).toBe('ask');
  show(BANK);
  expect(await judged('reload')).toBe('block');
  expect(await judged('navigate', { arguments: JSON.stringify({ url: SHOP }) })).toBe('block');
});

it('an Ask asks in spite of what was allowed before, until it is allowed for a chat, or always, again', async () => {
  const { judged, allowed, rows, setSite, db } = await start();
  await setTool(db, OWN_TOOLS, 'click', { permission: 'allow' });
  await allowed('drag', 'chat');
  expect(await judged('click')).toBe('allow');
  expect(await judged('drag')).toBe('allow');
  await setSite({ site: SHOP, kind: 'click', rule: 'ask' });
  expect(await judged('click')).toBe('ask');
  expect(await judged('drag')).toBe('ask');
  await setTool(db, OWN_TOOLS, 'click', { permission: 'ask' });
  await allowed('click', 'chat');
  expect(await judged('click')).toBe('allow');
  await allowed('click', 'always');
  expect((await rows()).map(([, kind, holds]) => [kind, holds])).toEqual([['click', 'always']]);
  await setSite({ site: SHOP, kind: 'read', rule: 'ask' });
  expect(await judged('read_page')).toBe('ask');
  await setSite({ site: SHOP, kind: 'read', rule: null });
  expect(await judged('read_page')).toBe('allow');
});

it('an Ask gives way to what was allowed in a chat again on its site, and to no other site’s', async () => {
  const { judged, allowed, setSite } = await start();
  const later = () => void vi.setSystemTime(Date.now() + 1000);
  const read = { reads: SHOP };
  for (const [name, more] of [
    ['click', {}],
    ['read_page', read],
  ] as const) {
    await allowed(name, 'chat', more);
    later();
    await setSite({ site: SHOP, kind: name === 'click' ? 'click' : 'read', rule: 'ask' });
    later();
    await allowed('click', 'chat', { reads: BANK });
    expect(await judged(name, more)).toBe('ask');
    await allowed(name, 'chat', more);
    expect(await judged(name, more)).toBe('allow');
  }
});

it('lists for each site and kind what holds, since when, and how often it was used', async () => {
  const { db, allowed, never, judged, call, rows, list, onSites, setSite } = await start();
  await allowed('click', 'chat');
  await allowed('type_text', 'always');
  await allowed('type_text', 'always', { reads: BANK });
  await never('upload', 'upload_file');
  for (const [toolName, reads] of [
    ['drag', SHOP],
    ['type_text', SHOP],
    ['fill_form', SHOP],
    ['fill_form', BANK],
  ] as const) {
    const made = call(toolName, { reads });
    await db.put('toolCalls', { ...made, status: 'running' });
    await countCall(db, made);
  }
  await judged('upload_file', { callId: 'm9.0' });
  await judged('upload_file', { callId: 'm9.0' });
  expect(new Set(await rows())).toEqual(
    new Set([
      [SHOP, 'upload', 'never', 1],
      [BANK, 'fill', 'always', 1],
      [SHOP, 'fill', 'always', 2],
      [SHOP, 'click', 'chat', 1],
    ]),
  );
  expect((await onSites()).every(({ given }) => given.usedAt !== undefined)).toBe(true);
  expect((await onSites()).find(({ holds }) => holds === 'chat')?.chatTitle).toBe('Shops');
  // They are no rows of the tools’ grants.
  expect(await list()).toEqual([]);
  await setSite({ site: SHOP, kind: 'click', rule: null, conversationId: 'c1' });
  await setSite({ site: SHOP, kind: 'fill', rule: null });
  expect((await rows()).map(([where, kind]) => [where, kind])).toEqual(
    expect.arrayContaining([
      [SHOP, 'upload'],
      [BANK, 'fill'],
    ]),
  );
  expect(await rows()).toHaveLength(2);
  expect(await judged('type_text')).toBe('ask');
  expect(await judged('type_text', { reads: BANK })).toBe('allow');
});

it('is decided anew in the settings: Never, then Ask, then Always', async () => {
  const { allowed, judged, setSite, rows } = await start();
  await allowed('click', 'chat');
  await setSite({ site: `${SHOP}/cart?id=1`, kind: 'click', rule: 'never' });
  expect(await judged('click')).toBe('block');
  await setSite({ site: SHOP, kind: 'click', rule: 'ask' });
  expect(await judged('click')).toBe('ask');
  await setSite({ site: SHOP, kind: 'click', rule: 'always' });
  expect(await judged('click')).toBe('allow');
  expect(await rows()).toEqual([[SHOP, 'click', 'always', 0]]);
  await setSite({ site: SHOP, kind: 'click', rule: null });
  expect(await judged('click')).toBe('ask');
  expect(await rows()).toEqual([]);
});

it.each([
  { site: 'https://not%20a%20site', kind: 'read', rule: 'never' },
  { site: 'bank', kind: 'read', rule: 'never' },
  { site: 'file:///etc/passwd', kind: 'read', rule: 'never' },
  { site: SHOP, kind: 'submit', rule: 'always' },
  { site: SHOP, kind: 'read', rule: 'always' },
  { site: SHOP, kind: 'toString', rule: 'never' },
])('refuses what can’t be decided: $site $kind $rule', async (request) => {
  const { setSite, rows } = await start();
  await expect(setSite(request as never)).rejects.toMatchObject({ code: 'invalid_input' });
  expect(await rows()).toEqual([]);
});
