import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { ListedConversation } from '../../protocol/chats.ts';
import type { Request } from '../../protocol/commands.ts';
import type { ChatsEvent } from '../../protocol/panel.ts';
import type { Conversation } from '../../types/conversation.ts';
import type { ConversationView } from '../chat/conversation-view.ts';
import { createChatsRevision } from '../revisions.ts';

const newestFirst = (a: ListedConversation, b: ListedConversation): number =>
  Number(b.pinnedAt !== undefined) - Number(a.pinnedAt !== undefined) ||
  b.updatedAt.localeCompare(a.updatedAt);

/** The list of chats, a page at a time, kept true by events; where one was missed, by reading it anew. */
export function createHistory(command: ConversationView['command'], shown: ReadonlySignal<string | null>) {
  const rows = signal<ListedConversation[]>([]);
  const count = signal(0);
  const hasMore = signal(false);
  const loading = signal(false);
  const loaded = signal(false);
  const archived = signal(false);
  const damaged = signal(false);
  const waitingIds = signal<ReadonlySet<string>>(new Set());
  /** Of the last page: what was loaded, and which list it was. A later one makes it worthless. */
  let page = 0;
  let end: string | undefined;
  const listed = createChatsRevision(() => loaded.value && void load(archived.value));

  async function load(wanted = false, before?: string): Promise<void> {
    const mine = (page += 1);
    if (archived.value !== wanted) rows.value = [];
    archived.value = wanted;
    loading.value = true;
    const answer = await command('listConversations', {
      ...(wanted && { archived: true }),
      ...(before !== undefined && { before }),
    });
    if (mine !== page) return;
    loading.value = false;
    if (!answer) return;
    const { conversations } = answer.reply;
    const fresh = new Set(conversations.map(({ id }) => id));
    const kept = before === undefined ? [] : rows.value.filter(({ id }) => !fresh.has(id));
    rows.value = [...kept, ...conversations].toSorted(newestFirst);
    for (const { id, state } of conversations) setWaiting(id, state === 'waiting');
    end = conversations.at(-1)?.updatedAt ?? before;
    hasMore.value = answer.reply.hasMore;
    count.value = answer.reply.count;
    damaged.value = answer.reply.damaged ?? (before !== undefined && damaged.value);
    loaded.value = true;
  }

  function setWaiting(id: string, waits: boolean): void {
    if (waitingIds.value.has(id) === waits) return;
    const others = [...waitingIds.value].filter((other) => other !== id);
    waitingIds.value = new Set(waits ? [...others, id] : others);
  }

  function remove(ids: string[]): void {
    const left = rows.value.filter(({ id }) => !ids.includes(id));
    count.value -= rows.value.length - left.length;
    rows.value = left;
  }

  function put(conversation: Conversation): void {
    const { id, deletedAt, archivedAt, updatedAt, pinnedAt, project } = conversation;
    const before = rows.value.find((row) => row.id === id);
    if (deletedAt !== undefined || (archivedAt !== undefined) !== archived.value) return remove([id]);
    const isPast =
      hasMore.value && end !== undefined && updatedAt < end && pinnedAt === undefined && !project;
    if (!before && (!loaded.value || isPast)) return;
    const row = { ...conversation, ...(before?.state && { state: before.state }) };
    rows.value = [...rows.value.filter((other) => other.id !== id), row].toSorted(newestFirst);
    if (!before) count.value += 1;
  }

  function take(event: ChatsEvent): void {
    listed.take(event);
    if (event.type === 'conversation') put(event.conversation);
    else if (event.type === 'conversations_gone') {
      remove(event.ids);
      for (const id of event.ids) setWaiting(id, false);
    } else if (event.type === 'conversation_state') {
      const { conversationId: id, state } = event;
      setWaiting(id, state === 'waiting');
      rows.value = rows.value.map((row) => {
        const { state: _before, ...rest } = row;
        return row.id === id ? { ...rest, ...(state && { state }) } : row;
      });
    }
  }

  const set = async (change: Request<'setConversation'>): Promise<void> =>
    void (await command('setConversation', change));
  return {
    /** The chats loaded so far, the archived ones or the others: pinned ones first, then newest first. */
    rows: rows as ReadonlySignal<ListedConversation[]>,
    /** Of all of them, loaded or not. */
    count: count as ReadonlySignal<number>,
    hasMore: hasMore as ReadonlySignal<boolean>,
    /** A page is on its way. */
    loading: loading as ReadonlySignal<boolean>,
    /** Something was loaded, so that no rows means no chats. */
    loaded: loaded as ReadonlySignal<boolean>,
    archived: archived as ReadonlySignal<boolean>,
    /** Some can't be shown. */
    damaged: damaged as ReadonlySignal<boolean>,
    /** Chats other than the one shown that wait for the user. */
    waiting: computed(() => [...waitingIds.value].filter((id) => id !== shown.value).length),
    /** Loads the first page anew. */
    load: (wanted = false): Promise<void> => load(wanted),
    async loadMore(): Promise<void> {
      if (hasMore.value && !loading.value) await load(archived.value, end);
    },
    /** A title that says nothing changes nothing. */
    async rename(id: string, title: string): Promise<void> {
      if (title.trim() !== '') await set({ id, title: title.trim() });
    },
    set,
    take,
    revision: listed.revision,
  };
}
