import { FAINTEST } from './colours.ts';

/** Of an element's area; what is shrunk further nobody reads. */
const SMALLEST_SCALE = 0.01;

const numbersIn = (text: string): number[] => (text.match(/-?[\d.]+(?:e-?\d+)?/g) ?? []).map(Number);

/** A `transform` as computed styles write it, `matrix()` or `matrix3d()`, that leaves nothing to see: of no size, or seen edge-on. */
export function isFlat(transform: string): boolean {
  const matrix = numbersIn(transform.slice(transform.indexOf('(')));
  const [a = 1, b = 0, c = 0, d = 1] =
    matrix.length === 16 ? [matrix[0], matrix[1], matrix[4], matrix[5]] : matrix;
  return Math.abs(a * d - b * c) < SMALLEST_SCALE;
}

/** A `scale` or `rotate` of its own that does the same: `0`, `1 0`, `y 90deg`. */
export function isFlatAlone(scale: string, rotate: string): boolean {
  const [x = 1, y = x] = numbersIn(scale);
  return Math.abs(x * y) < SMALLEST_SCALE || /^[xy] -?(?:90|270)deg$/.test(rotate);
}

/** Pixels; nobody reads what is cut to less. */
const SMALLEST_CUT = 2;

/**
 * A `clip-path` that leaves next to nothing: a circle of no radius, an inset from both sides, a polygon of no width.
 * @param box what it cuts, in pixels
 */
export function isClippedAway(clipPath: string, box: { width: number; height: number }): boolean {
  const [, shape = '', all = ''] = /^(\w+)\((.*)\)/.exec(clipPath) ?? [];
  const [inside = ''] = all.split(/(?:^| )(?:at|round) /);
  if (/[a-z]\(/.test(inside)) return false; // calc() and its like
  if (shape === 'circle' || shape === 'ellipse') {
    const [across = NaN, down = across] = lengthsIn(inside, [box.width, box.height]);
    return 2 * Math.min(across, down) < SMALLEST_CUT;
  }
  if (shape === 'polygon') {
    const points = inside
      .replace(/^(?:nonzero|evenodd), /, '')
      .split(',')
      .map((point) => lengthsIn(point, [box.width, box.height]));
    return ([0, 1] as const).some((axis) => {
      const places = points.map((point) => point[axis] ?? NaN);
      return Math.max(...places) - Math.min(...places) < SMALLEST_CUT;
    });
  }
  if (shape !== 'inset') return false;
  const sides = inside.split(' ');
  const [top = '0', right = top, bottom = top, left = right] = sides;
  const cut = (one: string, other: string, of: number): boolean =>
    of - lengthsIn(`${one} ${other}`, [of, of]).reduce((sum, each) => sum + each, 0) < SMALLEST_CUT;
  return cut(top, bottom, box.height) || cut(left, right, box.width);
}

/** `10px 50%` in pixels, of what each is a percentage of; NaN for words such as `closest-side`. */
const lengthsIn = (text: string, of: [number, number]): number[] =>
  (text.trim() === '' ? [] : text.trim().split(' ')).map((each, at) =>
    each.endsWith('%') ? (Number.parseFloat(each) / 100) * (of[at] ?? NaN) : Number.parseFloat(each),
  );

/** A `clip` that leaves a pixel or less: `rect(0px, 0px, 0px, 0px)`. */
export function isCut(clip: string): boolean {
  if (clip.includes('auto')) return false;
  const [top = 0, right = 2, bottom = 2, left = 0] = numbersIn(clip);
  return right - left <= 1 || bottom - top <= 1;
}

/** A `mask-image` of nothing but transparent colours, or a `mask-size` of nothing. */
export function isMaskedAway(image: string, size: string): boolean {
  if (image === 'none') return false;
  const colours = image.match(/rgba?\([^)]*\)/g) ?? [];
  const isKnown = colours.length > 0 && !/url\(|(?:lab|lch|color)\(/.test(image);
  const isClear = isKnown && colours.every((colour) => /^rgba.* 0\)$/.test(colour));
  return isClear || /^0(?:px|%)(?: |$)|^\S+ 0(?:px|%)$/.test(size);
}

/** Pixels; nobody reads what is blurred so much. */
const STRONGEST_BLUR = 20;
/** A `filter` that leaves nothing to read. */
export function isFilteredAway(filter: string): boolean {
  if (filter === 'none') return false;
  const value = (name: string): number =>
    Number(new RegExp(`\\b${name}\\(([^)]+?)(?:px)?\\)`).exec(filter)?.[1] ?? NaN);
  return value('opacity') <= FAINTEST || value('blur') >= STRONGEST_BLUR;
}
