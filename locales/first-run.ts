/** What the first run says of programs on this computer as servers. */
export const firstRun = {
  programs: {
    name: 'Native host',
    ready: 'Programs such as npx or uvx can be servers',
    outdated: 'It has to be updated before programs can be servers',
    absent: 'Runs programs such as npx or uvx as servers. Not set up yet',
    looking: 'Looking for it on this computer',
  },
};
