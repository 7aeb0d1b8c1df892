import type { TabTool } from './tab-tool.ts';

export const readPage: TabTool = {
  description: 'Reads the page that the user looks at, as Markdown.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ read }, call, args) => read(call, args, 'page'),
};
