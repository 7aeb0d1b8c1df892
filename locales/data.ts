/** 612 B, 14 kB, 3.2 MB, 31 MB, 2.1 GB. */
function bytesOf(bytes: number): string {
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  const [amount, unit] =
    bytes < 999_500 ? [bytes / 1e3, 'kB'] : bytes < 999_500_000 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB'];
  return `${amount < 9.95 && unit !== 'kB' ? amount.toFixed(1) : Math.round(amount).toLocaleString('en')} ${unit}`;
}

const count = (number: number, one: string, many: string): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
const chats = (number: number): string => count(number, 'chat', 'chats');

type Imported = { new: number; updated: number; known: number };

/** "2 chats added", "0 chats added, 1 completed, 3 here already". */
const imported = (done: Imported): string =>
  [
    `${chats(done.new)} added`,
    ...(done.updated > 0 ? [`${done.updated.toLocaleString('en')} completed`] : []),
    ...(done.known > 0 ? [`${done.known.toLocaleString('en')} here already`] : []),
  ].join(', ');

/** What the page Data says. */
export const data = {
  data: {
    lead: 'Everything Portside keeps is on this computer.',
    bytes: bytesOf,
    storage: 'Storage',
    measuring: 'Measuring…',
    used: (bytes: number): string => `About ${bytesOf(bytes)} used`,
    quota: (bytes: number): string => `of about ${bytesOf(bytes)} the browser allows`,
    shares: { chats: 'Chats', results: 'Tool results', attachments: 'Attachments' },
    move: 'Export and import',
    exportChats: 'Export chats',
    exportChatsHelp: (number: number): string =>
      number === 0 ? 'There is no chat yet.' : `${chats(number)} with tool calls and attachments.`,
    markdown: 'Markdown',
    json: 'JSON',
    collecting: (bytes: number): string => `Collecting, ${bytesOf(bytes)} so far`,
    saved: (bytes: number): string => `Handed to the browser’s downloads, ${bytesOf(bytes)}.`,
    exportSettings: 'Export settings',
    exportSettingsHelp: 'Servers, models and permissions. Keys, headers and environment stay out.',
    export: 'Export',
    importLabel: 'Import',
    importHelp:
      'A Portside export of chats or settings, or a chat as OpenAI messages; drop it here or choose it. What is here already stays as it is.',
    import: 'Import',
    drop: 'Drop the file to import it',
    importing: (done: number, of: number): string => `Chat ${done} of ${of}`,
    cancel: 'Cancel',
    unreadable: (name: string): string => `${name} could not be read.`,
    notJson: (name: string): string => `${name} can’t be imported: it is not JSON.`,
    notOurs: (name: string): string =>
      `${name} can’t be imported: it contains no Portside chats or settings, and no OpenAI messages.`,
    exportFirst: 'Choose a file that Export has made.',
    added: (done: Imported, left: number): string =>
      `${imported(done)}${left > 0 ? `, ${left.toLocaleString('en')} left out:` : '.'}`,
    stopped: (at: number, of: number, done: Imported): string =>
      `Stopped after ${at.toLocaleString('en')} of ${chats(of)}: ${imported(done)}.`,
    leftOut: (title: string, why: string): string => `${title}: ${why}`,
    untitled: (place: number): string => `Chat ${place}`,
    moreLeftOut: (number: number): string => `and ${number.toLocaleString('en')} more`,
    addedSettings: (added: { servers: number; providers: number; prompts: number }): string =>
      `Added: ${count(added.servers, 'server', 'servers')}, ${count(added.providers, 'provider', 'providers')}, ${count(added.prompts, 'prompt', 'prompts')}. Servers are switched off; what was there already stayed as it was.`,
    erase: 'Erase',
    eraseResults: 'Erase results',
    eraseChats: 'Erase chats',
    eraseEverything: 'Erase everything',
    results: 'Tool results older than 30 days',
    resultsHelp: (bytes: number): string =>
      `${bytes === 0 ? 'There are none.' : `Frees about ${bytesOf(bytes)}.`} Chats keep what their model read.`,
    allChats: 'All chats',
    allChatsHelp: (number: number): string =>
      `${chats(number)}, their attachments and the tool log. Servers and models stay.`,
    everything: 'Everything',
    everythingHelp:
      'Chats, servers, models, keys and settings, and what the browser allowed: sites, programs, notifications. Resets Portside to a fresh install.',
    questions: {
      results: 'Erase tool results older than 30 days?',
      chats: 'Erase all chats?',
      everything: 'Erase everything?',
    },
    goes: {
      results:
        'Gone for good: what those calls were sent and what came back, in the tool log and under the answers.',
      chats:
        'Gone for good: every chat, what is attached to them, their drafts and the tool log. What runs is stopped.',
      everything:
        'Gone for good: every chat, server, model provider, key, sign-in, prompt, setting and grant, and what the browser allowed: sites, programs, notifications. There is no copy.',
    },
    typeWord: 'Type erase to confirm',
    word: 'erase',
    confirm: 'Erase',
    keep: 'Cancel',
    erased: {
      results: (number: number): string => `${count(number, 'result', 'results')} erased.`,
      chats: (number: number): string => `${chats(number)} erased.`,
      everything: (number: number): string => `Everything is erased, ${chats(number)} among it.`,
    },
  },
};
