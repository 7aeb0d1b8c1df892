import { Check, Cpu, Layers, Settings, SlidersHorizontal, type IconNode } from 'lucide';
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { modelLabel, type Choice, type ModelGroup } from '../../../lib/state/composer/choice.ts';
import { Icon } from '../../ui/icon.tsx';
import { MenuOption } from '../menu/menu-option.tsx';
import { entryOf, type ModelEntries } from './model-entries.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { t } from '../../../locales/texts/panel.ts';
import { phrases } from '../../../locales/phrases.ts';

type MenuProps = {
  id: string;
  list: ModelEntries;
  choice: Choice | null;
  choose: (position: number) => void;
};

/** The models by provider. The focus stays in the button or the filter; the list only shows what they have reached. */
export function ModelMenu(props: MenuProps): JSX.Element {
  const { id, list } = props;
  const { groups, query } = list;
  return (
    <div class="menu models">
      {list.many && <Filter id={id} list={list} />}
      <div
        class="options"
        role="listbox"
        id={`${id}-list`}
        aria-label={t(($) => $.composer.model)}
        onMouseDown={(event) => event.preventDefault()}
      >
        {groups.map((group) => (
          <Group key={group.provider.id} group={group} {...props} />
        ))}
        {groups.length === 0 && query !== '' && <p class="menu-group">{t(($) => $.composer.noMatch)}</p>}
        <div class="menu-end">
          {list.hasMore && (
            <Option entry="all" icon={Layers} {...props}>
              {t(($) => $.composer.allModels)}
            </Option>
          )}
          {props.choice && (
            <Option entry="settings" icon={SlidersHorizontal} {...props}>
              {t(($) => $.settings.open)}
            </Option>
          )}
          <Option entry="manage" icon={Settings} {...props}>
            {t(($) => $.composer.manage)}
          </Option>
        </div>
      </div>
    </div>
  );
}

function Group({ group, ...menu }: MenuProps & { group: ModelGroup }): JSX.Element {
  const { provider, models } = group;
  const { choice } = menu;
  const used = (model: string): boolean => choice?.provider.id === provider.id && choice.model === model;
  return (
    <div role="group" aria-label={provider.name}>
      <p class="menu-group" aria-hidden="true">
        {provider.name}
      </p>
      {models.map(({ id, traits }) => (
        <Option key={id} entry={entryOf(provider.id, id)} icon={used(id) ? Check : Cpu} {...menu}>
          <span class="cut" dir="auto">
            {modelLabel(provider, id)}
          </span>
          <span class="sub">{phrases.traits(traits)}</span>
        </Option>
      ))}
    </div>
  );
}

function Option(
  props: MenuProps & { entry: string; icon: IconNode; children: ComponentChildren },
): JSX.Element {
  const { id, list, choose, entry, icon, children } = props;
  const position = list.entries.findIndex((other) => other.id === entry);
  return (
    <MenuOption
      id={id}
      position={position}
      active={list.active}
      point={list.point}
      choose={() => choose(position)}
    >
      <Icon of={icon} />
      {children}
    </MenuOption>
  );
}

function Filter({ id, list }: { id: string; list: ModelEntries }): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <SearchField
      label={t(($) => $.composer.filter)}
      value={list.query}
      set={list.filter}
      field={field}
      aria-controls={`${id}-list`}
      aria-activedescendant={`${id}-${list.active}`}
    />
  );
}
