import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createPageActions } from '../../entrypoints/background/tools/page-actions.ts';
import type { PageTab } from '../../lib/types/page.ts';

const SITE = 'https://example.com';

/** The browser at its seam: one tab, in which a page is acted on. */
const fake = vi.hoisted(() => ({ url: 'https://example.com/a' }));

vi.mock('wxt/browser', () => ({
  browser: { tabs: { get: async (id: number) => ({ id, url: fake.url, status: 'complete' }) } },
}));

const tab: PageTab = { id: 7, windowId: 3, active: true, url: fake.url };
/** What the page answers to each function. */
let answers: Record<string, () => unknown>;
/** The functions that were called in the page. */
let called: string[];
let open: PageTab[];

const answer = async (_tab: PageTab, name: string): Promise<never[]> => {
  called.push(name);
  return [(await answers[name]?.()) as never];
};
const actions = createPageActions({
  pages: { call: answer, callEach: answer, frameOf: async () => 0, list: async () => open },
  wait: async () => {},
});
const act = (more = {}) =>
  actions.act({ reads: SITE, originsRead: async () => [], ...more }, tab, 'click', { ref: 'e1' });

beforeEach(() => {
  fake.url = `${SITE}/a`;
  [called, open] = [[], [tab]];
  answers = {
    mark: () => ({ origin: SITE }),
    act: () => ({ did: 'Clicked.' }),
    countChanges: () => 0,
    changesSince: () => ({ text: '', count: 0, origin: SITE }),
  };
});

describe('an action on a page', () => {
  it('is not done once the tab shows another site, though the document that was marked did not', async () => {
    fake.url = 'https://elsewhere.example/a';
    await expect(act()).rejects.toMatchObject({ code: 'page_changed' });
    expect(called).toEqual(['mark']);
  });
});
