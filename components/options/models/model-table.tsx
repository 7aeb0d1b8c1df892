import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { modelGroups } from '../../../lib/state/composer/choice.ts';
import type { Provider } from '../../../lib/types/provider.ts';
import { FIRST, matching, modelsOf } from './model-list.ts';
import { ModelRow } from './model-row.tsx';
import { useSetup } from '../options-context.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { t } from '../../../locales/texts/settings.ts';

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
            <span class="sr">{t(($) => $.modelTable.edit)}</span>
          </th>
        </tr>
      </thead>
    </>
  );
}
