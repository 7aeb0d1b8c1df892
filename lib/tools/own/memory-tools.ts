import { LONGEST_NOTE } from '../../types/note.ts';
import type { OwnToolName } from '../../types/tools/own-tool-rules.ts';
import { type OwnTool, textResult } from './own-tool.ts';

/** Tools that keep something for later chats. */
export const memoryTools = {
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
