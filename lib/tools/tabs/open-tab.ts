import { tabLine, type TabTool, textResult, urlParameter, webAddressOf } from './tab-tool.ts';

export const openTab: TabTool = {
  description: 'Opens an address in a new tab, in the background.',
  parameters: { url: urlParameter },
  required: ['url'],
  annotations: { destructiveHint: false, openWorldHint: true },
  run: async ({ open }, call, args) => {
    const asked = webAddressOf(args);
    const tab = await open(asked, call);
    const opened = textResult(`Opened ${tabLine(tab)}${tab.note ?? ''}`);
    // Its site is one of the chat's from now on: the user saw the address. To another one they said nothing.
    const isAsked = tab.url !== undefined && URL.parse(tab.url)?.origin === URL.parse(asked)?.origin;
    return { ...opened, ...(isAsked && { url: asked }) };
  },
};
