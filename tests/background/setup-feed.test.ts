import { expect, it } from 'vitest';
import { createSetupFeed } from '../../entrypoints/background/subscribe/setup-feed.ts';
import type { PanelPort } from '../../lib/messaging.ts';
import type { Announcement, PanelEvent } from '../../lib/protocol/panel.ts';
import type { Setup } from '../../lib/protocol/setup.ts';
import type { ServerStatus } from '../../lib/types/server.ts';

const epoch = 'e1';
const connected: ServerStatus = { state: 'connected', toolCount: 1 };

function start() {
  const sent: PanelEvent[] = [];
  const told: PanelEvent[] = [];
  const announced: Announcement[] = [];
  const port: PanelPort = { open: true, send: (event) => void told.push(event), refuse: () => {} };
  let reads = 0;
  const feed = createSetupFeed({
    epoch,
    read: async () =>
      ({ servers: [{ id: 1 }], statuses: {}, prompts: [{ id: (reads += 1) }] }) as unknown as Setup,
    status: () => connected,
    send: (event) => void sent.push(event),
    announce: (announcement) => void announced.push(announcement),
  });
  const numbers = () =>
    sent.map((event) => ('revision' in event ? `${event.type} ${event.revision.number}` : ''));
  return { ...feed, sent, told, announced, port, numbers };
}

it('is read when a page first wants it, and then told from memory', async () => {
  const { subscribe, sent, told, port, numbers, changed } = start();
  subscribe(port, undefined);
  await changed();
  expect(numbers()).toEqual(['setup 1', 'setup 2']);
  subscribe(port, undefined);
  expect(told).toEqual([sent[1]]);
  expect(sent[1]).toMatchObject({ setup: { statuses: { 1: connected } } });
});

it('is not told again to a page that has the newest revision of this life', async () => {
  const { subscribe, told, port, changed } = start();
  await changed();
  subscribe(port, { epoch, number: 1 });
  expect(told).toEqual([]);
  subscribe(port, { epoch: 'e0', number: 1 });
  expect(told).toHaveLength(1);
});

it('gets a server’s status alone, as the next revision, which later pages have too', async () => {
  const { subscribe, statusChanged, told, port, sent, numbers, changed, announced } = start();
  await changed();
  const status: ServerStatus = { state: 'connecting', toolCount: 0 };
  statusChanged(1, status);
  expect(numbers()).toEqual(['setup 1', 'server_status 2']);
  expect(sent[1]).toMatchObject({ serverId: 1, status });
  subscribe(port, { epoch, number: 1 });
  expect(told[0]).toMatchObject({ revision: { number: 2 }, setup: { statuses: { 1: status } } });
  expect(announced).toEqual([1, 2].map((number) => ({ topic: 'setup', revision: { epoch, number } })));
});

it('is read once more when it changes while it is read', async () => {
  const { changed, sent } = start();
  await Promise.all([changed(), changed()]);
  expect(sent.at(-1)).toMatchObject({ setup: { prompts: [{ id: 2 }] } });
});
