import { tabLine, type TabTool, textResult } from './tab-tool.ts';

export const listTabs: TabTool = {
  description: 'Lists the open tabs with their ids. Tools that get none use the tab in front.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: async ({ list }) => textResult((await list()).map(tabLine).join('\n')),
};
