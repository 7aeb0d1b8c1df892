import { Pencil } from 'lucide';
import type { ComponentChildren, JSX } from 'preact';
import { Icon } from '../../ui/icon.tsx';
import { ConfirmRemove } from './confirm-remove.tsx';
import type { ItemPageName } from './item-form.tsx';
import { SetByOrganisation } from './managed.tsx';
import { Problem } from './problem.tsx';
import { go } from '../route.ts';
import { useAction } from './use-action.ts';
import { t } from '../../../locales/texts/settings.ts';

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
