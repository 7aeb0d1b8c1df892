import { tabLine, type TabTool, textResult, urlParameter, webAddressOf } from './tab-tool.ts';

export const openTab: TabTool = {
  description: 'Opens an address in a new tab, in the background.',
  parameters: { url: urlParameter },
  required: ['url'],
  annotations: { destructiveHint: false, openWorldHint: true },
  run: async ({ open }, _call, args) => {
    const tab = await open(webAddressOf(args));
    // Its site is one of the chat's from now on: the user saw the address.
    return {
      ...textResult(`Opened ${tabLine(tab)}${tab.note ?? ''}`),
      ...(tab.url !== undefined && { url: tab.url }),
    };
  },
};
