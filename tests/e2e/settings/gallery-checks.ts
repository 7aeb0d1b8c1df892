import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Frame } from 'playwright-core';
import { CHORDS, sendChord } from '../../../components/ui/keys/chords.ts';
import { withKeys } from '../../../components/ui/keys/key-label.ts';
import { root } from '../../../scripts/paths.ts';
import { LANGUAGES } from '../../../lib/types/languages.ts';
import { unmarked } from '../support/pseudo-locale.ts';

/** WCAG 2.2, A and AA; in the dark only colors are others. */
const runs = {
  light: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  dark: { type: 'rule', values: ['color-contrast'] },
};

/** The message field’s keys move in it (aria-activedescendant); the focus never does. */
const SCROLLED_BY_ARROWS = /^<div class="offers-scroll" role="listbox"/;

/** A chat in the list: a menu that is open may lie over a part of it. */
const UNDER_A_MENU = /^<a class="cut" id="chat-/;

/**
 * A layout to look at. `large`: in the largest text size, which at 320 px is as much as 200 % zoom does to 640 px. `tight`:
 * what 200 % zoom leaves of 400 px, where words may be cut short but nothing may be out of reach. `height`: 800 unless
 * told; in a low panel the answers to a question move together. `language`: English unless told; German has long words,
 * Arabic is written from right to left, and Japanese has no spaces to break at.
 */
export type Fit = {
  width: number;
  height?: number;
  large?: boolean;
  tight?: boolean;
  language?: 'de' | 'ar' | 'ja';
};

export const fits: Fit[] = [
  { width: 480 },
  { width: 400 },
  { width: 320 },
  { width: 320, large: true },
  { width: 200, tight: true },
  { width: 360, height: 445 },
  { width: 320, language: 'de' },
  { width: 320, language: 'ja' },
  { width: 320, language: 'ar' },
];
/** Of the settings, which stand in a tab, half a screen wide too: 320 px is what 400 % zoom leaves of it. */
export const tabFits: Fit[] = [
  { width: 720 },
  ...fits.filter(({ large, tight, height }) => !large && !tight && !height),
];

/** What axe finds in a page that loaded it, in words. */
export async function axeFaults(frame: Frame, theme: keyof typeof runs): Promise<string[]> {
  // Without a copy of all style sheets, which only a rule reads that is not among these.
  const options = { runOnly: runs[theme], resultTypes: ['violations'], elementRef: false, preload: false };
  const { violations }: AxeResults = await frame.evaluate(
    `document.documentElement.dataset.theme = '${theme}'; axe.run(document, ${JSON.stringify(options)})`,
  );
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes
      .filter(({ html }) => !(id === 'scrollable-region-focusable' && SCROLLED_BY_ARROWS.test(html)))
      .filter(({ html }) => !(id === 'target-size' && UNDER_A_MENU.test(html)))
      .map(
        ({ target, any, all }) =>
          `${theme}, ${impact}: ${id}: ${target.join(' ')} ${(any[0] ?? all[0])?.message ?? ''}`,
      ),
  );
}

/** Gives a frame its size in pixels, 800 high unless told. */
export async function resize(frame: Frame, { width, height = 800 }: Fit): Promise<void> {
  await frame.evaluate(`Object.assign(frameElement.style, { width: '${width}px', height: '${height}px' })`);
}

/** Runs in the page: what has the focus, as after a key, with a part of its ring cut off, or with another ring around it. */
export function unevenRings(): string[] {
  const found: string[] = [];
  let rings = 0;
  const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]';
  for (const element of document.querySelectorAll<HTMLElement>(focusable)) {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    element.focus({ focusVisible: true });
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(element);
    if (document.activeElement !== element || outlineStyle === 'none') continue;
    rings += 1;
    const room = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
    const ring = element.getBoundingClientRect();
    for (let each = element.parentElement; each; each = each.parentElement) {
      const { overflowX, overflowY, overflowClipMargin, outlineStyle: around } = getComputedStyle(each);
      const margin = overflowX === 'clip' ? Number.parseFloat(overflowClipMargin) : 0;
      const box = each.getBoundingClientRect();
      const left = ring.left - room - (box.left + each.clientLeft) + Math.abs(each.scrollLeft);
      const top = ring.top - room - (box.top + each.clientTop) + each.scrollTop;
      const [width, height] = [ring.width + 2 * room, ring.height + 2 * room];
      const isCutX =
        overflowX !== 'visible' && (left < -margin - 0.5 || left + width > each.scrollWidth + margin + 0.5);
      const isCutY =
        overflowY !== 'visible' && (top < -margin - 0.5 || top + height > each.scrollHeight + margin + 0.5);
      const fault = around === 'none' ? (isCutX || isCutY) && 'ring cut' : 'two rings';
      if (fault)
        found.push(
          `${fault}: <${element.localName} class="${element.className}"> in <${each.localName} class="${each.className}">`,
        );
      // What scrolls is scrolled to it.
      if (each.scrollHeight > each.clientHeight && /auto|scroll/.test(overflowY)) break;
    }
  }
  if (rings === 0) found.push('nothing shows that it has the focus');
  return [...new Set(found)];
}

/** Runs in the page: what moves or blinks and goes on by itself, and what would do so within the page's own work. */
export function moving(): string[] {
  if (document.querySelector('svg.spin')) return ['an SVG spins'];
  return document
    .getAnimations()
    .filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().duration !== 0)
    .map((each) => `${each instanceof CSSAnimation ? each.animationName : each.id} moves`);
}

