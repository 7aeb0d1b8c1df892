import type { FormDraft } from './request-form.ts';

/** What is typed into servers' forms, kept until they are answered: a panel may close in between. */
export type KeptAnswers = {
  of: (requestId: string) => FormDraft | null;
  keep: (requestId: string, draft: FormDraft) => void;
  forget: (requestId: string) => void;
};

/** A page's storage, in part. */
export type TextStore = Pick<Storage, 'getItem' | 'setItem'>;

const KEY = 'answers';
/** Requests whose end no panel saw are forgotten once so many newer ones are kept. */
const MOST = 10;

type Entry = [requestId: string, draft: FormDraft];

/** Answers in the page's own storage, which outlives it; null: they live as long as the page. */
export function createKeptAnswers(store: TextStore | null): KeptAnswers {
  let entries: Entry[] = read(store?.getItem(KEY) ?? null);

  function put(next: Entry[]): void {
    entries = next.slice(-MOST);
    store?.setItem(KEY, JSON.stringify(entries));
  }
  const others = (requestId: string): Entry[] => entries.filter(([id]) => id !== requestId);
  return {
    of: (requestId) => entries.find(([id]) => id === requestId)?.[1] ?? null,
    keep: (requestId, draft) => put([...others(requestId), [requestId, draft]]),
    forget(requestId) {
      if (entries.some(([id]) => id === requestId)) put(others(requestId));
    },
  };
}

function read(text: string | null): Entry[] {
  try {
    const kept: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(kept) ? (kept as Entry[]) : [];
  } catch {
    return []; // nothing that this page wrote
  }
}
