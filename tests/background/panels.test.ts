import { expect, it } from 'vitest';
import { createPanels, type Subscription } from '../../entrypoints/background/subscribe/panels.ts';
import type { PanelPort } from '../../lib/messaging.ts';
import type { PanelEvent } from '../../lib/protocol/panel.ts';

function page() {
  const got: PanelEvent[] = [];
  const port: PanelPort = { open: true, send: (event) => void got.push(event), refuse: () => {} };
  return { got, port };
}

const event: PanelEvent = {
  type: 'conversations_gone',
  ids: [],
  revision: { epoch: 'e1', number: 1 },
};
const subscribed = (conversationId: string | null, more: Partial<Subscription> = {}): Subscription => ({
  conversationId,
  subscription: 1,
  isAnswered: true,
  ...more,
});

it('a page gets what it subscribed to: the log of its server, and what goes to all', () => {
  const panels = createPanels(() => {});
  const [panel, options, plain] = [page(), page(), page()];
  panels.put(panel.port, subscribed('c1'));
  panels.put(options.port, subscribed('', { logOf: 3 }));
  panels.put(plain.port, subscribed(null));
  const counts = () => [panel, options, plain].map(({ got }) => got.length);
  expect(panels.of('c1').map(([port]) => port)).toEqual([panel.port]);
  expect(panels.of('c2')).toEqual([]);
  panels.sendLog(3, event);
  panels.sendLog(4, event);
  expect(counts()).toEqual([0, 1, 0]);
  panels.sendToAll(event);
  expect(counts()).toEqual([1, 2, 1]);
  panels.put(options.port, subscribed(''));
  panels.gone(panel.port);
  panels.sendLog(3, event);
  expect(counts()).toEqual([1, 2, 1]);
  expect(panels.isShown('c1')).toBe(false);
});

it('a chat is in the window of the panel that shows it, not of a page that has none', () => {
  const panels = createPanels(() => {});
  const [withoutWindow, panel, other] = [page(), page(), page()];
  panels.put(withoutWindow.port, subscribed('c1'));
  panels.put(other.port, subscribed('c2', { place: { windowId: 8 } }));
  expect(panels.windowOf('c1')).toBeUndefined();
  panels.put(panel.port, subscribed('c1', { place: { windowId: 7 } }));
  expect([panels.windowOf('c1'), panels.windowOf('c2')]).toEqual([7, 8]);
  panels.put(panel.port, subscribed('c3', { place: { windowId: 7 } }));
  expect(panels.windowOf('c1')).toBeUndefined();
});

it('a chat that a panel asks in is in its window before it is subscribed to there, and no longer than that', () => {
  const panels = createPanels(() => {});
  const panel = page();
  panels.put(panel.port, subscribed('new', { place: { windowId: 7 } }));
  panels.asks({ windowId: 7 }, 'c1');
  expect(panels.windowOf('c1')).toBe(7);
  panels.put(panel.port, subscribed('c1', { place: { windowId: 7 } }));
  expect(panels.windowOf('c1')).toBe(7);
  panels.put(panel.port, subscribed('c2', { place: { windowId: 7 } }));
  expect(panels.windowOf('c1')).toBeUndefined();
});

it('a chat is in no window any more once the panel that asked in it is closed', () => {
  const panels = createPanels(() => {});
  const panel = page();
  panels.put(panel.port, subscribed('c1', { place: { windowId: 7 } }));
  panels.asks({ windowId: 7 }, 'c1');
  panels.gone(panel.port);
  expect(panels.windowOf('c1')).toBeUndefined();
});
