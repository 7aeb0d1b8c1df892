import type { Commands } from '../../lib/protocol/commands.ts';
import type { FileText, StorageUsed } from '../../lib/protocol/data.ts';
import type { GrantedSite, ListedGrant, ListedSiteRule } from '../../lib/protocol/tools.ts';

type Replies = Partial<{ [K in keyof Commands]: (request: never) => unknown }>;

const grants: ListedGrant[] = [
  {
    serverId: 1,
    serverName: 'GitHub',
    toolName: 'issue_write',
    conversationId: 'c1',
    chatTitle: 'SDKs that lose the session',
    given: { at: new Date().toISOString(), used: 1 },
    isVoid: false,
  },
  {
    serverId: 2,
    serverName: 'Filesystem',
    toolName: 'move_file',
    given: {
      at: '2026-11-18T09:12:00.000Z',
      used: 46,
      usedAt: '2026-11-21T16:40:00.000Z',
      origins: ['https://files.example', 'https://a-name-that-is-longer-than-a-column.example:8443'],
    },
    isVoid: false,
  },
  {
    serverId: 2,
    serverName: 'Filesystem',
    toolName: 'write_file_into_a_folder_that_the_person_has_chosen_before',
    conversationId: 'c2',
    chatTitle: 'Rename the scans in Documents and sort them by the day on which they were made',
    given: { at: '2025-11-14T09:12:00.000Z', used: 0 },
    isVoid: true,
  },
  { serverId: 1, serverName: 'GitHub', toolName: 'search_code', isVoid: false },
];

const siteRules: ListedSiteRule[] = [
  {
    site: 'https://bank.example',
    kind: 'read',
    holds: 'never',
    given: { at: new Date().toISOString(), used: 2, usedAt: new Date().toISOString() },
  },
  {
    site: 'https://shop.example',
    kind: 'fill',
    holds: 'always',
    given: { at: '2026-11-18T09:12:00.000Z', used: 46, usedAt: '2026-11-21T16:40:00.000Z' },
  },
  {
    site: 'https://a-name-that-is-longer-than-a-column.example:8443',
    kind: 'click',
    holds: 'chat',
    conversationId: 'c1',
    chatTitle: 'Rename the scans in Documents and sort them by the day on which they were made',
    given: { at: '2025-11-14T09:12:00.000Z', used: 0 },
  },
  {
    site: 'https://shop.example',
    kind: 'submit',
    holds: 'ask',
    given: { at: '2025-11-14T09:12:00.000Z', used: 3 },
  },
];

const sites: GrantedSite[] = [
  { origin: 'http://127.0.0.1/*', servers: ['Filesystem'], providers: ['Ollama'], isFixed: false },
  { origin: 'https://api.githubcopilot.com/*', servers: ['GitHub'], providers: [], isFixed: false },
  { origin: 'https://old.example/*', servers: [], providers: [], isFixed: false },
  { origin: 'https://*/*', servers: [], providers: [], isFixed: true },
];

const used: StorageUsed = {
  chats: 14_000_000,
  results: 12_000_000,
  attachments: 5_000_000,
  total: 31_400_000,
  quota: 2_100_000_000,
  conversations: 128,
  oldResults: 9_000_000,
};
const nothing: StorageUsed = {
  chats: 0,
  results: 0,
  attachments: 0,
  total: 90_000,
  quota: 2_100_000_000,
  conversations: 0,
  oldResults: 0,
};

const fileTexts: FileText[] = [
  {
    type: 'system',
    text: 'You work for the harbour office of Norddeich.\nAnswer in the language of the question, and name the page that you read it on.',
    invisible: 0,
  },
  { type: 'starter', name: 'summarise', text: 'Summarise this in three lines for the log.', invisible: 12 },
  { type: 'starter', name: 'draftReply', text: 'Draft a reply that is short and kind.', invisible: 0 },
  {
    type: 'assistant',
    name: 'Reviewer',
    text: 'Review the change line by line. Say what is wrong first, and what is good last.',
    invisible: 0,
  },
  {
    type: 'prompt',
    name: 'Weather for a crossing',
    text: 'Is the crossing to {{island}} on {{day}} safe?',
    invisible: 1,
  },
];

/** What the pages Permissions and Data ask for. */
export function dataReplies(isEmpty: boolean): Replies {
  return {
    listGrants: () => (isEmpty ? [] : grants),
    listSiteRules: () => (isEmpty ? [] : siteRules),
    listSites: () => (isEmpty ? [] : sites),
    storageUsed: () => (isEmpty ? nothing : used),
    exportChats: () => ({ text: '' }),
    exportSettings: () => ({ text: '{}\n' }),
    importChats: () => ({ outcomes: [{ conversationId: 'c9', outcome: 'new' }] }),
    importSettings: () => ({ type: 'to_show', texts: fileTexts }),
    erase: () => ({ count: 128 }),
  };
}
