import type { ConversationState } from '../lib/types/setup.ts';

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** What the list of chats and the search in it say. */
export const history = {
  history: {
    title: 'History',
    close: 'Close history',
    /** The button in the bar: how many chats other than the one shown wait for the person. */
    opener: (waiting: number): string =>
      waiting === 0
        ? 'History'
        : `History, ${counted(waiting, 'chat')} ${waiting === 1 ? 'needs' : 'need'} you`,
    search: 'Search chats',
    searchHint: 'Search titles and messages',
    searching: 'Searching',
    loading: 'Loading chats',
    more: 'Load more',
    empty: 'No chats yet. What you ask is kept here.',
    noArchived: 'No archived chats.',
    noMatch: 'No chats match.',
    hitsIn: (title: string): string => `Found in ${title}`,
    found: (count: number, more: boolean): string => `${more ? 'More than ' : ''}${counted(count, 'result')}`,
    by: { user: 'You', assistant: 'Assistant', tool: 'Tool result', summary: 'Summary' },
    byTitle: 'Title',
    count: (count: number): string => counted(count, 'chat'),
    archivedCount: (count: number): string => counted(count, 'archived chat'),
    archived: 'Archived',
    export: 'Export',
    pinned: 'Pinned',
    today: 'Today',
    yesterday: 'Yesterday',
    week: 'Previous 7 days',
    pin: 'Pin chat',
    unpin: 'Unpin chat',
    moreFor: (title: string): string => `More for ${title}`,
    rename: 'Rename',
    renameOf: (title: string): string => `New title for ${title}`,
    archive: 'Archive',
    unarchive: 'Unarchive',
    exportMarkdown: 'Export as Markdown',
    exportJson: 'Export as JSON',
    exportOpenAi: 'Export as OpenAI messages',
    delete: 'Delete',
    renameHint: 'Double-click to rename',
    minutesAgo: (minutes: number): string => (minutes < 1 ? 'now' : `${minutes} min ago`),
    hoursAgo: (hours: number): string => `${hours} h ago`,
    states: {
      running: 'Running',
      waiting: 'Needs approval',
      failed: 'Failed',
    } satisfies Record<ConversationState, string>,
  },
};
