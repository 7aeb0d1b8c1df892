/** What the options page says of saved prompts. */
export const prompts = {
  prompts: {
    title: 'Saved prompts',
    lead: 'Your own texts, under / in the message field. Values in double braces, such as {{topic}}, are asked for when you use one. From a page’s context menu, {{selection}} and {{page}} are what you clicked.',
    manage: (count: number): string =>
      count === 0 ? 'Write a prompt' : `Manage ${count} saved ${count === 1 ? 'prompt' : 'prompts'}`,
    add: 'Add prompt',
    empty: 'No prompts yet. Save one here, or type /save in front of a message.',
    gone: 'This prompt no longer exists.',
    edit: (name: string): string => `Edit ${name}`,
    remove: (name: string): string => `Remove ${name}`,
    removeQuestion: (name: string): string => `Remove ${name}?`,
    fields: { name: 'Name', text: 'Text' },
    nameHelp: 'What you type after / to find it.',
    asksFor: (names: string[]): string => `Asks for ${names.join(', ')}.`,
    asksNothing: 'Asks for nothing: {{name}} in the text would ask for a name.',
    invalid: {
      name: 'Name is required',
      taken: 'Another prompt has this name',
      text: 'Text is required',
    },
  },
};
