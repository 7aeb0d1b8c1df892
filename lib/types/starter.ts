/** What can be asked of a page or a selection without typing: in a new chat, under `/`, and in the context menu. */
export const STARTERS = [
  'summarise',
  'keyPoints',
  'explain',
  'translate',
  'rewrite',
  'draftReply',
  'extractTable',
] as const;

export type StarterId = (typeof STARTERS)[number];

/** Which of them a new chat offers, and the box over a page, the most useful first. */
export const STARTERS_OF = {
  page: ['summarise', 'keyPoints', 'draftReply', 'extractTable', 'translate'],
  box: ['explain', 'translate', 'summarise'],
  selection: ['explain', 'translate', 'rewrite', 'summarise', 'draftReply'],
} as const satisfies Record<string, StarterId[]>;

/** What the user made of one: another text, or nothing that is offered. */
export type StarterChoice = { text?: string; isOff?: true };

/** Characters of its text. */
export const LONGEST_STARTER = 2000;

/** The page in front. `title` and `url` as far as the browser tells them; without access a selection is not known of. */
export type FrontPage = {
  tabId: number;
  title?: string;
  url?: string;
  hasSelection: boolean;
  hasTranscript?: boolean;
};
