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

/** A `clip-path` that cuts away all: a circle of no radius, an inset from both sides, a polygon of no width. */
export function isClippedAway(clipPath: string): boolean {
  const [, shape = '', all = ''] = /^(\w+)\((.*)\)/.exec(clipPath) ?? [];
  const [inside = ''] = all.split(/(?:^| )(?:at|round) /);
  if (shape === 'circle' || shape === 'ellipse') return /(?:^| )0(?:px|%)?(?: |$)/.test(inside);
  if (shape === 'polygon') {
    const points = inside
      .replace(/^\w+, /, '')
      .split(',')
      .map(numbersIn);
    return [0, 1].some((axis) => points.every((point) => point[axis] === points[0]?.[axis]));
  }
  if (shape !== 'inset') return false;
  const sides = inside.split(' ').map((side) => (side.endsWith('%') ? Number.parseFloat(side) : 0));
  const [top = 0, right = top, bottom = top, left = right] = sides;
  return top + bottom >= 100 || left + right >= 100;
}

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
