import { describe, expect, it } from 'vitest';
import type { ListedConversation } from '../../lib/protocol/chats.ts';
import { createPanel, type Panel } from '../../lib/state/panel.ts';
import type { PanelSeams } from '../../lib/state/seams.ts';
import { hitsByChat } from '../../lib/state/history/search.ts';
import { at as revision, conversation, countingIds, fakeWorker, snapshot, user } from './fake-worker.ts';

function open(replaced: Partial<PanelSeams> = {}): {
  panel: Panel;
  worker: ReturnType<typeof fakeWorker>;
  pass: () => void;
} {
  const worker = fakeWorker();
  const waiting: (() => void)[] = [];
  const panel = createPanel(worker.link, {
    newId: countingIds(),
    now: () => '2026-11-21T10:00:00.000Z',
    ownWindow: async () => 1,
    later: (task) => void waiting.push(task),
    ...replaced,
  });
  panel.start({ windowId: 1 });
  return { panel, worker, pass: () => waiting.splice(0).forEach((task) => task()) };
}

const chat = (id: string, day: number, more: Partial<ListedConversation> = {}): ListedConversation => ({
  ...conversation,
  id,
  title: id,
  updatedAt: `2026-11-${String(day).padStart(2, '0')}T10:00:00.000Z`,
  ...more,
});
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const ids = (panel: Panel): string[] => panel.history.rows.value.map(({ id }) => id);
const asked = (worker: ReturnType<typeof fakeWorker>, name: string): unknown[] =>
  worker.sent.filter(({ command }) => command === name).map(({ request }) => request);

