import { describe, expect, it } from 'vitest';
import { routeOf } from '../../components/options/route.ts';
import {
  withNextPage,
  isLive,
  type Listed,
  withFirstPage,
} from '../../components/options/tool-log/use-tool-log.ts';
import type { LoggedCall } from '../../lib/protocol/tools.ts';
import { dates } from '../../locales/dates.ts';

const call = (id: string, status: LoggedCall['status'] = 'success'): LoggedCall => ({
  callId: id,
  conversationId: 'c1',
  toolName: 'echo',
  serverId: 1,
  serverName: 'Test server',
  status,
  createdAt: '2026-11-01T10:00:00.000Z',
});
const list = (ids: string, hasMore: boolean, status?: LoggedCall['status']): Listed => ({
  calls: [...ids].map((id) => call(id, status)),
  hasMore,
});
const shown = ({ calls, hasMore }: Listed) => [calls.map(({ callId }) => callId).join(''), hasMore];

describe('the listed calls', () => {
  it('get new ones on top, and keep what was loaded behind the first page', () => {
    expect(shown(withFirstPage(list('dcba', true), list('edc', true)))).toEqual(['edcba', true]);
    expect(shown(withFirstPage(list('dcba', false), list('edc', true)))).toEqual(['edcba', false]);
  });

  it('show how calls have gone on', () => {
    const { calls } = withFirstPage(list('ba', true, 'running'), list('b', true, 'error'));
    expect(calls.map(({ status }) => status)).toEqual(['error', 'running']);
  });

  it('begin anew where so many are new that some would be missing', () => {
    expect(shown(withFirstPage(list('cba', true), list('zyx', true)))).toEqual(['zyx', true]);
  });

  it('lose what the log lost', () => {
    expect(shown(withFirstPage(list('dcba', true), list('dc', false)))).toEqual(['dc', false]);
  });

  it('get a page more, none of it twice', () => {
    expect(shown(withNextPage(list('dc', true), list('cba', false)))).toEqual(['dcba', false]);
  });

  it('are followed while one runs, or a chat works or waits', () => {
    const isFollowed = (status: LoggedCall['status']) => isLive([], [call('a', status)]);
    expect((['running', 'approved', 'pending', 'unknown', 'success'] as const).map(isFollowed)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    // One call waits for the user, while another of the same message has yet to begin.
    expect(isLive(['failed', 'waiting'], [call('a', 'pending'), call('b', 'pending')])).toBe(true);
    expect(isLive(['running'], [])).toBe(true);
    expect(isLive(['failed'], [])).toBe(false);
  });

  it('tell the time, and the day if it is another', () => {
    const at = new Date(2026, 10, 14, 19, 42, 8);
    expect(dates.nearSecond(at.toISOString(), new Date(2026, 10, 14, 23, 0))).toBe('19:42:08');
    expect(dates.nearSecond(at.toISOString(), new Date(2026, 10, 15, 1, 0))).toBe('14 Nov, 19:42');
  });
});

describe('the address of', () => {
  it.each([
    ['#tool-log', { page: 'tool-log', item: null }],
    ['#tool-log/3', { page: 'tool-log', item: 3 }],
    ['#tool-log/call/x.0', { page: 'tool-log', item: null, callId: 'x.0' }],
    ['#servers/import', { page: 'servers', item: 'import' }],
  ])('%s names a page', (hash, route) => expect(routeOf(hash)).toEqual(route));
});
