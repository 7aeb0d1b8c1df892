import { signal, type ReadonlySignal } from '@preact/signals';

/** Something that was done and can be taken back for a while. */
export type Undo = { key: string; what: 'chat' | 'message' | 'archived' | 'unarchived'; title?: string };

const OFFERED_MS = 10_000;

/** Each is offered for ten seconds; `later` stands in for the clock. */
export function createUndos(later: (task: () => void, ms: number) => void) {
  const list = signal<Undo[]>([]);
  const ways = new Map<string, () => Promise<void>>();

  function dismiss(key: string): void {
    ways.delete(key);
    list.value = list.value.filter((undo) => undo.key !== key);
  }
  return {
    /** Newest last. */
    list: list as ReadonlySignal<Undo[]>,
    offer(undo: Undo, takeBack: () => Promise<void>): void {
      dismiss(undo.key);
      ways.set(undo.key, takeBack);
      list.value = [...list.value, undo];
      later(() => ways.get(undo.key) === takeBack && dismiss(undo.key), OFFERED_MS);
    },
    async take(key: string): Promise<void> {
      const takeBack = ways.get(key);
      dismiss(key);
      await takeBack?.();
    },
    /** Withdraws the offer. */
    dismiss,
  };
}

export type Undos = ReturnType<typeof createUndos>;