describe('the list of chats', () => {
  it('comes page after page, pinned ones first', async () => {
    const { panel, worker } = open();
    const pages = [
      {
        conversations: [chat('p', 1, { pinnedAt: 'x' }), chat('a', 20), chat('b', 19)],
        hasMore: true,
        count: 4,
      },
      { conversations: [chat('c', 18)], hasMore: false, count: 4 },
    ];
    worker.answer.listConversations = () => pages.shift();
    await panel.history.load();
    expect(ids(panel)).toEqual(['p', 'a', 'b']);
    await panel.history.loadMore();
    expect(ids(panel)).toEqual(['p', 'a', 'b', 'c']);
    expect(asked(worker, 'listConversations')).toEqual([{}, { before: '2026-11-19T10:00:00.000Z' }]);
    await panel.history.loadMore();
    expect(asked(worker, 'listConversations')).toHaveLength(2);
  });

  it('says that one is damaged until it is read anew, whatever its next pages hold', async () => {
    const { panel, worker } = open();
    const page = { conversations: [chat('a', 20)], hasMore: true, count: 3 };
    const pages = [{ ...page, damaged: true }, page, page];
    worker.answer.listConversations = () => pages.shift();
    await panel.history.load();
    await panel.history.loadMore();
    expect(panel.history.damaged.value).toBe(true);
    await panel.history.load();
    expect(panel.history.damaged.value).toBe(false);
  });

  it('is kept true by events: begun, pinned, archived, deleted and given back', async () => {
    const { panel, worker } = open();
    worker.answer.listConversations = () => ({
      conversations: [chat('a', 20), chat('b', 19)],
      hasMore: false,
      count: 2,
    });
    await panel.history.load();
    worker.say({ type: 'conversation', conversation: chat('new', 21) });
    expect(ids(panel)).toEqual(['new', 'a', 'b']);
    worker.say({ type: 'conversation', conversation: chat('b', 19, { pinnedAt: 'x' }) });
    expect(ids(panel)).toEqual(['b', 'new', 'a']);
    worker.say({ type: 'conversation', conversation: chat('b', 19, { archivedAt: 'x' }) });
    worker.say({ type: 'conversations_gone', ids: ['a'] });
    expect(ids(panel)).toEqual(['new']);
    expect(panel.history.count.value).toBe(1);
    worker.say({ type: 'conversation', conversation: chat('a', 20) });
    expect(ids(panel)).toEqual(['new', 'a']);
  });

  it('does not show a chat among newer ones whose page is not loaded yet', async () => {
    const { panel, worker } = open();
    worker.answer.listConversations = () => ({ conversations: [chat('a', 20)], hasMore: true, count: 9 });
    await panel.history.load();
    worker.say({ type: 'conversation', conversation: chat('old', 2) });
    expect(ids(panel)).toEqual(['a']);
  });

  it('keeps what goes on in each chat, and counts those beside the one shown that wait for the user', async () => {
    const { panel, worker } = open();
    worker.say(snapshot());
    worker.answer.listConversations = () => ({
      conversations: [chat('c1', 21, { state: 'waiting' }), chat('b', 19, { state: 'waiting' })],
      hasMore: false,
      count: 2,
    });
    await panel.history.load();
    expect(panel.history.waiting.value).toBe(1);
    worker.say({ type: 'conversation_state', conversationId: 'elsewhere', state: 'waiting' });
    expect(panel.history.waiting.value).toBe(2);
    worker.say({ type: 'conversation_state', conversationId: 'b', state: null });
    worker.say({ type: 'conversation', conversation: chat('c1', 21, { title: 'Renamed' }) });
    expect(panel.history.rows.value.map(({ title, state }) => [title, state])).toEqual([
      ['Renamed', 'waiting'],
      ['b', undefined],
    ]);
    expect(panel.history.waiting.value).toBe(1);
  });

  /** A panel whose list was read at the first revision, and then holds something else. */
  async function loaded() {
    const opened = open();
    const { panel, worker } = opened;
    worker.say({ type: 'chats' });
    worker.say(snapshot());
    worker.answer.listConversations = () => ({ conversations: [chat('a', 20)], hasMore: false, count: 1 });
    await panel.history.load();
    worker.answer.listConversations = () => ({ conversations: [chat('b', 19)], hasMore: false, count: 1 });
    return opened;
  }

  it('is read anew when an event skips a revision', async () => {
    const { panel, worker } = await loaded();
    worker.say({ type: 'conversations_gone', revision: revision(2), ids: ['x'] });
    await settled();
    expect(asked(worker, 'listConversations')).toHaveLength(1);
    worker.say({ type: 'conversations_gone', revision: revision(4), ids: ['y'] });
    await settled();
    expect(asked(worker, 'listConversations')).toHaveLength(2);
    expect(ids(panel)).toEqual(['b']);
  });

  it.each([
    ['many', revision(9)],
    ['one', revision(2)],
    ['those of another worker', revision(0, 'e2')],
  ])('is read anew when the worker says that changes were missed: %s', async (_which, missed) => {
    const { panel, worker } = await loaded();
    worker.drop();
    panel.use();
    expect(worker.requests.at(-1)).toMatchObject({ chats: revision(1) });
    worker.say({ type: 'chats', revision: missed });
    await settled();
    expect(ids(panel)).toEqual(['b']);
  });

  it('is not read for a panel that has not shown it', async () => {
    const { worker } = open();
    worker.say({ type: 'chats' });
    worker.say({ type: 'chats', revision: revision(9) });
    await settled();
    expect(asked(worker, 'listConversations')).toEqual([]);
  });
});

/** A storage that outlives its panels, and what they have on offer. */
function keeping() {
  const kept = new Map<string, string>();
  const store = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
  };
  const at = (time: string): Partial<PanelSeams> => ({ store, now: () => `2026-11-21T10:${time}.000Z` });
  const offered = ({ panel }: { panel: Panel }): unknown => panel.undos.list.value.map(({ title }) => title);
  return { kept, at, offered };
}

