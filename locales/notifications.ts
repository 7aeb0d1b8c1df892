/** What the browser's notifications say. Arguments and results never stand in one: others may see the screen. */
export const notifications = {
  notification: {
    asksToRun: (tool: string, server: string): string =>
      server === '' ? `Asks to run ${tool}.` : `Asks to run ${tool} of ${server}.`,
    unknown: (tool: string): string =>
      `Nobody knows whether ${tool} was carried out. Run it again, or skip it?`,
    asks: (server: string): string => `${server} asks you something.`,
    empty: 'The answer is ready.',
    limit: 'Stopped at the limit of tool iterations. Continue?',
    stopped: 'Stopped before the answer was whole.',
    untitled: 'Chat',
  },
};
