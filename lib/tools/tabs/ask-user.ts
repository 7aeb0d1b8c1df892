import { tabParameter, type TabTool } from './tab-tool.ts';

const words = { type: 'string', minLength: 1, maxLength: 600 };

/** Its calls wait for the user (`isHandOver`): once it runs, they are done. */
export const askUser: TabTool = {
  description:
    'Has the user do by hand what only they can (sign in, CAPTCHA, password, card number, file, a choice), and waits until they are done.',
  parameters: { tab: tabParameter, what: words, why: words },
  required: ['what', 'why'],
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ afterUser }, call, args) => afterUser(call, args),
};
