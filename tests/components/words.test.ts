import { describe, expect, it } from 'vitest';
import { pretty } from '../../components/chat/tool-details.tsx';
import { groupsOf } from '../../components/history/groups.ts';
import { routeOf } from '../../components/options/route.ts';
import { clampIterations } from '../../components/options/general.tsx';
import { en } from '../../locales/en.ts';
import { conversation } from '../state/fake-worker.ts';

describe('durations', () => {
  it.each([
    [110, '0.1 s'],
    [1234, '1.2 s'],
    [30_000, '30 s'],
    [59_700, '1 min 0 s'],
    [72_000, '1 min 12 s'],
  ])('%i ms reads %s', (ms, words) => expect(en.duration(ms)).toBe(words));
});

const on = (title: string, ...date: [number, number, number]) => ({
  ...conversation,
  title,
  updatedAt: new Date(...date, 11).toISOString(),
});

describe('history', () => {
  it('groups chats by the reader’s own days, newest first', () => {
    const now = new Date(2026, 10, 21, 12);
    const groups = groupsOf(
      [
        on('old', 2025, 9, 1),
        on('today', 2026, 10, 21),
        on('week', 2026, 10, 17),
        on('yesterday', 2026, 10, 20),
      ],
      now,
    );
    expect(groups.map((group) => [group.title, group.conversations.map(({ title }) => title)])).toEqual([
      ['Today', ['today']],
      ['Yesterday', ['yesterday']],
      ['Previous 7 days', ['week']],
      ['October 2025', ['old']],
    ]);
  });
});

describe('what is shown', () => {
  it('indents JSON and leaves other text as it is', () => {
    expect(pretty('{"a":1}')).toBe('{\n  "a": 1\n}');
    expect(pretty('{"a":')).toBe('{"a":');
    expect(pretty('42')).toBe('42');
  });

  it('finds the page that an address names', () => {
    expect(routeOf('#models/add')).toEqual({ page: 'models', item: 'add' });
    expect(routeOf('#servers/3')).toEqual({ page: 'servers', item: 3 });
    expect(routeOf('#nonsense')).toEqual({ page: 'servers', item: null });
  });

  it('keeps the iterations between 1 and 50', () => {
    expect(['0', '7', '99', '', 'x'].map(clampIterations)).toEqual([1, 7, 50, null, null]);
  });
});
