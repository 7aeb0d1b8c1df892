import { copyFormulas } from './formula-copy.ts';
import { addTo, drawn, watchWidth, type Ink, type Shared } from './ink.ts';
import type { MathToken } from './lexer.ts';
import { sanitiseFormula } from './sanitise.ts';
import type { View } from './sequence.ts';
import { t } from '../../locales/texts/panel.ts';

type Typeset = (tex: string, display: boolean) => DocumentFragment;

let typeset: Typeset | undefined;
let loading: Promise<Typeset> | undefined;
/** An open paragraph is drawn again and again; its formulas are not. */
const known = new Map<string, DocumentFragment>();
const MOST_KNOWN = 200;

/** A formula in lines of its own. */
export function formulaView(place: Element, shared: Shared): View<MathToken> {
  const box = addTo(place, 'div', 'formula');
  box.role = 'group';
  box.ariaLabel = t(($) => $.markdown.formula);
  return {
    elements: [box],
    leaf: () => box,
    draw: (token) => {
      box.replaceChildren(...drawn(shared, true, (into, ink) => drawFormula(token, into, ink)));
      if (box.firstElementChild) watchWidth(box.firstElementChild);
    },
  };
}

/**
 * A formula as MathML, which every browser that we run in draws by itself: no fonts, and no inline styles, which our
 * content security policy forbids. Shown as it was written until KaTeX is there.
 */
export function drawFormula({ tex, display, raw }: Omit<MathToken, 'type'>, into: Element, ink: Ink): void {
  const slot = document.createElement('span');
  slot.textContent = raw;
  into.append(slot);
  ink.after.push(() => {
    slot.className = 'math';
    slot.title = tex;
    const show = (set: Typeset): void => {
      try {
        slot.replaceChildren(set(tex, display), written(raw));
      } catch (error) {
        console.info('A formula stays as it was written.', error); // such as one that is too deep for KaTeX's own recursion
      }
    };
    if (typeset) show(typeset);
    // A chunk that cannot be loaded leaves the formula as it was written.
    else void loadTypeset().then(show, () => undefined);
  });
}

function written(raw: string): Element {
  const tex = document.createElement('span');
  tex.className = 'tex';
  tex.textContent = raw;
  return tex;
}

function loadTypeset(): Promise<Typeset> {
  loading ??= import('katex').then(({ default: katex }) => {
    document.addEventListener('copy', copyFormulas);
    typeset = (tex, display) => {
      if (DEFINES.test(tex)) throw new Error('It defines commands.');
      const key = `${display}${tex}`;
      const fragment = known.get(key) ?? sanitiseFormula(katex.renderToString(tex, options(display)));
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(key, fragment);
      return fragment.cloneNode(true) as DocumentFragment;
    };
    return typeset;
  });
  return loading;
}

/** What defines commands: with them a few kilobytes would draw millions of elements, however few of them are expanded. */
const DEFINES = /\\(?:[gex]?def|let|futurelet|(?:re)?newcommand|providecommand)(?![A-Za-z@])/;

const options = (displayMode: boolean) =>
  ({
    displayMode,
    output: 'mathml',
    throwOnError: false,
    strict: 'ignore',
    trust: false,
    maxSize: 20,
    maxExpand: 200,
  }) as const;
