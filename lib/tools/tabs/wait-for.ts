import { refParameter, tabParameter, type TabTool } from './tab-tool.ts';

export const waitFor: TabTool = {
  description: 'Waits until a page shows a text or not any more, has an element, or has an address.',
  parameters: {
    tab: tabParameter,
    text: { type: 'string', minLength: 1, maxLength: 300 },
    gone: { type: 'string', minLength: 1, maxLength: 300 },
    ref: refParameter,
    url: { type: 'string', minLength: 1, maxLength: 2_000, description: 'A part of it' },
    seconds: { type: 'integer', minimum: 1, maximum: 25 },
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ waitFor: until }, call, args) => until(call, args),
};
