import { tabLine, type TabTool, textResult, urlParameter, webAddressOf } from './tab-tool.ts';

export const openTab: TabTool = {
  description: 'Opens an address in a new tab, in the background.',
  parameters: { url: urlParameter },
  required: ['url'],
  annotations: { destructiveHint: false, openWorldHint: true },
  run: async ({ open }, _call, args) => {
    const tab = await open(webAddressOf(args));
    return textResult(`Opened ${tabLine(tab)}${tab.note ?? ''}`);
  },
};
