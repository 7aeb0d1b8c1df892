import { useSignal } from '@preact/signals';
import {
  filterGroups,
  modelGroups,
  type Choice,
  type ModelGroup,
} from '../../../lib/state/composer/choice.ts';
import { openSettings, usePanel } from '../../panel-context.ts';

/** More models than this can be filtered. */
const MANY = 10;

/** What can be chosen in the model picker: models, then where more can be set. */
export type PickerEntry = {
  id: string;
  choose: () => void;
  /** The list stays open. */
  isWithin?: true;
};

export const entryOf = (providerId: number, model: string): string => `${providerId}/${model}`;

const countOf = (groups: ModelGroup[]): number => groups.reduce((sum, { models }) => sum + models.length, 0);

/** The picker's entries, filtered, and which of them is reached. */
export function useModelEntries(choice: Choice | null, openChatSettings: () => void) {
  const panel = usePanel();
  const query = useSignal('');
  const active = useSignal(0);
  const isAll = useSignal(false);
  const offered = modelGroups(panel.setup.value);
  const all = modelGroups(panel.setup.value, true);
  const listed = isAll.value ? all : offered;
  const hasMore = countOf(all) > countOf(listed);
  const showAll = (): void => {
    isAll.value = true;
    active.value = 0;
  };
  const entries = (groups: ModelGroup[]): PickerEntry[] => [
    ...groups.flatMap(({ provider, models }) =>
      models.map(({ id: model }) => ({
        id: entryOf(provider.id, model),
        choose: () => void panel.setChat({ providerId: provider.id, model }),
      })),
    ),
    ...(hasMore ? [{ id: 'all', choose: showAll, isWithin: true as const }] : []),
    ...(choice ? [{ id: 'settings', choose: openChatSettings }] : []),
    { id: 'manage', choose: () => openSettings('models') },
  ];
  const groups = filterGroups(listed, query.value);
  return {
    groups,
    entries: entries(groups),
    /** There are so many that a filter helps. */
    many: countOf(listed) > MANY,
    /** There are others that are not listed yet. */
    hasMore,
    query: query.value,
    filter(next: string): void {
      query.value = next;
      active.value = 0;
    },
    /** The entry that the keys have reached, by position. */
    active: active.value,
    point: (position: number): void => void (active.value = position),
    /** Begins anew, at the model in use. */
    reset(): void {
      const used = choice && entryOf(choice.provider.id, choice.model);
      query.value = '';
      isAll.value = false;
      active.value = Math.max(
        0,
        entries(offered).findIndex(({ id }) => id === used),
      );
    },
  };
}

export type ModelEntries = ReturnType<typeof useModelEntries>;

/** What a key does in the open list; false when it does nothing there. `typing`: in the filter. */
export function listKey(
  { key }: KeyboardEvent,
  typing: boolean,
  list: { active: number; last: number; point: (position: number) => void; choose: () => void },
): boolean {
  if (key === 'ArrowDown') list.point(Math.min(list.last, list.active + 1));
  else if (key === 'ArrowUp') list.point(Math.max(0, list.active - 1));
  else if (key === 'Home' && !typing) list.point(0);
  else if (key === 'End' && !typing) list.point(list.last);
  else if (key === 'Enter' || (key === ' ' && !typing)) list.choose();
  else return false;
  return true;
}
