import type { Plugin } from 'vite';

/** Builds with every string of locales/ in marks, so that a page shows what is not from there. */
export const markedLocale: Plugin = {
  name: 'marked-locale',
  enforce: 'pre',
  transform(code, id) {
    if (!/\/locales\/(?:en[\w-]*|names|errors\/[\w-]+)\.ts$/.test(id)) return null;
    const names = [...code.matchAll(/^export const (\w+)/gm)].map(([, name]) => name);
    const given = names.map((name) => `const given_${name} = marked(${name});`);
    const exports = names.map((name) => `given_${name} as ${name}`);
    const plain = code.replace(/^export const/gm, 'const');
    return [
      plain,
      `const marked = ${marked.toString()};`,
      ...given,
      `export { ${exports.join(', ')} };`,
    ].join('\n');
  },
};

/** Runs in the page: the same strings, and functions that give strings, each in marks. */
function marked(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? value : `⟦${value}⟧`;
  if (typeof value === 'function') return (...given: unknown[]) => marked(value(...given));
  if (Array.isArray(value)) return value.map(marked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, marked(each)]));
}

/** Runs in the page. @returns what a person reads there that has no marks around it, word for word */
export function unmarked(): string[] {
  const outside = (text: string): string => {
    let depth = 0;
    return [...text]
      .filter((letter) => {
        if (letter === '⟦') depth++;
        const isOutside = depth === 0;
        if (letter === '⟧') depth--;
        return isOutside;
      })
      .join('');
  };
  /** What somebody else wrote, whatever it is. */
  const material = '.prose, pre, code, kbd, .json-tree, textarea, math, .result-table';
  const found: string[] = [];
  for (const element of document.querySelectorAll('#app *')) {
    if (element.closest(material)) continue;
    for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext', 'aria-description']) {
      found.push(outside(element.getAttribute(name) ?? ''));
    }
    for (const node of element.childNodes) if (node instanceof Text) found.push(outside(node.data));
  }
  return found.filter((text) => /\p{L}{2}/u.test(text));
}
