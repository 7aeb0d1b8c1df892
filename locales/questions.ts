import type { worker } from './worker.ts';

/**
 * What the entries of the context menus ask, of what goes along. One that ends with `ask` is asked only where nothing
 * else is typed.
 */
export const questions: Record<keyof typeof worker.menu, (language: string) => string> = {
  'selection-ask': () => 'What is this about?',
  'selection-explain': () => 'Explain this in simple words.',
  'selection-summarise': () => 'Summarise this.',
  'selection-translate': (language) => `Translate this into ${language}.`,
  'selection-rewrite': () => 'Rewrite this so that it reads better. Answer with the new text alone.',
  'page-ask': () => 'What is this page about?',
  'page-summarise': () => 'Summarise this page.',
  'page-translate': (language) => `Translate this page into ${language}.`,
  'link-ask': () => 'What is behind this link?',
  'image-ask': () => 'What does this picture show?',
  'editable-rewrite': () =>
    'Rewrite what is written in this form field so that it reads better. Answer with the new text alone.',
};
