import { tabParameter, type TabTool } from './tab-tool.ts';

const words = { type: 'string', minLength: 1, maxLength: 600 };

/** Its calls wait for the user (`handsOver`): once it runs, they are done. */
export const askUser: TabTool = {
  description:
    'Has the user do what only they can (sign in, CAPTCHA, password, card, a choice), and waits for it.',
  parameters: { tab: tabParameter, what: words, why: words },
  required: ['what', 'why'],
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ afterUser }, call, args) => afterUser(call, args),
};
