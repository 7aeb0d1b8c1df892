import { Pencil, Plus } from 'lucide';
import type { ComponentChildren, JSX } from 'preact';
import { t } from '../../../locales/texts/settings.ts';
import { Icon } from '../../ui/icon.tsx';
import { PageHead } from '../page-head.tsx';
import { go } from '../route.ts';
import type { ItemPageName } from './item-form.tsx';
import { ConfirmRemove } from './confirm-remove.tsx';
import { SetByOrganisation } from './managed.tsx';
import { Problem } from './problem.tsx';
import { useAction } from './use-action.ts';

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

/** Something of the user's own in a list: its name, what it is, and the ways to change and remove it. */
export function SavedRow(props: {
  page: ItemPageName;
  id: number;
  name: string;
  /** Is read in place of the name, whole. */
  text?: string;
  /** It is made elsewhere. */
  isFixed?: boolean;
  /** It is the organisation's. */
  isManaged?: boolean | undefined;
  remove: () => Promise<void>;
  /** What else can be done with it. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}): JSX.Element {
  const { page, id, name, text, isFixed = false, children } = props;
  const removal = useAction();
  return (
    <li aria-label={name}>
      <div class="prov">
        <div class="grow">
          <h3 class={text === undefined ? 'cut' : 'note'} dir="auto">
            {text ?? name}
          </h3>
          {children}
        </div>
        <div class="actions tight">
          {props.actions}
          {!isFixed && !props.isManaged && (
            <button
              class="icon-btn"
              aria-label={t(($) => $[page].edit, { name })}
              title={t(($) => $.options.edit)}
              onClick={() => go(page, id)}
            >
              <Icon of={Pencil} />
            </button>
          )}
          {props.isManaged ? (
            <SetByOrganisation />
          ) : (
            <ConfirmRemove
              question={t(($) => $[page].removeQuestion, { name })}
              label={t(($) => $[page].remove, { name })}
              small
              remove={() => removal.run(props.remove)}
            />
          )}
        </div>
      </div>
      {removal.error && (
        <div class="outcome">
          <Problem error={removal.error} />
        </div>
      )}
    </li>
  );
}