describe('a deleted chat', () => {
  it('leaves the panel that shows it, and is shown again when it is given back', async () => {
    const { panel, worker } = open();
    worker.say(snapshot({ messages: [user(1)] }));
    await panel.removeChat(conversation);
    expect(panel.conversationId.value).toBeNull();
    expect(panel.undos.list.value).toMatchObject([{ what: 'chat', title: 'A chat' }]);
    await panel.undos.take('c1');
    expect(asked(worker, 'restoreConversations')).toEqual([{ ids: ['c1'] }]);
    expect(panel.conversationId.value).toBe('c1');
    expect(panel.undos.list.value).toEqual([]);
  });

  it('is offered back for a while only, each on its own', async () => {
    const { panel, worker, pass } = open();
    worker.say(snapshot());
    await panel.removeChat({ id: 'x', title: 'X' });
    await panel.removeChat({ id: 'y', title: 'Y' });
    await panel.undos.take('x');
    expect(panel.undos.list.value.map(({ key }) => key)).toEqual(['y']);
    pass();
    expect(panel.undos.list.value).toEqual([]);
    await panel.undos.take('y');
    expect(asked(worker, 'restoreConversations')).toEqual([{ ids: ['x'] }]);
  });

  it('is offered once more by a panel that opens within a minute of one that closed with the offer', async () => {
    const { at, offered } = keeping();
    const first = open(at('00:00'));
    first.worker.say(snapshot());
    await first.panel.removeChat({ id: 'x', title: 'X' });
    await first.panel.removeChat({ id: 'y', title: 'Y' });
    await first.panel.archiveChat({ id: 'z', title: 'Z' }, true);

    const second = open(at('00:50'));
    expect(offered(second)).toEqual(['X', 'Y', 'Z']);
    await second.panel.undos.take('x');
    await second.panel.undos.take('z');
    expect(asked(second.worker, 'restoreConversations')).toEqual([{ ids: ['x'] }]);
    expect(asked(second.worker, 'setConversation')).toEqual([{ id: 'z', archived: false }]);
    const third = open(at('00:55'));
    expect(offered(third)).toEqual(['Y']);
    third.pass();
    expect(offered(open(at('00:58'))), 'once its time was up in a visible panel').toEqual([]);
  });

  it('is offered by a panel beside the one that deleted it, and by each that opens, until one takes it', async () => {
    const { at, offered } = keeping();
    const first = open(at('00:00'));
    first.worker.say(snapshot());
    const beside = open(at('00:00'));
    await first.panel.removeChat({ id: 'x', title: 'X' });
    await beside.panel.removeChat({ id: 'y', title: 'Y' });
    const second = open(at('00:05'));
    expect(offered(second)).toEqual(['X', 'Y']);
    await first.panel.undos.take('x');
    expect(offered(open(at('00:06')))).toEqual(['Y']);
    expect(offered(open(at('00:50')))).toEqual(['Y']);
    expect(offered(open(at('01:01'))), 'a minute after it was deleted').toEqual([]);
  });

  it.each([
    '"x"',
    '{}',
    '["2026-11-21T10:00:00.000Z","x"]',
    '["2026-11-21T10:00:00.000Z",5]',
    '[null,[1],["2026-11-21T10:00:00.000Z"]]',
  ])('is offered whatever else a page’s storage holds: %s', async (damaged) => {
    const { kept, at, offered } = keeping();
    kept.set('undos', damaged);
    const { panel, worker } = open(at('00:00'));
    worker.say(snapshot());
    await panel.removeChat({ id: 'x', title: 'X' });
    expect(offered(open(at('00:05')))).toEqual(['X']);
  });

  it('leaves a panel when another one deleted it', () => {
    const { panel, worker } = open();
    worker.say(snapshot({ messages: [user(1)] }));
    worker.say({ type: 'conversations_gone', ids: ['c1'] });
    expect(panel.conversationId.value).toBeNull();
    expect(panel.chat.value.messages).toEqual([]);
  });
});

describe('an archived chat', () => {
  it('is offered back, and so is one that was taken out', async () => {
    const { panel, worker } = open();
    await panel.archiveChat({ id: 'x', title: 'X' }, true);
    expect(panel.undos.list.value).toMatchObject([{ what: 'archived', title: 'X' }]);
    await panel.undos.take('x');
    await panel.archiveChat({ id: 'x', title: 'X' }, false);
    expect(panel.undos.list.value).toMatchObject([{ what: 'unarchived' }]);
    await panel.undos.take('x');
    expect(asked(worker, 'setConversation')).toEqual(
      [true, false, false, true].map((archived) => ({ id: 'x', archived })),
    );
  });
});

