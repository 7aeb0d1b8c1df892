import type { ModelSummary } from '../../../lib/protocol/setup.ts';
import type { Provider } from '../../../lib/types/provider.ts';

/** How many models a table shows before it is asked for all. */
export const FIRST = 12;

/** 7b stands before 32b. */
const byName = new Intl.Collator('en', { numeric: true });

/**
 * The models of a provider that its table lists, its default first, then by name. The default is there even when the provider does
 * not list it; another that is gone only if the user said something of it.
 */
export function modelsOf(provider: Provider, models: ModelSummary[]): ModelSummary[] {
  const own = models.filter((model) => model.providerId === provider.id);
  const first = own.find((model) => model.id === provider.model) ?? unlisted(provider);
  const said = (model: ModelSummary): boolean => model.shown === true || Object.keys(model.chosen).length > 0;
  const others = own.filter((model) => model.id !== first.id && (model.present || said(model)));
  return [first, ...others.toSorted((a, b) => byName.compare(a.id, b.id))];
}

/** Without rows nothing was asked yet, so that nothing can be said to be missing. */
const unlisted = (provider: Provider): ModelSummary => ({
  providerId: provider.id,
  id: provider.model,
  found: {},
  chosen: {},
  learned: {},
  traits: {},
  present: true,
});

/** Those whose name has every word of `typed` in it. */
export function matching(models: ModelSummary[], typed: string): ModelSummary[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return models.filter(({ id }) => words.every((word) => id.toLowerCase().includes(word)));
}
