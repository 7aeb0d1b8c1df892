import { parseHTML } from 'linkedom';
import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.resetModules();
});

it('an element that is acted on is outlined where it lies, wherever it goes, for a moment, in a tree that is closed to the page', async () => {
  const { document, Document, Element, Node } = parseHTML('<html><body><button>Save</button></body></html>');
  for (const [name, value] of Object.entries({ document, Document, Element, Node }))
    vi.stubGlobal(name, value);
  const frames: (() => void)[] = [];
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => frames.push(draw));
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  let left = 20;
  Element.prototype.getBoundingClientRect = () => ({ left, top: 30, width: 80, height: 24 }) as DOMRect;
  vi.spyOn(console, 'debug').mockReturnValue();
  const attach = vi.spyOn(Element.prototype, 'attachShadow');
  const { isSight, outline } = await import('../../../../lib/tools/page/actions/sight.ts');
  const button = document.querySelector('button') as unknown as Element;
  const drawn = () => {
    const [root] = attach.mock.results;
    const line = (root?.value as ShadowRoot | undefined)?.querySelector<HTMLElement>('.outline');
    return line && ['left', 'top', 'width', 'height'].map((side) => line.style.getPropertyValue(side));
  };
  const draw = (at: number): void => {
    now = at;
    for (const each of frames.splice(0)) each();
  };

  outline(button as never);
  expect(attach.mock.calls).toEqual([[{ mode: 'closed' }]]);
  expect(drawn()).toEqual(['17px', '27px', '86px', '30px']);
  const [host] = attach.mock.contexts as unknown as HTMLElement[];
  expect([host && isSight(host as never), document.body.querySelectorAll('*').length]).toEqual([true, 1]);
  left = 50;
  draw(1_000);
  expect(drawn()?.[0]).toBe('47px');
  draw(1_600);
  expect([drawn(), host?.isConnected, frames]).toEqual([null, false, []]);
});
