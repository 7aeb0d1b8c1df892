import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createOpenedTabs } from '../../entrypoints/background/tools/tabs/opened-tabs.ts';
import { OWN_CALLS } from '../../lib/protocol/chats.ts';
import type { PageTab } from '../../lib/types/page.ts';

/** The browser at its seam: what it keeps for a session, its tabs, and who is told of them. */
const fake = vi.hoisted(() => {
  let kept: Record<string, unknown> = {};
  const listeners = () => {
    const all = new Set<(...told: never[]) => void>();
    return {
      all,
      addListener: (each: (...told: never[]) => void) => void all.add(each),
      removeListener: (each: (...told: never[]) => void) => void all.delete(each),
    };
  };
  return {
    tabs: { onRemoved: listeners(), onUpdated: listeners(), remove: vi.fn(async (_ids: number[]) => {}) },
    storage: {
      session: {
        get: async () => structuredClone(kept),
        set: async (more: object) => void (kept = JSON.parse(JSON.stringify({ ...kept, ...more }))),
        clear: () => void (kept = {}),
      },
    },
  };
});
vi.mock('wxt/browser', () => ({ browser: fake }));

const { onRemoved, onUpdated } = fake.tabs;
let open: PageTab[] = [];
const changed = vi.fn((_id: string, _tabs: PageTab[]): void => {});
const worker = () => createOpenedTabs({ list: async () => open, changed });
const tab = (id: number, title = `Page ${id}`): PageTab => ({ id, windowId: 1, active: false, title });
const idsOf = (tabs: PageTab[]) => tabs.map(({ id }) => id);
const told = () => changed.mock.calls.map(([id, tabs]) => [id, idsOf(tabs)]);

beforeEach(() => {
  fake.storage.session.clear();
  for (const { all } of [onRemoved, onUpdated]) all.clear();
  vi.clearAllMocks();
  open = [tab(1), tab(2), tab(3), tab(4)];
});

describe('the tabs that a chat opened', () => {
  it('are its own, and told as they come and go', async () => {
    const opened = worker();
    await opened.add('c1', [1]);
    await opened.add('c2', [2]);
    await opened.add('c1', [3]);
    expect([idsOf(await opened.of('c1')), idsOf(await opened.of('c2'))]).toEqual([[1, 3], [2]]);
    for (const each of onRemoved.all) each(...([3] as never[])); // still listed, as some browsers do
    await vi.waitFor(() =>
      expect(told()).toEqual([
        ['c1', [1]],
        ['c2', [2]],
        ['c1', [1, 3]],
        ['c1', [1]],
      ]),
    );
  });

  it('are told anew once they show something else', async () => {
    const opened = worker();
    await opened.add('c1', [1]);
    open = [tab(1, 'Another page')];
    for (const each of onUpdated.all) each(...([1, { status: 'loading' }] as never[]));
    for (const each of onUpdated.all) each(...([9, { title: 'Another tab' }] as never[]));
    for (const each of onUpdated.all) each(...([1, { title: 'Another page' }] as never[]));
    await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(2));
    expect(changed).toHaveBeenLastCalledWith('c1', [tab(1, 'Another page')]);
  });

  it('outlive the worker, without those that were closed meanwhile', async () => {
    await worker().add('c1', [1, 2]);
    for (const { all } of [onRemoved, onUpdated]) all.clear();
    open = [tab(2)];
    const next = worker();
    await next.settle();
    expect(idsOf(await next.of('c1'))).toEqual([2]);
    expect(changed).toHaveBeenLastCalledWith('c1', [tab(2)]);
    expect([onRemoved.all.size, onUpdated.all.size]).toEqual([1, 1]);
  });

  it('are followed only while there are any, since that wakes the worker', async () => {
    const opened = worker();
    await opened.settle();
    expect([onRemoved.all.size, onUpdated.all.size]).toEqual([0, 0]);
    await opened.add('c1', [1]);
    expect([onRemoved.all.size, onUpdated.all.size]).toEqual([1, 1]);
    open = [];
    await opened.settle();
    expect([onRemoved.all.size, onUpdated.all.size]).toEqual([0, 0]);
  });

  it('are all that is closed at the wish of a panel', async () => {
    const opened = worker();
    await opened.add('c1', [1, 2]);
    await opened.add('c2', [3]);
    await opened.add(OWN_CALLS, [4]);
    await opened.close({ conversationId: 'c1', tabIds: [1, 3, 4] });
    await opened.close({ conversationId: OWN_CALLS, tabIds: [4] });
    expect(fake.tabs.remove.mock.calls).toEqual([[[1]], [[]]]);
  });
});
