import * as dom from '../dom/dom.ts';
import { describe } from '../dom/marks.ts';
import type { ActArgs } from './act-args.ts';
import { type Done, OFF_SCREEN } from './done.ts';

export function scroll(element: Element, { direction, amount }: ActArgs, isNamed: boolean): Done {
  if (isNamed && !direction) {
    Element.prototype.scrollIntoView.call(element, { block: 'center', behavior: 'instant' });
    return { did: `Scrolled to ${describe(element)}.`, why: OFF_SCREEN };
  }
  const root = document.scrollingElement ?? document.documentElement;
  const box = (isNamed && scrollerOf(element)) || root;
  const isAcross = direction === 'left' || direction === 'right';
  const page = (isAcross ? box.clientWidth : box.clientHeight) * 0.8;
  const way = (amount ?? page) * (direction === 'up' || direction === 'left' ? -1 : 1);
  const placeOf = (): number => Math.round(isAcross ? box.scrollLeft : box.scrollTop);
  const before = placeOf();
  box.scrollBy({ [isAcross ? 'left' : 'top']: way, behavior: 'instant' });
  // It comes with the next frame, of which there is none in a tab that is behind.
  if (document.hidden && placeOf() !== before)
    (box === root ? document : box).dispatchEvent(new Event('scroll', { bubbles: box === root }));
  const most = isAcross ? box.scrollWidth - box.clientWidth : box.scrollHeight - box.clientHeight;
  const told = `Scrolled from ${before} to ${placeOf()} of ${most} pixels.`;
  return placeOf() === before
    ? { did: `It did not scroll: it is at ${before} of ${most} pixels.`, isError: true }
    : { did: told, why: OFF_SCREEN };
}

function scrollerOf(element: Element): Element | undefined {
  for (let at: Element | null = element; at; at = dom.elementAround(at)) {
    const { overflowX, overflowY } = getComputedStyle(at);
    const isScroller = /auto|scroll/.test(overflowX + overflowY);
    if (isScroller && (at.scrollHeight > at.clientHeight || at.scrollWidth > at.clientWidth)) return at;
  }
  return undefined;
}
