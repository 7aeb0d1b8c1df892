import { beforeEach, expect, it, vi } from 'vitest';
import { createPrivateTabs } from '../../entrypoints/background/page/private-tabs.ts';

type Opened = { id: number; openerTabId?: number };

/** The browser at its seam: its session, and who is told of its tabs. */
const fake = vi.hoisted(() => ({
  session: {} as Record<string, unknown>,
  next: 1,
  created: new Set<(tab: Opened) => void>(),
  removed: new Set<(id: number) => void>(),
  replaced: new Set<(id: number, before: number) => void>(),
}));

vi.mock('wxt/browser', () => {
  const told = <T>(listeners: Set<T>) => ({
    addListener: (each: T) => void listeners.add(each),
    removeListener: (each: T) => void listeners.delete(each),
  });
  return {
    browser: {
      storage: {
        session: {
          get: async (key: string) => structuredClone({ [key]: fake.session[key] }),
          set: async (values: object) => void Object.assign(fake.session, structuredClone(values)),
        },
      },
      tabs: {
        create: async () => ({ id: fake.next++ }),
        onCreated: told(fake.created),
        onRemoved: told(fake.removed),
        onReplaced: told(fake.replaced),
      },
    },
  };
});

beforeEach(() => {
  Object.assign(fake, { session: {}, next: 1 });
  fake.created.clear();
  fake.removed.clear();
  fake.replaced.clear();
});

const opened = (tab: Opened) => fake.created.forEach((tell) => tell(tab));
const closed = (id: number) => fake.removed.forEach((tell) => tell(id));

it('a tab that a server has the user visit is private until it is closed, and so are those that it opens', async () => {
  const tabs = createPrivateTabs();
  expect(await tabs.has({ id: 1 })).toBe(false);
  const opening = tabs.open('https://example.com/');
  expect(await tabs.has({ id: 1 })).toBe(true);
  await opening;
  opened({ id: 2, openerTabId: 1 });
  opened({ id: 3, openerTabId: 2 });
  opened({ id: 4, openerTabId: 9 });
  closed(1);
  expect(await Promise.all([1, 2, 3, 4].map((id) => tabs.has({ id })))).toEqual([false, true, true, false]);
  expect(await tabs.has({ id: 5, openerTabId: 3 })).toBe(true);
  closed(2);
  closed(3);
  expect(await tabs.has({ id: 3 })).toBe(false);
  expect([fake.created.size, fake.removed.size]).toEqual([0, 0]);
});

it('a private tab that the browser discards stays private under its new id', async () => {
  const tabs = createPrivateTabs();
  await tabs.open('https://example.com/');
  fake.replaced.forEach((tell) => tell(2, 1));
  fake.replaced.forEach((tell) => tell(8, 9));
  expect(await Promise.all([1, 2, 8].map((id) => tabs.has({ id })))).toEqual([false, true, false]);
});

it('a private tab outlives the worker that opened it', async () => {
  await createPrivateTabs().open('https://example.com/');
  fake.created.clear();
  fake.removed.clear();
  const next = createPrivateTabs();
  await next.settle();
  opened({ id: 2, openerTabId: 1 });
  expect(await Promise.all([1, 2].map((id) => next.has({ id })))).toEqual([true, true]);
});

it('a tab that wakes the worker as a private one opens it is private, also once that is closed', async () => {
  await createPrivateTabs().open('https://example.com/');
  fake.created.clear();
  fake.removed.clear();
  const next = createPrivateTabs();
  opened({ id: 2, openerTabId: 1 });
  closed(1);
  expect(await next.has({ id: 2 })).toBe(true);
});

it('a worker without private tabs is told of none', async () => {
  await createPrivateTabs().settle();
  expect([fake.created.size, fake.removed.size]).toEqual([0, 0]);
});
