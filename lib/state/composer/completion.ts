import { signal, type ReadonlySignal } from '@preact/signals';
import type { CompletionRef } from '../../types/offer.ts';
import type { WorkerLink } from '../panel-port.ts';
import { createLater } from '../later.ts';
import type { OfferEntry } from './menu-entries.ts';

export type Suggestions = { argument: string; values: string[]; hasMore: boolean };

/** Arguments by name. It inherits nothing: a server may name one `constructor`. */
export function argumentValues(...given: Record<string, string>[]): Record<string, string> {
  return Object.assign(Object.create(null) as Record<string, string>, ...given);
}

type Question = { argument: string; values: Record<string, string> };

/**
 * What a server suggests for the arguments of a prompt or a template; a saved prompt has none (null). A server
 * that fails to is one that does not.
 */
export function createCompletion(link: WorkerLink, entry: OfferEntry | null) {
  const suggestions = signal<Suggestions | null>(null);
  let asked: Question | null = null;
  const ref = entry && refOf(entry);

  async function question(mine: Question): Promise<void> {
    if (!ref || !entry) return;
    asked = mine;
    const { [mine.argument]: value = '', ...others } = mine.values;
    const filled = Object.fromEntries(Object.entries(others).filter(([, text]) => text !== ''));
    const request = {
      serverId: entry.offer.serverId,
      ref,
      argument: { name: mine.argument, value },
      others: filled,
    };
    const reply = await link.send('complete', request).catch(() => ({ values: [], hasMore: false }));
    if (asked === mine) suggestions.value = { argument: mine.argument, ...reply };
  }
  const later = createLater((mine: Question) => void question(mine));

  return {
    /** What could stand for the argument that was asked about last; null while nothing was suggested. */
    suggestions: suggestions as ReadonlySignal<Suggestions | null>,
    /** Asks soon, with the other arguments as they are. */
    ask: (argument: string, values: Record<string, string>): void => later.put({ argument, values }),
    clear(): void {
      later.drop();
      asked = null;
      suggestions.value = null;
    },
  };
}

export type Completion = ReturnType<typeof createCompletion>;

function refOf({ type, offer }: OfferEntry): CompletionRef | null {
  if (type === 'prompt') return { type, name: offer.name };
  return type === 'template' ? { type, uriTemplate: offer.uriTemplate } : null;
}
