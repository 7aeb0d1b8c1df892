import { parseHTML } from 'linkedom';
import { afterEach, expect, it, vi } from 'vitest';
import { holdDoubleClicks } from '../../components/ui/keys/double-click.ts';

afterEach(() => vi.unstubAllGlobals());

it('the second click of a double click is kept from what the first one put in its place, later ones are not', () => {
  const { document, Element, Event } = parseHTML('<button id="first"></button><button id="next"></button>');
  vi.stubGlobal('document', document);
  vi.stubGlobal('Element', Element);
  /** @returns whether the click counts */
  const click = (id: string, timeStamp: number): boolean => {
    const event = new Event('click', { bubbles: true, cancelable: true });
    for (const [key, value] of Object.entries({ detail: 1, clientX: 5, clientY: 5, timeStamp }))
      Object.defineProperty(event, key, { value });
    document.getElementById(id)?.dispatchEvent(event);
    return !event.defaultPrevented;
  };
  const undo = holdDoubleClicks();
  expect([click('first', 0), click('first', 100)]).toEqual([true, true]);
  expect([250, 400, 550, 700].map((at) => click('next', at))).toEqual([false, false, true, true]);
  undo();
  expect(click('first', 800)).toBe(true);
});
