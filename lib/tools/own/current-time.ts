import { type TabTool, textResult } from './tab-tool.ts';

export const currentTime: TabTool = {
  description: 'Tells the user’s date, time and time zone.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: async ({ now }) => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    return textResult(`${new Date(now()).toString()}, ${timeZone}`);
  },
};
