import { signal, type ReadonlySignal } from '@preact/signals';
import type { SearchHit } from '../../protocol/chats.ts';
import { createLater } from '../later.ts';
import type { ConversationView } from '../chat/conversation-view.ts';

/** Searching all chats, by the worker's index. */
export function createSearch(command: ConversationView['command']) {
  const text = signal('');
  const hits = signal<SearchHit[] | null>(null);
  const hasMore = signal(false);
  const busy = signal(false);
  /** A later question makes an answer worthless. */
  let asked = 0;

  async function readHits(before?: SearchHit): Promise<void> {
    const mine = (asked += 1);
    busy.value = true;
    const answer = await command('search', {
      text: text.value.trim(),
      ...(before && { before: { at: before.at, id: before.id } }),
    });
    if (mine !== asked) return;
    busy.value = false;
    const kept = before ? (hits.value ?? []) : [];
    hits.value = [...kept, ...(answer?.reply.hits ?? [])];
    hasMore.value = answer?.reply.hasMore ?? false;
  }

  const later = createLater<void>(() => void readHits());
  return {
    /** As it is typed. */
    text: text as ReadonlySignal<string>,
    /** Newest first; null: nothing is looked for, or nothing was found out yet. */
    hits: hits as ReadonlySignal<SearchHit[] | null>,
    hasMore: hasMore as ReadonlySignal<boolean>,
    /** The worker is looking, or is about to. */
    busy: busy as ReadonlySignal<boolean>,
    /** Looks for it once the user stops typing. */
    type(next: string): void {
      text.value = next;
      asked += 1;
      later.drop();
      busy.value = next.trim() !== '';
      if (busy.value) later.put();
      else hits.value = null;
    },
    async loadMore(): Promise<void> {
      const last = hits.value?.at(-1);
      if (last && hasMore.value && !busy.value) await readHits(last);
    },
    /** A chat is gone, and what was found in it. */
    forget(conversationIds: string[]): void {
      hits.value = hits.value?.filter((hit) => !conversationIds.includes(hit.conversationId)) ?? null;
    },
  };
}

/** Hits under their chats, the chat with the newest hit first. */
export function hitsByChat(hits: SearchHit[]): { id: string; title: string; hits: SearchHit[] }[] {
  const chats = new Map<string, { id: string; title: string; hits: SearchHit[] }>();
  for (const hit of hits) {
    const { conversationId: id, title } = hit;
    const chat = chats.get(id) ?? { id, title, hits: [] };
    chat.hits.push(hit);
    chats.set(id, chat);
  }
  return [...chats.values()];
}