describe('where a panel stands', () => {
  it('is said with what it subscribes to, and whether the user chose that', () => {
    const { panel, worker } = open();
    const place = { windowId: 1 };
    expect(worker.requests).toEqual([{ type: 'subscribe', subscription: 1, conversationId: null, place }]);
    worker.say(snapshot());
    panel.show(chat('c2', 20));
    expect(worker.requests.at(-1)).toEqual({
      type: 'subscribe',
      subscription: 2,
      conversationId: 'c2',
      place,
      isChoice: true,
    });
    worker.say({ type: 'follow', conversationId: 'c3' });
    expect(panel.conversationId.value).toBe('c3');
    expect(worker.requests.at(-1)).toEqual({
      type: 'subscribe',
      subscription: 3,
      conversationId: 'c3',
      place,
    });
  });

  it('before another tab is another place, whose chat the worker names', () => {
    const { panel, worker } = open();
    worker.say(snapshot({ draft: 'for this chat' }));
    panel.moveTo(7);
    expect(worker.requests.at(-1)).toEqual({
      type: 'subscribe',
      subscription: 2,
      conversationId: null,
      place: { windowId: 1, tabId: 7 },
    });
    worker.say(snapshot({ conversation: chat('c7', 20), draft: 'for the other' }));
    expect(panel.conversationId.value).toBe('c7');
    expect(panel.text.value).toBe('for the other');
  });
});

describe('an export', () => {
  it('is what the worker’s pages make together', async () => {
    const { panel, worker } = open();
    const pages = [{ text: '[1,', next: 'a' }, { text: '2]' }];
    worker.answer.exportChats = () => pages.shift();
    expect(await panel.exportChats('json', ['c1'])).toBe('[1,2]');
    expect(asked(worker, 'exportChats')).toEqual([
      { format: 'json', ids: ['c1'] },
      { format: 'json', ids: ['c1'], after: 'a' },
    ]);
  });
});

describe('what was found', () => {
  it('stands under its chats, the chat with the newest hit first', () => {
    const hit = (id: string, conversationId: string) => ({
      id,
      conversationId,
      title: conversationId,
      at: '',
      excerpt: [],
    });
    const chats = hitsByChat([hit('1', 'b'), hit('2', 'a'), hit('3', 'b')]);
    expect(chats.map(({ id, hits }) => [id, hits.map((each) => each.id)])).toEqual([
      ['b', ['1', '3']],
      ['a', ['2']],
    ]);
  });

  const at = { conversationId: 'c1', title: 'A chat', at: '2026-01-01T00:00:00.000Z' };

  it('is shown far up in its chat, for which older pages are loaded', async () => {
    const { panel, worker } = open();
    const pages = [
      { messages: [{ ...user(3), parentId: 'u2' }], toolCalls: [], hasOlder: true, versions: {} },
      { messages: [user(1)], toolCalls: [], hasOlder: false, versions: {} },
    ];
    worker.answer.olderMessages = () => pages.shift();
    const shown = panel.showHit({ ...at, id: 'u1', messageId: 'u1' });
    worker.say(snapshot({ messages: [{ ...user(5), parentId: 'u4' }], hasOlder: true }));
    await shown;
    expect(panel.found.value).toEqual({ messageId: 'u1', id: 'u1' });
    expect(panel.chat.value.messages.map(({ id }) => id)).toEqual(['u1', 'u3', 'u5']);
  });

  it('is shown on its own branch', async () => {
    const { panel, worker } = open();
    worker.say(snapshot({ messages: [user(1)] }));
    worker.answer.switchVersion = () => worker.say(snapshot({ messages: [user(2)] }));
    await panel.showHit({ ...at, id: 'u2.0.result', messageId: 'u2' });
    expect(asked(worker, 'switchVersion')).toEqual([{ messageId: 'u2' }]);
    expect(panel.found.value).toEqual({ messageId: 'u2', id: 'u2.0.result' });
  });
});
