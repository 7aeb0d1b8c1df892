import { refTabParameter, type TabTool } from './tab-tool.ts';

export const uploadFile: TabTool = {
  description: 'Gives a page files: attached ones by name, or result:<tool>, what it gave last.',
  parameters: {
    tab: refTabParameter,
    ref: { type: 'string', description: 'File input, its button, or drop zone' },
    files: { type: 'array', minItems: 1, items: { type: 'string' } },
  },
  required: ['ref', 'files'],
  annotations: { openWorldHint: true },
  run: ({ act }, call, args) => act(call, args, 'upload_file'),
};
