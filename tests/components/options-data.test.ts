import { describe, expect, it } from 'vitest';
import { readExport } from '../../components/options/data/read-export.ts';
import { t } from '../../locales/texts/settings.ts';
import { imported } from '../../components/options/data/import.tsx';
import { units } from '../../locales/units.ts';
import { dates } from '../../locales/dates.ts';

describe('a file to import', () => {
  it('is known by what is in it', () => {
    const settings = '{"portside":1,"mcpServers":{}}';
    expect(readExport(settings)).toEqual({ type: 'settings', text: settings, servers: [] });
  });

  it('is refused when it is another program’s, or no JSON at all', () => {
    const others = ['{"mcpServers":{}}', '{"portside":1}', '[]', 'null', '7', '{"chats":"all"}'];
    expect(others.map((text) => readExport(text).type)).toEqual(others.map(() => 'unknown'));
    expect(['', '{', '# Chat'].map((text) => readExport(text).type)).toEqual(Array(3).fill('not_json'));
  });
});

describe('the words of the page Data', () => {
  it('say amounts as a user does', () => {
    const amounts = [0, 612, 14_200, 999_499, 999_500, 3_249_000, 31_000_000, 2_100_000_000].map(units.bytes);
    expect(amounts).toEqual(['0 B', '612 B', '14 kB', '999 kB', '1 MB', '3.2 MB', '31 MB', '2.1 GB']);
  });

  it('say what came of an import and an erasure', () => {
    const none = { new: 0, updated: 0, known: 0 };
    expect(t(($) => $.data.added, { done: imported({ ...none, new: 12 }), left: 1 })).toBe(
      '12 chats added, 1 left out:',
    );
    expect(t(($) => $.data.added, { done: imported({ ...none, new: 1 }), left: 0 })).toBe('1 chat added.');
    expect(t(($) => $.data.added, { done: imported({ new: 0, updated: 1, known: 3 }), left: 0 })).toBe(
      '0 chats added, 1 updated, 3 already here.',
    );
    expect(t(($) => $.data.stopped, { done: imported({ ...none, new: 3 }) })).toBe(
      'Stopped: 3 chats added. Choose the file again to go on.',
    );
    expect(t(($) => $.data.erased.chats, { number: 1 })).toBe('1 chat erased.');
  });
});

describe('the words of the page Permissions', () => {
  it('say when something was allowed', () => {
    const now = new Date(2026, 10, 22, 20, 0);
    expect(dates.day(new Date(2026, 10, 22, 19, 43).toISOString(), now)).toBe('Today 19:43');
    expect(dates.day(new Date(2026, 10, 18, 9).toISOString(), now)).toBe('18 Nov');
    expect(dates.day(new Date(2025, 10, 18, 9).toISOString(), now)).toBe('18 Nov 2025');
  });

  it('say how often it was used', () => {
    expect([0, 1, 46].map((count) => t(($) => $.permissions.used, { count }))).toEqual([
      'never',
      '1 time',
      '46 times',
    ]);
  });
});
