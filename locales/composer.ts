import { units } from './units.ts';

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** What the composer says of files, of its menus and of what can be done from them. */
export const composer = {
  compose: {
    saved: 'Saved prompts',
    thisComputer: 'This computer',
    files: 'Files…',
    filesSub: 'Pictures, text and code, PDF, DOCX',
    /** As it is typed after `/`. */
    actions: {
      save: 'save',
      new: 'new',
      compact: 'compact',
      rename: 'rename',
      export: 'export',
      delete: 'delete',
      prompts: 'prompts',
      settings: 'settings',
    },
    does: {
      save: 'Save this text as a prompt',
      new: 'New chat',
      compact: 'Summarise earlier messages',
      rename: 'Rename this chat',
      export: 'Save as Markdown or JSON',
      delete: 'Delete this chat',
      prompts: 'Saved prompts…',
      settings: 'Settings',
    },
    preview: 'preview',
    previewing: 'Reading it',
    addPreviewed: 'Add',
    drop: 'Drop to attach',
    dropSub: 'Pictures, text and code, PDF, DOCX',
    pasted: (characters: number): string => `You pasted ${counted(characters, 'character')}.`,
    attachPasted: 'Attach as a file',
    keepPasted: 'Keep as text',
    pastedName: 'Pasted text.txt',
    over: 'over budget',
    overBudget: (tokens: number, window: number): string =>
      `Too long: about ${units.amount(tokens)} tokens, limit ${units.window(window)}.`,
    sendNow: 'Stop the answer and send',
    cancel: 'Cancel',
    title: 'Title',
    noTitle: 'Title is required',
    rename: 'Rename',
    renameTitle: 'Rename chat',
    promptName: 'Name',
    noPromptName: 'Name is required',
    savePrompt: 'Save',
    savePromptTitle: 'Save as prompt',
    nothingToSave: 'The message is empty. Write a text in it first, then save it with /save.',
    writeFirst: 'Write a text',
    promptHelp: (text: string): string => `It is found under / by this name: “${text}”`,
    exportTitle: 'Export chat',
    exportLead: 'Everything that was said in it, with the tool calls. Keys are never part of it.',
    exportAs: { markdown: 'Markdown', json: 'JSON', openai: 'OpenAI messages' },
  },
};
