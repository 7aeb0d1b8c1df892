import { h } from 'preact';
import { afterEach, describe, expect, it } from 'vitest';
import { ranFor } from '../../components/chat/calls/tool-call.tsx';
import { Result } from '../../components/chat/calls/result.tsx';
import { answerUsage, usageWords } from '../../lib/state/chat/usage.ts';
import { placeholder } from '../../components/composer/composer.tsx';
import { groupsOf } from '../../components/history/groups.ts';
import { routeOf } from '../../components/options/route.ts';
import { clampNumber } from '../../components/options/form/setting-rows.tsx';
import { phrases } from '../../locales/phrases.ts';
import { newCall } from '../../lib/types/tools/tool-call.ts';
import type { ContentBlock } from '../../lib/types/tools/tool-result.ts';
import { drawn } from '../fakes/drawn.ts';
import { assistant, conversation } from '../state/fake-worker.ts';
import panel from '../../locales/ar/panel.json' with { type: 'json' };
import shared from '../../locales/ar/shared.json' with { type: 'json' };
import { t } from '../../locales/texts/panel.ts';
import { speak } from '../../locales/translate.ts';
import { units } from '../../locales/units.ts';

describe('durations', () => {
  it.each([
    [110, '0.1 s'],
    [1234, '1.2 s'],
    [30_000, '30 s'],
    [59_700, '1 min 0 s'],
    [72_000, '1 min 12 s'],
  ])('%i ms reads %s', (ms, words) => expect(units.duration(ms)).toBe(words));

  const call = newCall(assistant(2), 0, { name: 'echo', arguments: '' });

  it('are shown of calls that ran, however shortly, and of no other', () => {
    expect(ranFor({ ...call, status: 'denied', durationMs: 0 })).toBeNull();
    expect(ranFor({ ...call, status: 'error' })).toBeNull();
    expect(ranFor({ ...call, status: 'success', durationMs: 0, startedAt: conversation.createdAt })).toBe(
      '0.1 s',
    );
    expect(ranFor({ ...call, status: 'success', durationMs: 1234 })).toBe('1.2 s');
  });
});

describe('what an answer took', () => {
  afterEach(() => speak('en', {}));

  it.each<[string, string]>([
    ['en', '\u2068qwen3:14b\u2069 · 21.4k in, 612 out · first token 0.8 s'],
    [
      'ar',
      '\u2068qwen3:14b\u2069 · \u206821.4k\u2069 إدخال، \u2068612\u2069 إخراج · أول رمز بعد \u20680.8 ث\u2069',
    ],
  ])('keeps names and figures whole in %s', (language, words) => {
    if (language === 'ar') speak('ar', { panel, shared });
    const usage = { model: 'qwen3:14b', inputTokens: 21_400, outputTokens: 612, firstTokenMs: 800 };
    expect(answerUsage(usage).replaceAll('\u00a0', ' ')).toBe(words);
  });
});

