import { refParameter, tabParameter, type TabTool, textResult } from './tab-tool.ts';

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
  run: async ({ waitFor: until }, call, args) => {
    if (['text', 'gone', 'ref', 'url'].some((each) => args[each] !== undefined && args[each] !== ''))
      return until(call, args);
    return { ...textResult('Say what to wait for: text, gone, ref or url.'), isError: true };
  },
};
