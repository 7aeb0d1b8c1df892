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
    mark: '(branch)',
  },
  entry: {
    /** The browser puts the selected text in the place of %s. */
    askSelection: 'Ask Portside about “%s”',
    aboutSelection: (text: string): string => `Explain this text from the page I am looking at:\n\n“${text}”`,
  },
};
