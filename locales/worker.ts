/** What the service worker itself shows, in the browser's own places. */
export const worker = {
  badge: {
    /** The toolbar button's tooltip: what its number counts. */
    title: (waiting: number): string =>
      waiting === 0
        ? 'Open Portside'
        : `Open Portside: ${waiting} ${waiting === 1 ? 'tool call waits' : 'tool calls wait'} for you`,
  },
  forked: {
    /** Behind the title of a chat that was branched off from another one. */
    mark: (count: number): string => (count === 1 ? '(branch)' : `(branch ${count})`),
    /** That at the end of a title. */
    marked: / \(branch(?: \d+)?\)$/,
  },
  /**
   * Entries of the context menus: what was clicked, and what it asks (locales/questions.ts). The browser puts the selected
   * text in the place of %s.
   */
  menu: {
    'selection-ask': 'Ask Portside about “%s”',
    'selection-explain': 'Explain',
    'selection-summarise': 'Summarise',
    'selection-translate': 'Translate',
    'selection-rewrite': 'Rewrite',
    'page-ask': 'Ask Portside about this page',
    'page-summarise': 'Summarise this page',
    'page-translate': 'Translate this page',
    'link-ask': 'Ask Portside about this link',
    'image-ask': 'Ask Portside about this image',
    'editable-rewrite': 'Rewrite the text in this field',
  },
};
