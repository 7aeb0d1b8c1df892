import type { Plugin } from 'vite';

/** Builds with every text of the catalogue in marks, so that a page shows what is not from there. */
export const markedLocale: Plugin = {
  name: 'marked-locale',
  enforce: 'pre',
  transform(code, id) {
    if (!/\/locales\/en\/\w+\.json$/.test(id)) return null;
    return JSON.stringify(
      JSON.parse(code, (_, value: unknown) => (typeof value === 'string' ? `⟦${value}⟧` : value)),
    );
  },
};

/** Runs in the page. @returns what a user reads there that has no marks around it, word for word */
export function unmarked(): string[] {
  const outside = (text: string): string => {
    let depth = 0;
    // After an element in its midst the text goes on.
    return [...text.replace(/^[^⟦]*⟧/u, '')]
      .filter((letter) => {
        if (letter === '⟦') depth++;
        const isOutside = depth === 0;
        if (letter === '⟧') depth--;
        return isOutside;
      })
      .join('');
  };
  /** What others wrote, whatever it is, and times, which are the browser's. */
  const material = 'time, .prose, pre, code, kbd, .json-tree, textarea, math, .result-table';
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