/** Buttons that do what the keyboard help has a key for, by name: its end in their tooltips. */
export const keysOfButtons: [name: string, keys: string][] = Object.entries({
  '^New chat$': CHORDS.newChat,
  '^History': CHORDS.history,
  '^Keyboard shortcuts$': CHORDS.help,
  '^Attach$': CHORDS.context,
  '^Send$': sendChord(true),
  '^(Close(?! tab)|Cancel)\\b': CHORDS.escape,
}).map(([name, chord]) => [name, withKeys('', chord)]);

/** Runs in the page: buttons that are an icon alone, and say nothing, or nothing of their key, to who points at them. */
export function withoutTooltip(keys: typeof keysOfButtons): string[] {
  const alone = [...document.querySelectorAll('button')].filter(
    ({ classList, textContent }) => classList.contains('icon-btn') || textContent.trim() === '',
  );
  return alone.flatMap((button) => {
    const [name = '', title = ''] = ['aria-label', 'title'].map((attribute) =>
      button.getAttribute(attribute)?.replaceAll(/[⟦⟧]/gu, ''),
    );
    if (title === '') return [`no tooltip: ${name}`];
    const key = keys.find(([pattern]) => new RegExp(pattern, 'u').test(name))?.[1];
    return key === undefined || title.endsWith(key) ? [] : [`no key${key} in the tooltip: ${title}`];
  });
}

declare const speakIn: (language: string) => Promise<void>;

/**
 * Runs in the frame: what reaches out of it sideways, and words that are cut off without a sign of it, in each of the
 * layouts. The text is English and of its usual size afterwards.
 */
export async function layoutFaults(layouts: Fit[]): Promise<string[]> {
  const html = document.documentElement;
  /** What is as wide as it is, and may be scrolled by keys; lists of links that lie in one line. */
  const scrolls = 'pre, .prose .table, math, .json-tree, .result-table, .nav, .tabs';
  /** What shows a host, whose end says whose it is. */
  const whole = '.open-page';
  /** Out of sight on purpose, and read aloud. */
  const unseen = '.sr, .word, .tool-what, .written, svg, [inert]';
  /** Whether what it lies in says by itself that there is more. */
  const isWithin = (element: Element | null): boolean =>
    element?.closest(scrolls) != null ||
    [...ancestors(element)].some((each) => getComputedStyle(each).textOverflow !== 'clip');
  function* ancestors(element: Element | null): Generator<Element> {
    for (let each = element; each; each = each.parentElement) yield each;
  }
  function* faults({ tight }: Fit): Generator<string> {
    const tell = (what: string, { localName, className, textContent }: Element): string =>
      `${what}: <${localName} class="${className}"> ${textContent?.slice(0, 40)}`;
    if (html.scrollWidth > innerWidth) yield 'the page scrolls sideways';
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      const { left, right, width } = element.getBoundingClientRect();
      const isOut = width > 0 && (left < -1 || right > innerWidth + 1);
      const question = element.matches('.btn') && element.closest('.ask');
      // What nearly all of them are is found out first: what comes then takes ten times as long.
      if (!isOut && !question && element.scrollWidth <= element.clientWidth + 1) continue;
      if (element.closest(unseen) || !element.checkVisibility({ opacityProperty: true })) continue;
      const { overflowX, textOverflow } = getComputedStyle(element);
      const cuts = overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1;
      const isField = element.matches('input, textarea, select');
      const mayCut = textOverflow === 'ellipsis' && !element.closest(whole);
      if (!tight && cuts && !mayCut && !isField && !element.closest(scrolls)) yield tell('is cut', element);
      if (isOut && !isWithin(element.parentElement)) yield tell('reaches out', element);
      if (question && left < question.getBoundingClientRect().left + 4)
        yield tell('sticks to the border', element);
    }
  }
  const found: string[] = [];
  let spoken = 'en';
  for (const fit of layouts) {
    const { width, height = 800, language = 'en' } = fit;
    Object.assign((frameElement as HTMLElement).style, { width: `${width}px`, height: `${height}px` });
    if (fit.large) html.dataset['textSize'] = 'larger';
    else delete html.dataset['textSize'];
    if (language !== spoken) {
      await speakIn(language);
      // Effects come with the next frame. A size needs none: what is measured is laid out anew.
      await new Promise(requestAnimationFrame);
      spoken = language;
    }
    found.push(...[...faults(fit)].slice(0, 5).map((fault) => `${JSON.stringify(fit)}: ${fault}`));
  }
  await speakIn('en');
  return found;
}

const names = [
  'lib/gguf/open-models.ts',
  'lib/provider-presets.ts',
  'lib/server-presets.ts',
  'lib/types/sync.ts',
  'components/markdown/languages.ts',
].map((path) => join(root, path));

/** Every word of what the gallery’s states are made of, and of the names of programs and languages. */
export async function wordsOfData(): Promise<ReadonlySet<string>> {
  const gallery = join(root, 'entrypoints/gallery');
  const states = (await readdir(gallery)).map((file) => join(gallery, file));
  const texts = await Promise.all([...states, ...names].map((path) => readFile(path, 'utf8')));
  return new Set([TIMES, ...texts].flatMap((text) => text.replaceAll('\\n', ' ').match(WORD) ?? []));
}

/** What the browser itself calls times and days, in the language that it has. */
const TIMES = 'AM PM Mon Tue Wed Thu Fri Sat Sun Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec';

const WORD = /[\p{L}\p{N}]+/gu;

const languages = new Set<string>(Object.values(LANGUAGES));

/** What the page says that is neither in locales/ nor data. */
export async function foreignWords(frame: Frame, data: ReadonlySet<string>): Promise<string[]> {
  const found = await frame.evaluate(unmarked);
  return found
    .filter((text) => (text.match(WORD) ?? []).some((word) => /\p{L}{2}/u.test(word) && !data.has(word)))
    .filter((text) => !languages.has(text))
    .map((text) => `not in locales/: ${text}`);
}
