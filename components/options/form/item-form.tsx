import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../../locales/texts/settings.ts';
import { Crumb, PageHead } from '../page-head.tsx';
import { go } from '../route.ts';
import { fieldsOf, useFormFocus } from '../../ui/fields.tsx';
import { Problem } from './problem.tsx';
import { SaveFoot } from './save-foot.tsx';
import { useAction } from './use-action.ts';
import { useDraft } from './use-draft.ts';

export type ItemPageName = 'assistants' | 'prompts' | 'schedules' | 'memory' | 'projects';

/** The page of one of `items`, or of a new one: `children` get null then. */
export function ItemPage<Item extends { id: number }>(props: {
  page: ItemPageName;
  items: Item[];
  item: 'add' | number;
  title: (item: Item) => string;
  lead?: string;
  children: (item: Item | null) => ComponentChildren;
}): JSX.Element {
  const { page, items, title, lead, children } = props;
  const item = items.find(({ id }) => id === props.item) ?? null;
  const isAssistant = page === 'assistants';
  return (
    <>
      <Crumb href={isAssistant ? '#models' : `#${page}`}>
        {isAssistant ? t(($) => $.options.models) : t(($) => $[page].title)}
      </Crumb>
      {props.item !== 'add' && !item ? (
        <p class="muted">{t(($) => $[page].gone)}</p>
      ) : (
        <>
          <PageHead title={item ? title(item) : t(($) => $[page].add)} lead={lead} />
          {children(item)}
        </>
      )}
    </>
  );
}

/** What is wrong, by field. */
type Faults<Draft> = Partial<Record<keyof Draft, string>>;

export type Fields<Draft extends object> = {
  draft: Draft;
  set: (change: Partial<Draft>) => void;
  faults: Faults<Draft>;
  field: ReturnType<typeof fieldsOf<Draft>>;
};

/** The form of an item; `children` are its fields. Once it is saved, the page that lists the items is shown. */
export function ItemForm<Draft extends object, Input>(props: {
  page: ItemPageName;
  /** Of the item; undefined adds one. */
  id: number | undefined;
  start: () => Draft;
  /** The draft as `send` takes it, or what is wrong with it. */
  check: (draft: Draft) => { input: Input } | { faults: Faults<Draft> };
  send: (input: Input) => Promise<{ id: number }>;
  /** Of the button that saves. */
  label?: string | undefined;
  /** Its page has more to it: it opens with the focus elsewhere, and is shown once the item is added. */
  isPart?: boolean;
  children: (fields: Fields<Draft>) => ComponentChildren;
}): JSX.Element {
  const { page, id, isPart } = props;
  const { draft, set, forget } = useDraft(`${page}/${id ?? 'add'}`, props.start);
  const [faults, setFaults] = useState<Faults<Draft>>({});
  const form = useFormFocus(faults, !isPart || id === undefined);
  const save = useAction();
  const back = page === 'assistants' ? 'models' : page;
  const submit = (event: Event): void => {
    event.preventDefault();
    save.clear();
    const checked = props.check(draft);
    if ('faults' in checked) return setFaults(checked.faults);
    setFaults({});
    save.run(async (isWanted) => {
      const saved = await props.send(checked.input);
      forget();
      if (isWanted()) await go(back, isPart && id === undefined ? saved.id : undefined);
    });
  };
  return (
    <form class={isPart ? 'form short block' : 'form short'} ref={form} onSubmit={submit} noValidate>
      {props.children({ draft, set, faults, field: fieldsOf({ draft, set, faults }) })}
      {save.error && <Problem error={save.error} />}
      <SaveFoot busy={save.busy} back={`#${back}`} forget={forget} label={props.label} />
    </form>
  );
}
