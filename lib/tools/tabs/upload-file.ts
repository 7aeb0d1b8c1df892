import { tabParameter, type TabTool } from './tab-tool.ts';

export const uploadFile: TabTool = {
  description:
    'Gives files to a page: attached ones by their names, or result:<tool>, what a tool gave last.',
  parameters: {
    tab: tabParameter,
    ref: { type: 'string', description: 'File input, what opens it, or drop zone' },
    files: { type: 'array', minItems: 1, items: { type: 'string' } },
  },
  required: ['ref', 'files'],
  annotations: { openWorldHint: true },
  run: ({ act }, call, args) => act(call, args, 'upload_file'),
};
