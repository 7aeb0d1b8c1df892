import { tabLine, type TabTool, textResult, urlParameter } from './tab-tool.ts';

export const openTab: TabTool = {
  description: 'Opens an address in a new tab, in the background.',
  parameters: { url: urlParameter },
  required: ['url'],
  annotations: { destructiveHint: false, openWorldHint: true },
  run: async ({ open }, _call, args) => {
    const tab = await open(String(args['url']));
    return textResult(`Opened ${tabLine(tab)}${tab.note ?? ''}`);
  },
};
