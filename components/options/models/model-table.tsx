import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { modelGroups } from '../../../lib/state/composer/choice.ts';
import type { Provider } from '../../../lib/types/provider.ts';
import { ModelRow } from './model-row.tsx';
import { useSetup } from '../options-context.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { t } from '../../../locales/texts/settings.ts';
import type { ModelSummary } from '../../../lib/protocol/setup.ts';

/** The models of one provider. Of many the first are shown, and a field to search them all. */
export function ModelTable({ provider }: { provider: Provider }): JSX.Element {
  const setup = useSetup();
  const [typed, setTyped] = useState('');
  const [all, setAll] = useState(false);
  const listed = modelsOf(provider, setup.models);
  const matches = matching(listed, typed);
  const rows = all ? matches : matches.slice(0, FIRST);
  const known = setup.models.some((model) => model.providerId === provider.id);
  const shown = modelGroups(setup).find((group) => group.provider.id === provider.id)?.models;

  return (
    <div class="models">
      {listed.length > FIRST && (
        <SearchField
          label={t(($) => $.modelTable.search, { provider: provider.name })}
          hint={t(($) => $.modelTable.searchHint)}
          value={typed}
          set={setTyped}
        />
      )}
      <table class="grid bare fixed">
        <Head />
        <tbody>
          {rows.map((model) => (
            <ModelRow
              key={model.id}
              provider={provider}
              model={model}
              shown={shown?.some(({ id }) => id === model.id) ?? false}
            />
          ))}
        </tbody>
      </table>
      {!known && <p class="note">{t(($) => $.modelTable.none)}</p>}
      {matches.length === 0 && <p class="note">{t(($) => $.modelTable.noMatch)}</p>}
      {matches.length > FIRST && (
        <p class="note">
          <button class="btn quiet s" aria-expanded={all} onClick={() => setAll(!all)}>
            {all
              ? t(($) => $.modelTable.showFewer)
              : t(($) => $.modelTable.showAll, { count: matches.length })}
          </button>
        </p>
      )}
    </div>
  );
}

function Head(): JSX.Element {
  return (
    <>
      <colgroup>
        <col />
        <col class="can" />
        <col class="context" />
        <col class="price" />
        <col class="show" />
        <col class="edit" />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">{t(($) => $.modelTable.name)}</th>
          <th scope="col">{t(($) => $.modelTable.can)}</th>
          <th scope="col" class="r">
            {t(($) => $.modelTable.context)}
          </th>
          <th scope="col" class="r">
            {t(($) => $.modelTable.price)}
          </th>
          <th scope="col" class="r">
            {t(($) => $.modelTable.show)}
          </th>
          <th scope="col">
            <span class="sr">{t(($) => $.options.edit)}</span>
          </th>
        </tr>
      </thead>
    </>
  );
}

/** How many models a table shows before it is asked for all. */
const FIRST = 12;

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
