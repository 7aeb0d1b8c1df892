/** What the first run says of programs on this computer as servers. */
export const firstRun = {
  programs: {
    name: 'Run programs as servers',
    ready: 'The native host is there: add npx, uvx or any other command',
    outdated: 'The native host is there and has to be updated',
    absent: 'Such as npx or uvx: that needs the native host, which is not set up yet',
    looking: 'Looking for the native host',
  },
};
