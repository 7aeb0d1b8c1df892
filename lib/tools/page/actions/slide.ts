import * as dom from '../dom/dom.ts';
import { comesTo, nextFrame } from './stopping.ts';
import { describe } from '../dom/marks.ts';
import { standsFor } from '../dom/refs.ts';
import { roleOf } from '../dom/roles.ts';
import { type Checked, nothing } from './done.ts';
import { drag } from './dragging.ts';
import { aimAt } from './aim.ts';
import { focusOn } from './focus.ts';
import { pressKey } from './typing.ts';

/** Steps by the keyboard, after which a slider stays where it is. */
const MOST_STEPS = 1_000;
/** Milliseconds for all of them, to each of which a server may have to agree. */
const MOST_MS = 20_000;

/** Steps of 0.1 lead to 0.30000000000000004. */
const isAt = (now: number, wanted: number): boolean => Math.abs(now - wanted) < 1e-9;

export async function slide(element: Element, value: number): Promise<Checked> {
  const what = describe(element);
  const isSlider = /^(slider|spinbutton|scrollbar|separator)$/.test(roleOf(element));
  const number = (name: string, of = element): number => Number(dom.attribute(of, `aria-${name}`) ?? NaN);
  const before = number('valuenow');
  if (!isSlider || Number.isNaN(before)) return nothing(`${what} is no slider that tells its value`);
  await stepTo(element, value, () => number('valuenow'));
  if (number('valuenow') === before && !isAt(before, value)) {
    const track = Element.prototype.getBoundingClientRect.call(dom.elementAround(element) ?? element);
    const start = aimAt(element);
    const part = (value - number('valuemin')) / (number('valuemax') - number('valuemin'));
    if (!('cover' in start) && part >= 0 && part <= 1) {
      const isUpright = dom.attribute(element, 'aria-orientation') === 'vertical';
      const end = isUpright
        ? { x: start.x, y: track.bottom - track.height * part }
        : { x: track.left + track.width * part, y: start.y };
      await drag(element, start, end);
    }
  }
  if (!isAt(number('valuenow'), value)) await nextFrame();
  const told = `${what} is at ${number('valuenow')} now; before: ${before}.`;
  if (!isAt(number('valuenow'), value)) return { did: `It was not taken: ${told}`, isError: true };
  return {
    did: told,
    why: isAt(before, value)
      ? 'it was there already'
      : 'where it stands did, which the page shows nowhere else',
    recheck: () => {
      const is = standsFor(element);
      return is && !isAt(number('valuenow', is), value)
        ? `${what} is at ${number('valuenow', is)}`
        : undefined;
    },
  };
}

/** By the keys of a slider (https://www.w3.org/WAI/ARIA/apg/patterns/slider/), as long as it comes nearer. */
async function stepTo(element: Element, wanted: number, now: () => number): Promise<void> {
  focusOn(element);
  const end = performance.now() + MOST_MS;
  for (let step = 0; step < MOST_STEPS && !isAt(now(), wanted); step += 1) {
    const distance = Math.abs(wanted - now());
    await pressKey(element, wanted > now() ? 'ArrowRight' : 'ArrowLeft');
    for (let look = 0; look < 3 && Math.abs(wanted - now()) === distance; look += 1) await nextFrame();
    if (!(await comesTo(() => Math.abs(wanted - now()) !== distance))) return;
    if (Math.abs(wanted - now()) > distance || performance.now() > end) return;
  }
}