describe('amounts', () => {
  it.each([
    [612, '612'],
    [9700, '9.7k'],
    [17_800, '17.8k'],
    [22_012, '22k'],
    [214_000, '214k'],
    [999_990, '1M'],
    [1_250_000, '1.3M'],
  ])('%i tokens read %s', (count, words) => expect(units.amount(count)).toBe(words));

  it.each([
    [32_768, '32k'],
    [131_072, '128k'],
    [200_000, '200k'],
    [1_048_576, '1M'],
  ])('a context of %i reads %s', (tokens, words) => expect(units.window(tokens)).toBe(words));

  it.each([
    [0.07, '$0.07'],
    [12.345, '$12.35'],
    [0.0004, '<$0.01'],
  ])('%d dollars read %s', (dollars, words) => expect(units.money(dollars)).toBe(words));

  it('that a chat took so far are told with what was read from the cache, and what it cost', () => {
    const total = { inputTokens: 21_400, outputTokens: 612 };
    expect(usageWords(total)).toBe('21.4k in, 612 out');
    expect(usageWords({ ...total, cachedTokens: 18_000, cost: 0.07 })).toBe(
      '21.4k in, 612 out, 18k cached, $0.07',
    );
  });

  it('of an unknown model say nothing', () => {
    expect(phrases.traits({})).toBe('');
    expect(phrases.traits({ chat: false, tools: true })).toBe('not a chat model');
    expect(phrases.traits({ tools: false, vision: true, contextWindow: 8192 })).toBe('no tools, vision, 8k');
    expect(phrases.proposed('m', {})).toBe('');
    expect(phrases.proposed('m', { tools: true, contextWindow: 8192 })).toBe('m supports tools, 8k context.');
  });
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

  it('has a project’s chats under its name, also where there are none', () => {
    const chats = [on('today', 2026, 10, 21), { ...on('boat', 2025, 9, 1), project: 'k' }];
    const projects = ['k', 'empty'].map((key) => ({ key, name: `Project ${key}` }));
    const groups = groupsOf(chats, new Date(2026, 10, 21, 12), projects);
    expect(groups.map((group) => [group.title, group.conversations.map(({ title }) => title)])).toEqual([
      ['Project k', ['boat']],
      ['Project empty', []],
      ['Today', ['today']],
    ]);
  });

  it('has a schedule’s chats under its latest name, but for those that are pinned', () => {
    const by = (name: string, title: string) => ({ ...on(title, 2026, 10, 21), schedule: { id: 1, name } });
    const groups = groupsOf(
      [
        on('today', 2026, 10, 21),
        { ...by('News', 'b'), updatedAt: new Date(2026, 10, 21, 12).toISOString() },
        by('Old news', 'a'),
        { ...by('News', 'kept'), pinnedAt: new Date(2026, 10, 21).toISOString() },
      ],
      new Date(2026, 10, 21, 13),
    );
    expect(groups.map((group) => [group.title, group.conversations.map(({ title }) => title)])).toEqual([
      ['Pinned', ['kept']],
      ['News', ['b', 'a']],
      ['Today', ['today']],
    ]);
  });
});

describe('what is shown', () => {
  it('hides nothing of a result: its text, its links and its resources', () => {
    const hostile = 'a\u202Eb';
    const blocks: ContentBlock[] = [
      { type: 'resource_link', uri: `x:${hostile}`, name: hostile },
      { type: 'resource', resource: { uri: hostile } },
      { type: 'resource', resource: { uri: '', text: hostile } },
      { type: 'unknown', value: { is: hostile } },
    ];
    const shown = drawn(h(Result, { result: { text: hostile, isError: false, blocks } }));
    expect(shown.split('a\\u202eb').length).toBeGreaterThan(6);
    expect(shown).not.toContain('\u202E');
  });

  it('says when a result is longer than what is shown', () => {
    const words = (omitted?: number): string =>
      drawn(h(Result, { result: { text: 'cut', isError: false, ...(omitted && { omitted }) } }));
    expect(words(1_234_567)).toContain('1,234,567 more characters are stored but not shown here.');
    expect(words()).not.toContain('more characters');
  });

  it('says how much of a waiting call’s arguments is not shown', () => {
    expect(t(($) => $.approval.omitted, { characters: 1_234_567 })).toMatch(
      /^1,234,567 more characters are not shown/,
    );
  });

  it('counts the servers in the words of the contract', () => {
    expect(t(($) => $.panel.servers, { connected: 0, failed: 0 })).toBe('Servers: 0 connected');
    expect(t(($) => $.panel.servers, { connected: 2, failed: 1 })).toBe('Servers: 2 connected, 1 error');
  });

  it('does not claim to know why a server was left out', () => {
    expect(t(($) => $.notice.missing, { servers: units.commas(['Notes', 'Search']) })).toBe(
      'Continued without Notes, Search: not connected.',
    );
  });

  it('promises of a message no more than what happens to it', () => {
    expect(placeholder({ noModel: true, live: false })).toBe('Type your question, then choose a model');
    expect(placeholder({ noModel: false, live: false })).toBe('Ask, / for prompts, @ for context');
    expect(placeholder({ noModel: false, live: true })).toBe('Add another message');
  });

  it('finds the page that an address names', () => {
    expect(routeOf('#models/add')).toEqual({ page: 'models', item: 'add' });
    expect(routeOf('#servers/3')).toEqual({ page: 'servers', item: 3 });
    expect(routeOf('#nonsense')).toEqual({ page: 'servers', item: null });
  });

  it('keeps the iterations between 1 and 50', () => {
    expect(['0', '7', '99', '', 'x'].map((typed) => clampNumber(typed, 1, 50))).toEqual([
      1,
      7,
      50,
      null,
      null,
    ]);
  });
});
