import type { Settings } from './settings.ts';

/** What the worker gives the box for a question over a page to show, in the user's language. */
export type AskBox = {
  /** Of the intent that it becomes. */
  id: string;
  /** What is asked about: the selection, or the title of the page. */
  quote: string;
  starters: { name: string; text: string }[];
  words: {
    title: string;
    question: string;
    starters: string;
    ask: string;
    close: string;
    noPanel: string;
    failed: string;
  };
  language: string;
  direction: 'ltr' | 'rtl';
} & Pick<Settings, 'theme' | 'enterSends'>;

/** What a box tells the worker; `text` null: it was closed. */
export type BoxSaid = { id: string; text: string | null };

/** What the worker answers: whether the panel is open. */
export type BoxAnswer = { isOpen: boolean };

export const ASK_PORT = 'ask';

/** Characters of a question. */
export const LONGEST_QUESTION = 20_000;
