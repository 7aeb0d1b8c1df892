import { expect, it } from 'vitest';
import { createPanels } from '../../entrypoints/background/panels.ts';
import type { PanelPort } from '../../lib/messaging.ts';
import type { PanelEvent } from '../../lib/protocol/panel.ts';

function page() {
  const got: PanelEvent[] = [];
  const port: PanelPort = { open: true, send: (event) => void got.push(event) };
  return { got, port };
}

const event: PanelEvent = { type: 'conversations_gone', ids: [] };

it('a page gets what it watches: its conversation, the log of its server, and what goes to all', () => {
  const panels = createPanels(() => {});
  const [panel, options, plain] = [page(), page(), page()];
  panels.watch(panel.port, { conversationId: 'c1' });
  panels.watch(options.port, { conversationId: null, logOf: 3 });
  panels.watch(plain.port, { conversationId: null });
  const counts = () => [panel, options, plain].map(({ got }) => got.length);
  panels.send('c1', event);
  panels.send('c2', event);
  expect(counts()).toEqual([1, 0, 0]);
  panels.sendLog(3, event);
  panels.sendLog(4, event);
  expect(counts()).toEqual([1, 1, 0]);
  panels.sendToAll(event);
  expect(counts()).toEqual([2, 2, 1]);
  panels.watch(options.port, { conversationId: null });
  panels.gone(panel.port);
  panels.sendLog(3, event);
  panels.send('c1', event);
  expect(counts()).toEqual([2, 2, 1]);
});

it('a chat is in the window of the panel that shows it, not of a page that has none', () => {
  const panels = createPanels(() => {});
  const [withoutWindow, panel, other] = [page(), page(), page()];
  panels.watch(withoutWindow.port, { conversationId: 'c1' });
  panels.watch(other.port, { conversationId: 'c2', place: { windowId: 8 } });
  expect(panels.windowOf('c1')).toBeUndefined();
  panels.watch(panel.port, { conversationId: 'c1', place: { windowId: 7 } });
  expect([panels.windowOf('c1'), panels.windowOf('c2')]).toEqual([7, 8]);
  panels.watch(panel.port, { conversationId: 'c3', place: { windowId: 7 } });
  expect(panels.windowOf('c1')).toBeUndefined();
});
