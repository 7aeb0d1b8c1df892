import { refParameter, tabParameter, type TabTool } from './tab-tool.ts';

export const waitFor: TabTool = {
  description: 'Waits until a page shows a text, does not any more, has an element, or an address.',
  parameters: {
    tab: tabParameter,
    text: { type: 'string' },
    gone: { type: 'string' },
    ref: refParameter,
    url: { type: 'string', description: 'A part of it' },
    seconds: { type: 'integer', minimum: 1, maximum: 25 },
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ waitFor: until }, call, args) => until(call, args),
};
