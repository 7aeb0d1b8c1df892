import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  leaveIntent,
  listenForEntryPoints,
  type Wish,
} from '../../entrypoints/background/browser/entry-points.ts';
import { intents } from '../../lib/broadcasts.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { saveSettings } from '../../lib/storage/configuration/settings.ts';
import { NOW } from '../fakes/rows.ts';

type Listener = (...args: unknown[]) => void;

const fake = vi.hoisted(() => {
  /** What happened, in order. */
  const seen: string[] = [];
  const listeners: Record<string, Listener> = {};
  const event = (name: string) => ({
    addListener: (listener: Listener) => void (listeners[name] = listener),
  });
  const opened = (what: string) => async () => void seen.push(what);
  const common = {
    tabs: { TAB_ID_NONE: -1 },
    windows: { WINDOW_ID_CURRENT: -2, getLastFocused: async () => ({ id: 5 }) },
    contextMenus: { onClicked: event('menu') },
    commands: { onCommand: event('command') },
    omnibox: { onInputEntered: event('omnibox') },
    action: { onClicked: event('action') },
  };
  const sidePanel = {
    open: async ({ windowId }: { windowId: number }) => void seen.push(`open ${windowId}`),
    setPanelBehavior: async () => {},
  };
  const sidebarAction = { open: opened('open'), toggle: opened('toggle') };
  return { seen, listeners, browser: common as object, common, sidePanel, sidebarAction };
});
vi.mock('wxt/browser', () => ({
  get browser() {
    return fake.browser;
  },
}));

const left: Wish[] = [];

function listen(panel: 'sidePanel' | 'sidebarAction'): void {
  fake.browser = { ...fake.common, [panel]: fake[panel] };
  fake.seen.length = 0;
  left.length = 0;
  listenForEntryPoints(
    async (wish) => {
      fake.seen.push('left');
      left.push(wish);
    },
    () => fake.seen.push('box'),
  );
}

const tab = { id: 7, windowId: 3, title: 'Tides', url: 'https://a.example/' };

describe('an entry point', () => {
  it.each([
    ['the context menu', 'menu', [{ menuItemId: 'selection-ask', selectionText: 'ebb' }, tab], 'open 3'],
    ['a keyboard shortcut', 'command', ['page-ask', tab], 'open 3'],
    ['the omnibox', 'omnibox', ['why tides?'], 'open -2'],
  ])('opens the panel before anything else, and then leaves what to ask: %s', (_what, event, args, open) => {
    listen('sidePanel');
    fake.listeners[event]?.(...args);
    expect(fake.seen).toEqual([open, 'left']);
  });

  it('opens the panel at the toolbar button’s press, which gives access to the page in front', () => {
    listen('sidePanel');
    fake.listeners['action']?.(tab);
    expect(fake.seen).toEqual(['open 3']);
  });

  it('opens Firefox’s sidebar', () => {
    listen('sidebarAction');
    fake.listeners['omnibox']?.('why tides?');
    fake.listeners['action']?.();
    fake.listeners['command']?.('quick-ask', tab);
    expect(fake.seen).toEqual(['open', 'left', 'toggle', 'open', 'box']);
  });

  it('opens the box over a page, and no panel before it is asked', () => {
    listen('sidePanel');
    fake.listeners['command']?.('quick-ask', tab);
    expect(fake.seen).toEqual(['box']);
  });

  it('by the keyboard asks what the entry of the menu asks', () => {
    listen('sidePanel');
    fake.listeners['command']?.('selection-ask', tab);
    const { url } = tab;
    expect(left).toEqual([
      { entry: 'selection-ask', windowId: 3, page: { part: 'selection', tabId: 7, url } },
    ]);
  });
});

describe('what is left to be asked', () => {
  let db: Database;
  const leave = async (wish: Wish) => {
    await leaveIntent(db, wish, NOW);
    return (await db.getAll('intents')).at(-1);
  };

  beforeEach(async () => {
    fake.browser = fake.common;
    db = await openDatabase(crypto.randomUUID());
  });

  it('is stored for its window, and the panels are called then', async () => {
    const called = new Promise<number>((resolve) =>
      intents.listen(() => void db.count('intents').then(resolve)),
    );
    const createdAt = new Date(NOW).toISOString();
    expect(await leave({ entry: 'page-ask', windowId: 3, page: { part: 'page', tabId: 7 } })).toEqual({
      id: expect.any(String) as string,
      entry: 'page-ask',
      windowId: 3,
      page: { part: 'page', tabId: 7 },
      asks: true,
      createdAt,
    });
    expect(await called).toBe(1);
  });

  it('is for the window where the user is when the browser tells of none', async () => {
    expect(await leave({ text: 'why tides?' })).toMatchObject({ windowId: 5, text: 'why tides?' });
  });

  it('waits in the composer if that was chosen, unless the user wrote it', async () => {
    await saveSettings(db, { atEntry: 'fill' });
    expect(await leave({ entry: 'page-ask', windowId: 3 })).toMatchObject({ asks: false });
    await db.clear('intents');
    expect(await leave({ text: 'why tides?', windowId: 3 })).toMatchObject({ asks: true });
  });

  it('with a saved prompt is the prompt as it is by then', async () => {
    const id = await db.put('prompts', { name: 'Shorten', text: 'Shorter!' } as never);
    expect(await leave({ entry: `prompt-${id}`, windowId: 3 })).toMatchObject({
      text: 'Shorter!',
      asks: true,
    });
  });
});
