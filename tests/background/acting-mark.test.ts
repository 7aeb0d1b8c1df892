import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createActing } from '../../entrypoints/background/tools/tabs/acting-mark.ts';
import { OWN_CALLS } from '../../lib/protocol/chats.ts';
import type { PageTab } from '../../lib/types/page.ts';

vi.mock('wxt/browser', () => ({ browser: {} }));

const tab: PageTab = { id: 7, windowId: 3, active: true };
const stopped: string[] = [];
let called: string[];
let closed: number;
let acting: ReturnType<typeof createActing>;
const port = () => ({ tabId: 7, close: () => void (closed += 1) });
const pages = {
  call: async (_tab: PageTab, name: string) => (called.push(name), [] as never[]),
};

beforeEach(() => {
  [called, closed] = [[], 0];
  stopped.length = 0;
  acting = createActing({ pages, stop: (id) => stopped.push(id) });
});

describe('the mark of a tab in which runs act', () => {
  it('goes once the last of them ended or waits for the user', async () => {
    await acting.show(tab, 'c1');
    await acting.show(tab, 'c2');
    acting.opened(port());
    acting.runEvent('c1', { type: 'run_end', runId: 'r1', reason: 'done' });
    expect(closed).toBe(0);
    const call = {
      callId: 'm1.0',
      toolName: 'click',
      namespacedName: 'click',
      serverId: -1,
      arguments: '{}',
    };
    acting.runEvent('c2', { type: 'approval_required', wait: 'permission', ...call });
    expect(closed).toBe(1);
  });

  it('stops every run that acts there, and none after that', async () => {
    await acting.show(tab, 'c1');
    await acting.show(tab, 'c2');
    acting.stopped(port());
    expect(stopped).toEqual(['c1', 'c2']);
    acting.runEvent('c1', { type: 'run_end', runId: 'r1', reason: 'cancelled' });
    acting.stopped(port());
    expect(stopped).toEqual(['c1', 'c2', 'c2']);
  });

  it('that comes when its run is over goes at once, as one of a tab where the user tries a tool never comes', async () => {
    acting.opened(port());
    expect(closed).toBe(1);
    await acting.show(tab, OWN_CALLS);
    expect(called).toEqual([]);
  });

  it('is out of sight while the tab is photographed', async () => {
    expect(await acting.unmarked(tab, async () => called.length)).toBe(0);
    await acting.show(tab, 'c1');
    acting.opened(port());
    await acting.unmarked(tab, async () => called.push('photograph'));
    expect(called).toEqual(['showMark', 'hideMark', 'photograph', 'hideMark']);
  });
});
