import { listOf, parseJson } from '../../json.ts';
import type { FormDraft } from '../chat/request-form.ts';

/** A page's storage, in part. */
export type TextStore = Pick<Storage, 'getItem' | 'setItem'>;

const KEY = 'answers';
/** Requests whose end no panel saw are forgotten once so many newer ones are kept. */
const MOST = 10;

type KeptAnswer = [requestId: string, draft: FormDraft, conversationId: string];

/**
 * What is typed into servers' forms, kept until they are answered in the page's own storage, which outlives it, and which
 * several panels write into; null: it lives as long as the page. `conversationId`: which one the page shows.
 */
export function createKeptAnswers(outliving: TextStore | null, conversationId: () => string = () => '') {
  const store = outliving ?? createStore();
  // Read anew each time: another panel may have written meanwhile.
  const entries = (): KeptAnswer[] => readList(store.getItem(KEY)) as KeptAnswer[];
  const put = (next: KeptAnswer[]): void => store.setItem(KEY, JSON.stringify(next.slice(-MOST)));
  const leave = (isOver: (entry: KeptAnswer) => boolean): void => {
    const before = entries();
    const after = before.filter((entry) => !isOver(entry));
    if (after.length < before.length) put(after);
  };
  return {
    of: (requestId: string): FormDraft | null => entries().find(([id]) => id === requestId)?.[1] ?? null,
    keep(requestId: string, draft: FormDraft): void {
      const others = entries().filter(([id]) => id !== requestId);
      put([...others, [requestId, draft, conversationId()]]);
    },
    forget: (requestId: string): void => leave(([id]) => id === requestId),
    /** Forgets what belongs to requests of this conversation that do not wait any more. */
    retain: (conversation: string, waiting: string[]): void =>
      leave(([id, , own]) => own === conversation && !waiting.includes(id)),
  };
}

export type KeptAnswers = ReturnType<typeof createKeptAnswers>;

export function forgetAnswers(store: Pick<Storage, 'removeItem'>): void {
  store.removeItem(KEY);
}

function createStore(): TextStore {
  let kept: string | null = null;
  return { getItem: () => kept, setItem: (_key, text) => void (kept = text) };
}

/** A list that a page left in its storage; empty where there is none. */
export function readList(text: string | null): unknown[] {
  const kept = parseJson(text ?? '');
  return listOf(kept);
}
