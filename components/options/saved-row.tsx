import { Pencil } from 'lucide';
import type { ComponentChildren, JSX } from 'preact';
import { en } from '../../locales/en-options.ts';
import { Icon } from '../ui/icon.tsx';
import { ConfirmRemove } from './confirm-remove.tsx';
import { Problem } from './problem.tsx';
import { go } from './route.ts';
import { useAction } from './use-action.ts';

/** Something of the person's own in a list: its name, what it is, and the ways to change and remove it. */
export function SavedRow(props: {
  page: 'assistants' | 'prompts';
  id: number;
  name: string;
  words: Record<'edit' | 'remove' | 'removeQuestion', (name: string) => string>;
  remove: () => Promise<void>;
  children: ComponentChildren;
}): JSX.Element {
  const { page, id, name, words, children } = props;
  const removal = useAction();
  return (
    <li aria-label={name}>
      <div class="prov">
        <div class="grow">
          <h3 class="cut" dir="auto">
            {name}
          </h3>
          {children}
        </div>
        <div class="actions tight">
          <button
            class="icon-btn"
            aria-label={words.edit(name)}
            title={en.options.edit}
            onClick={() => go(page, id)}
          >
            <Icon of={Pencil} />
          </button>
          <ConfirmRemove
            question={words.removeQuestion(name)}
            label={words.remove(name)}
            small
            remove={() => removal.run(props.remove)}
          />
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
