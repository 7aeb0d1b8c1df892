import type { TabTool } from './tab-tool.ts';

export const screenshot: TabTool = {
  description: 'Takes a picture of what the user sees of the page in front.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ read }, call, args) => read(call, args, 'screenshot'),
};
