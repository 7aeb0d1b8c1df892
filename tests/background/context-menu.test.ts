import { beforeEach, describe, expect, it, vi } from 'vitest';
import { buildMenu, wishOf } from '../../entrypoints/background/browser/context-menu.ts';
import { questions, starters } from '../../locales/en/shared.json' with { type: 'json' };

type Item = { id: string; title: string; contexts: string[] };

const items = vi.hoisted((): Item[] => []);
vi.mock('wxt/browser', () => ({
  browser: {
    tabs: { TAB_ID_NONE: -1 },
    contextMenus: {
      removeAll: async () => void items.splice(0),
      create: (item: Item) => void items.push(item),
    },
  },
}));

beforeEach(() => void items.splice(0));

const pageUrl = 'https://a.example/tides';
const tab = { id: 7, windowId: 3, title: 'Tides', url: pageUrl };

describe('the context menu', () => {
  it('has an entry for each question, where what it is about was clicked', async () => {
    await buildMenu([], {});
    const isAsked = ({ id }: Item) =>
      Object.hasOwn(questions, id) || (/-(.*)/.exec(id)?.[1] ?? '') in starters;
    expect(items.filter((item) => !isAsked(item))).toEqual([]);
    expect(items.map(({ contexts }) => contexts.join())).toEqual([
      ...Array.from({ length: 5 }, () => 'selection'),
      ...Array.from({ length: 3 }, () => 'page'),
      'link',
      'image',
      'editable',
    ]);
  });

  it('leaves out the starters that are switched off', async () => {
    await buildMenu([], { summarise: { isOff: true }, rewrite: { text: 'Shorter.' } });
    const ids = items.map(({ id }) => id);
    expect(ids.filter((id) => id.endsWith('summarise'))).toEqual([]);
    expect(ids).toContain('selection-rewrite');
  });

  it('has the user’s own prompts, by their names and nothing else in them', async () => {
    await buildMenu(
      [
        { id: 4, name: 'Pros & cons', text: 'List them.' },
        { id: 9, name: 'Shorten', text: 'Shorter!' },
      ],
      {},
    );
    expect(items.slice(-2)).toEqual([
      { id: 'prompt-4', title: 'Pros && cons', contexts: ['selection', 'page'] },
      { id: 'prompt-9', title: 'Shorten', contexts: ['selection', 'page'] },
    ]);
  });

  it('is built anew each time', async () => {
    await buildMenu([{ id: 4, name: 'Old', text: '' }], {});
    await buildMenu([], {});
    expect(items.map(({ id }) => id)).not.toContain('prompt-4');
  });
});

describe('a click in it', () => {
  const given = (text: string) => ({ text, title: 'Tides', url: pageUrl });

  it.each([
    ['a selection', { menuItemId: 'selection-ask', selectionText: 'ebb' }, 'selection', 'ebb'],
    ['a link', { menuItemId: 'link-ask', linkUrl: 'https://b.example/' }, 'link', 'https://b.example/'],
    [
      'a picture',
      { menuItemId: 'image-ask', srcUrl: 'https://b.example/a.png' },
      'image',
      'https://b.example/a.png',
    ],
    ['a prompt for a selection', { menuItemId: 'prompt-4', selectionText: 'ebb' }, 'selection', 'ebb'],
    [
      'a part of a form field',
      { menuItemId: 'editable-rewrite', selectionText: 'ebb', editable: true },
      'field',
      'ebb',
    ],
    [
      'a selection in a form field, to be rewritten there',
      { menuItemId: 'selection-rewrite', selectionText: 'ebb', editable: true },
      'field',
      'ebb',
    ],
    [
      'a selection in a form field',
      { menuItemId: 'selection-explain', selectionText: 'ebb', editable: true },
      'selection',
      'ebb',
    ],
  ] as const)('on %s asks about it, as the browser tells of it', (_what, click, part, text) => {
    expect(wishOf({ ...click, pageUrl }, tab)).toEqual({
      entry: click.menuItemId,
      windowId: 3,
      page: { part, tabId: 7, url: pageUrl, given: given(text) },
    });
  });

  it.each([
    ['the page', 'page-ask', 'page'],
    ['a form field', 'editable-rewrite', 'field'],
    ['the page, with a prompt', 'prompt-4', 'page'],
    ['nothing, by the shortcut for selections', 'selection-ask', 'selection'],
  ])('on %s asks about what is read there', (_what, menuItemId, part) => {
    expect(wishOf({ menuItemId, pageUrl }, tab)).toEqual({
      entry: menuItemId,
      windowId: 3,
      page: { part, tabId: 7, url: pageUrl },
    });
  });

  it('tells of a frame where what was clicked is in one', () => {
    const frameUrl = 'https://b.example/';
    const click = { menuItemId: 'link-ask', linkUrl: 'https://c.example/', pageUrl, frameUrl };
    expect(wishOf(click, tab).page).toMatchObject({ given: { url: pageUrl, frameUrl } });
  });

  it('tells no more of a title than is of use: Firefox has all that its page writes there', () => {
    const click = { menuItemId: 'selection-ask', selectionText: 'ebb' };
    expect(wishOf(click, { title: 'T'.repeat(1e6) }).page?.given?.title).toHaveLength(2_000);
  });

  it('in no tab, such as in Portside’s own panel, goes by what the browser tells', () => {
    expect(wishOf({ menuItemId: 'selection-ask', selectionText: 'ebb', pageUrl })).toMatchObject({
      page: { part: 'selection', tabId: -1, given: { text: 'ebb' } },
    });
  });
});
