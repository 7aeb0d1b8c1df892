import * as dom from './dom.ts';

type Box = { left: number; top: number; width: number; height: number };

/** The picture that an area of an image map lies on (https://html.spec.whatwg.org/#image-maps). */
export function pictureOf(area: Element): Element | undefined {
  if (dom.localName(area) !== 'area') return undefined;
  const map = Element.prototype.closest.call(area, 'map');
  const name = map && dom.attribute(map, 'name');
  return name ? dom.select(dom.treeOf(area), `img[usemap="#${CSS.escape(name)}"]`)[0] : undefined;
}

/** Where an element is drawn; of an area the box around its shape. */
export function boxesOf(element: Element): Box[] {
  if (dom.localName(element) !== 'area') return [...Element.prototype.getClientRects.call(element)];
  const picture = pictureOf(element);
  if (!picture) return [];
  const { left, top, width, height } = Element.prototype.getBoundingClientRect.call(picture);
  const at = (dom.attribute(element, 'coords') ?? '').split(',').map(Number);
  const [x = 0, y = 0, radius = 0] = at;
  if (/^circ/i.test(dom.attribute(element, 'shape') ?? ''))
    return [{ left: left + x - radius, top: top + y - radius, width: radius * 2, height: radius * 2 }];
  if (at.length < 4) return [{ left, top, width, height }]; // of the whole picture
  const [across, down] = [0, 1].map((axis) => at.filter((_each, index) => index % 2 === axis));
  const [from, above] = [Math.min(...(across ?? [])), Math.min(...(down ?? []))];
  const [to, below] = [Math.max(...(across ?? [])), Math.max(...(down ?? []))];
  return [{ left: left + from, top: top + above, width: to - from, height: below - above }];
}
