import type { Colour } from './colours.ts';

type Three = [number, number, number];

/**
 * A colour as computed styles write it; null for what is none of these notations: `rgb(0, 0, 0)`, `oklch(0.5 0.1 200)`,
 * `lab(50 0 0 / 0.5)`, `color(srgb 1 1 1)` (https://drafts.csswg.org/css-color-4/#serializing-color-values).
 */
export function fromNotation(colour: string): Colour | null {
  const [, name = '', inside = ''] = /^([a-z]+)\((.*)\)$/.exec(colour) ?? [];
  const space = name === 'color' ? (/^[\w-]+/.exec(inside)?.[0] ?? '') : name;
  const values = inside.slice(name === 'color' ? space.length : 0).match(/none|-?[\d.]+(?:e[-+]?\d+)?%?/g);
  const [first = NaN, second = NaN, third = NaN, alpha = 1] = (values ?? []).map((each) =>
    each === 'none' ? 0 : Number.parseFloat(each) / (each.endsWith('%') ? 100 : 1),
  );
  const convert = Object.hasOwn(spaces, space) ? spaces[space] : undefined;
  const found = convert?.([first, second, third]);
  return !found || found.some(Number.isNaN) ? null : [...found, alpha];
}

const of255 = (values: Three): Three => values.map((each) => clamped(each) * 255) as Three;
const clamped = (value: number): number => Math.min(1, Math.max(0, value));

/** What light of an intensity is in sRGB. */
const encoded = (light: number): number =>
  light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
const ofLight = (values: Three): Three => of255(values.map(encoded) as Three);

/** https://bottosson.github.io/posts/oklab/ */
function ofOklab([lightness, a, b]: Three): Three {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return ofLight([
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]);
}

/** https://drafts.csswg.org/css-color-4/#lab-to-xyz, from a white of D50 to sRGB's own */
function ofLab([lightness, a, b]: Three): Three {
  const y = (lightness + 16) / 116;
  const xyz = [y + a / 500, y, y - b / 200].map((f) => (f > 6 / 29 ? f ** 3 : (f - 16 / 116) / 7.787));
  const [x = 0, middle = 0, z = 0] = xyz;
  const [X, Z] = [x * 0.96422, z * 0.82521];
  return ofLight([
    3.1338561 * X - 1.6168667 * middle - 0.4906146 * Z,
    -0.9787684 * X + 1.9161415 * middle + 0.033454 * Z,
    0.0719453 * X - 0.2289914 * middle + 1.4052427 * Z,
  ]);
}

const polar = ([lightness, chroma, hue]: Three): Three => {
  const angle = (hue * Math.PI) / 180;
  return [lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)];
};

const spaces: Record<string, (values: Three) => Three> = {
  rgb: (values) => values,
  rgba: (values) => values,
  srgb: of255,
  // Nearly so; of each the whitest is white and the blackest black.
  'display-p3': of255,
  'a98-rgb': of255,
  'prophoto-rgb': of255,
  rec2020: of255,
  'srgb-linear': ofLight,
  oklab: ofOklab,
  oklch: (values) => ofOklab(polar(values)),
  lab: ofLab,
  lch: (values) => ofLab(polar(values)),
};
