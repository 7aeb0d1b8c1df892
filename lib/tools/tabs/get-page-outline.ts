import { tabParameter, type TabTool } from './tab-tool.ts';

export const getPageOutline: TabTool = {
  description:
    'Lists a page’s headings, landmarks, links, buttons and form fields, each with a reference that stays.',
  parameters: { tab: tabParameter },
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ ask }, call, args) => ask(call, args, 'outline'),
};
