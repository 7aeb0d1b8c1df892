import { parseHTML } from 'linkedom';
import { render } from 'preact';
import { useRef } from 'preact/hooks';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createGuard, decideByKey, useDecision } from '../../components/ui/keys/decisions.ts';

const allow = vi.fn<() => void>();
let root: HTMLElement;
let frame: HTMLElement;
/** What has the focus, as the browser tells it, and milliseconds. */
let active: Element;
let time = 0;

function Card() {
  const card = useRef<HTMLDivElement>(null);
  useDecision(card, { allow, deny: () => undefined });
  return <div ref={card} />;
}

beforeEach(async () => {
  allow.mockClear();
  const { document, window } = parseHTML('<main></main><iframe></iframe>');
  Object.defineProperty(document, 'activeElement', { get: () => active });
  vi.stubGlobal('document', Object.assign(document, { hasFocus: () => true }));
  vi.stubGlobal('window', window);
  vi.spyOn(performance, 'now').mockImplementation(() => time);
  root = document.querySelector('main')!;
  frame = document.querySelector('iframe')!;
  active = root;
  await act(() => render(<Card />, root));
  time += 1000;
});

afterEach(async () => {
  await act(() => render(null, root));
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** How often the card was answered by then. */
const pressed = (): number => {
  decideByKey({ key: 'Enter', ctrlKey: true, metaKey: false, repeat: false } as KeyboardEvent);
  return allow.mock.calls.length;
};

it('a key answers the card, wherever the focus is', () => {
  expect(pressed()).toBe(1);
});

it('a key that an app has let go of answers no card', () => {
  active = frame;
  window.dispatchEvent(new window.Event('blur'));
  time += 1000;
  expect(pressed()).toBe(0); // it comes here though the frame has the focus
  time += 1000;
  active = root;
  expect(pressed()).toBe(0); // the frame is gone
  time += 400;
  expect(pressed()).toBe(0);
  time += 500;
  expect(pressed()).toBe(1);
});

it('a key that is pressed on and on from before answers no card, unless for long', () => {
  const answered = [0, 300, 300, 300, 500].map((later) => {
    time += later - (later === 0 ? 900 : 0);
    return pressed();
  });
  expect(answered).toEqual([0, 0, 0, 0, 1]);
});

it('nor does a press, which the guard of its buttons refuses as long', () => {
  const counts = createGuard();
  const countsAt = (at: number, since: number): boolean => {
    time = at;
    return counts(since);
  };
  expect([100, 300, 620, 940, 1260, 1580].map((at) => countsAt(at, 0))).toEqual([
    ...Array(5).fill(false),
    true,
  ]);
  expect([2100, 2550].map((at) => countsAt(at, 2000))).toEqual([false, false]);
  expect(countsAt(3060, 2000)).toBe(true);
});

it('a press counts by when it was made, however late the page hears of it', () => {
  time = 900;
  Object.defineProperty(window, 'event', { configurable: true, value: { timeStamp: 300 } });
  expect(createGuard()(0)).toBe(false);
  Object.defineProperty(window, 'event', { value: undefined });
  expect(createGuard()(0)).toBe(true);
});
