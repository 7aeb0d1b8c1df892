import { LONGEST_NOTE } from '../../types/note.ts';
import type { OwnToolName } from '../../types/tools/own-tool-rules.ts';
import { type OwnTool, tabParameter as tab, textResult } from './own-tool.ts';

const annotations = { readOnlyHint: true, openWorldHint: false };

const forUser = { type: 'string', minLength: 1, maxLength: 600 };

/** Tools for what the user does and knows, and no page: their hands, their clock and what they keep for later chats. */
export const userTools = {
  // Its calls wait for the user (`handsOver`): once it runs, they are done.
  ask_user: {
    description:
      'Has the user do what only they can (sign in, CAPTCHA, password, card, a choice), and waits for it.',
    parameters: { tab, what: forUser, why: forUser },
    required: ['what', 'why'],
    annotations,
    run: ({ afterUser }, call, args) => afterUser(call, args),
  },
  current_time: {
    description: 'Tells the user’s date, time and time zone.',
    annotations,
    run: async ({ now }) => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      return textResult(`${new Date(now()).toString()}, ${timeZone}`);
    },
  },
  // Its calls wait for the user, who may have written it anew (`alwaysAsks`): what runs is what they keep.
  remember: {
    description:
      'Proposes a note on the user or their work, to know in later chats: what lasts, no secrets, in a sentence.',
    parameters: { note: { type: 'string', minLength: 1, maxLength: LONGEST_NOTE } },
    required: ['note'],
    annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: async ({ remember }, call, { note }) => {
      await remember(String(note), call);
      return textResult('The user kept the note.');
    },
  },
} satisfies Partial<Record<OwnToolName, OwnTool>>;
