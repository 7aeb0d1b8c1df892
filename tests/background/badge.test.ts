import { expect, it, vi } from 'vitest';
import { showWaiting } from '../../entrypoints/background/browser/badge.ts';

const { action } = vi.hoisted(() => ({
  action: {
    setBadgeText: vi.fn(async () => {}),
    setBadgeBackgroundColor: vi.fn(async () => {}),
    setTitle: vi.fn(async () => {}),
  },
}));
vi.mock('wxt/browser', () => ({ browser: { action } }));

it.each([
  [0, '', 'Open Portside'],
  [1, '1', 'Open Portside: 1 tool call is waiting for you'],
  [12, '12', 'Open Portside: 12 tool calls are waiting for you'],
])('the toolbar button says in a number and in words that %i calls wait', (count, text, title) => {
  showWaiting(count);
  expect(action.setBadgeText).toHaveBeenLastCalledWith({ text });
  expect(action.setTitle).toHaveBeenLastCalledWith({ title });
});
