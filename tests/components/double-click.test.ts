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
  const undo = holdDoubleClicks(() => () => undefined);
  expect([click('first', 0), click('first', 100)]).toEqual([true, true]);
  expect([250, 400, 650, 800].map((at) => click('next', at))).toEqual([false, false, true, true]);
  undo();
  expect(click('first', 900)).toBe(true);
});

it('a click on a label reaches its control, as which the browser gives it once more', () => {
  const { document, Element, Event } = parseHTML('<label>Tea<input id="tea" type="checkbox"></label>');
  vi.stubGlobal('document', document);
  vi.stubGlobal('Element', Element);
  const label = document.querySelector('label') as unknown as HTMLElement;
  const input = document.querySelector('input') as unknown as HTMLElement;
  Object.defineProperty(label, 'control', { value: input });
  const undo = holdDoubleClicks(() => () => undefined);
  const counts = [label, input].map((target) => {
    const event = new Event('click', { bubbles: true, cancelable: true });
    for (const [key, value] of Object.entries({ detail: 1, clientX: 5, clientY: 5, timeStamp: 0 }))
      Object.defineProperty(event, key, { value });
    target.dispatchEvent(event);
    return !event.defaultPrevented;
  });
  expect(counts).toEqual([true, true]);
  undo();
});

it('where the mouse comes out of nowhere, as a window over this one closed, no card or link is pressed by it at once', () => {
  const { document, Element, Event } = parseHTML(
    '<div class="ask-foot"><button id="allow"></button></div><a id="link" href="https://evil.example"></a><button id="image" class="btn remote-image"></button><div class="unsure"><button id="again" class="again"></button></div><div class="launch"><button id="start"></button></div><button id="other"></button><iframe id="app"></iframe>',
  );
  vi.stubGlobal('document', document);
  vi.stubGlobal('Element', Element);
  const happens = (type: string, id: string, has: object): boolean => {
    const event = new Event(type, { bubbles: true, cancelable: true });
    for (const [key, value] of Object.entries(has)) Object.defineProperty(event, key, { value });
    document.getElementById(id)?.dispatchEvent(event);
    return !event.defaultPrevented;
  };
  const comes = (id: string, timeStamp: number, has: object = {}) =>
    happens('pointerover', id, {
      pointerType: 'mouse',
      relatedTarget: null,
      timeStamp,
      ...has,
    });
  /** @returns whether the click counts */
  const click = (id: string, timeStamp: number, detail = 1) =>
    happens('click', id, { detail, clientX: 5, clientY: 5, timeStamp });
  const undo = holdDoubleClicks(() => () => undefined);
  comes('allow', 0);
  expect(['allow', 'link', 'image', 'again', 'start'].map((id) => click(id, 450))).toEqual(
    Array(5).fill(false),
  );
  expect(click('other', 450)).toBe(true);
  expect(click('allow', 1000)).toBe(true);
  comes('allow', 3000, { pointerType: 'touch' });
  expect(click('allow', 3100)).toBe(true);
  comes('allow', 4000, { relatedTarget: document.getElementById('link') });
  expect(click('allow', 4100)).toBe(true);
  // They press on, as in a page's picker that closed, and a key, which would press what has the focus.
  comes('allow', 5000);
  expect(happens('mousedown', 'allow', { timeStamp: 5300 })).toBe(false);
  expect([click('allow', 5300), click('allow', 5700, 0), click('allow', 6300)]).toEqual([false, false, true]);
  // Or in an app's, which never had the focus.
  comes('allow', 7000, { relatedTarget: document.getElementById('app') });
  expect([click('allow', 7300), click('allow', 7700), click('allow', 8300)]).toEqual([false, false, true]);
  undo();
});

it('once the user turned from another window of the browser, no card or link is pressed in the next moment, wherever, nor by pressing on', () => {
  const { document, Element, Event } = parseHTML(
    '<div class="ask-foot"><button id="allow"></button></div><a id="link" href="https://evil.example"></a><button id="other"></button>',
  );
  vi.stubGlobal('document', document);
  vi.stubGlobal('Element', Element);
  let turn = (): void => undefined;
  let isWatched = true;
  const undo = holdDoubleClicks((turned) => {
    turn = turned;
    return () => void (isWatched = false);
  });
  /** @returns whether the click counts */
  const click = (id: string, timeStamp: number, clientX: number) => {
    const event = new Event('click', { bubbles: true, cancelable: true });
    for (const [key, value] of Object.entries({ detail: 1, clientX, clientY: 5, timeStamp }))
      Object.defineProperty(event, key, { value });
    document.getElementById(id)?.dispatchEvent(event);
    return !event.defaultPrevented;
  };
  const now = vi.spyOn(performance, 'now').mockReturnValue(1000);
  turn();
  now.mockRestore();
  expect([click('allow', 1300, 5), click('link', 1700, 50), click('other', 1800, 90)]).toEqual([
    false,
    false,
    true,
  ]);
  expect([click('allow', 2100, 130), click('allow', 2700, 130)]).toEqual([false, true]);
  undo();
  expect(isWatched).toBe(false);
});
