/** 19:42:08; of another day than `now`, 14 Nov, 19:42. */
function timeOf(iso: string, now: Date): string {
  const date = new Date(iso);
  const isToday = date.toDateString() === now.toDateString();
  if (isToday) return date.toLocaleTimeString('en-GB');
  const day = date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
  return `${day}, ${date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })}`;
}

/** What the page Tool log says. */
export const toolLog = {
  toolLog: {
    title: 'Tool log',
    lead: (most: number): string =>
      `Every call, with what was sent and what came back. The latest ${most.toLocaleString('en')} are kept on this computer.`,
    export: 'Export',
    exportHelp: 'Saves the calls listed below, with arguments and results, as JSON',
    search: 'Search tool log',
    searchHint: 'Tool, argument or result',
    server: 'Server',
    allServers: 'All servers',
    status: 'Status',
    anyStatus: 'Any status',
    all: 'All calls',
    columns: {
      time: 'Time',
      tool: 'Tool',
      server: 'Server',
      status: 'Status',
      duration: 'Duration',
      chat: 'Chat',
    },
    details: 'Details',
    show: 'Show details',
    hide: 'Hide details',
    timeOf,
    listed: (count: number, hasMore: boolean): string =>
      `${hasMore ? 'Latest ' : ''}${count} ${count === 1 ? 'call' : 'calls'}`,
    more: 'Load more',
    reading: 'Reading the log…',
    empty: 'No calls yet. They appear here when a model uses a tool.',
    noMatch: 'No call fits this search.',
    byHand: 'called by you',
    gone: 'This call is no longer in the log.',
    arguments: 'Arguments',
    edited: 'edited',
    result: 'Result',
    none: 'none',
    noneYet: 'none yet',
    dropped: 'The log no longer keeps the result of a call this old.',
    argumentsDropped: 'The log no longer keeps arguments of a call this old.',
    omitted: (characters: number): string =>
      `${characters.toLocaleString('en')} more characters are kept, but not shown here.`,
    copy: 'Copy as JSON',
    copied: 'Copied',
    copyFailed: 'The browser did not let Portside copy it',
  },
};
