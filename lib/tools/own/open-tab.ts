import { siteOf } from '../../types/page.ts';
import { ofSite, tabLine, type TabTool, textResult, urlParameter, webAddressOf } from './tab-tool.ts';

export const openTab: TabTool = {
  description: 'Opens an address in a new tab, in the background.',
  parameters: { url: urlParameter },
  required: ['url'],
  annotations: { destructiveHint: false, openWorldHint: true },
  run: async ({ open }, call, args) => {
    const asked = webAddressOf(args);
    const tab = await open(asked, call);
    const opened = textResult(`Opened ${tabLine(ofSite(tab, siteOf(asked)))}${tab.note ?? ''}`);
    // Its site is one of the chat's from now on: the user saw the address. To another one they said nothing.
    const isAsked = siteOf(tab.url ?? '') === siteOf(asked);
    return { ...opened, isError: tab.isBroken === true, ...(isAsked && { url: asked }) };
  },
};
