import { Plus } from 'lucide';
import type { JSX } from 'preact';
import { t } from '../../../locales/texts/settings.ts';
import { Icon } from '../../ui/icon.tsx';
import { PageHead } from '../page-head.tsx';
import { go } from '../route.ts';
import type { ItemPageName } from './item-form.tsx';

/** The head of a page that lists what the user made, with the way to add to it. */
export function ItemsHead({ page }: { page: ItemPageName }): JSX.Element {
  return (
    <PageHead title={t(($) => $[page].title)} lead={t(($) => $[page].lead)}>
      <div class="actions">
        <button class="btn primary" onClick={() => go(page, 'add')}>
          <Icon of={Plus} />
          {t(($) => $[page].add)}
        </button>
      </div>
    </PageHead>
  );
}

/** The rows of such a page. */
export function Items(props: {
  page: Exclude<ItemPageName, 'assistants'>;
  children: JSX.Element[];
}): JSX.Element {
  const { page, children } = props;
  return children.length === 0 ? (
    <p class="blank muted">{t(($) => $[page].empty)}</p>
  ) : (
    <ul class="rows" aria-label={t(($) => $[page].title)}>
      {children}
    </ul>
  );
}
