import type { TabTool } from './tab-tool.ts';

/** OK may destroy or send what the page asks about, so it counts as what sends a form (`submits`). */
export const handleDialog: TabTool = {
  description: 'Before an action: answers the dialog it will open.',
  parameters: { tab: { type: 'integer' }, accept: { type: 'boolean' }, text: { type: 'string' } },
  required: ['accept'],
  annotations: { openWorldHint: true },
  run: ({ answerDialog }, call, args) => {
    const { accept, text } = args;
    return answerDialog(call, args, { accept: accept === true, ...(typeof text === 'string' && { text }) });
  },
};
