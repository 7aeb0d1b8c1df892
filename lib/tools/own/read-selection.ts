import { tabParameter, type TabTool } from './tab-tool.ts';

export const readSelection: TabTool = {
  description: 'Reads what the user selected on the page.',
  parameters: { tab: tabParameter },
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ read }, call, args) => read(call, args, 'selection'),
};
