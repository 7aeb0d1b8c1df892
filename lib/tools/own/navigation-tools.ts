import type { OwnToolName } from '../../types/tools/own-tool-rules.ts';
import { siteOf } from '../../types/page.ts';
import {
  ofSite,
  OTHER_SITE,
  tabLine,
  tabParameter as tab,
  type OwnTool,
  textResult,
  urlParameter,
  webAddressOf,
} from './own-tool.ts';

/** What was typed in the page that is left is lost. */
const annotations = { openWorldHint: true };

/** Tools that lead a tab elsewhere, open or close one, or bring it to the front. */
export const navigationTools = {
  close_tab: {
    description: 'Closes a tab.',
    parameters: { tab },
    required: ['tab'],
    annotations: { openWorldHint: false },
    run: ({ go }, call, args) => go(call, args, 'close'),
  },
  go_back: {
    description: 'Goes back in a tab’s history.',
    parameters: { tab },
    annotations,
    run: ({ go }, call, args) => go(call, args, 'back'),
  },
  go_forward: {
    description: 'Goes forward in a tab’s history.',
    parameters: { tab },
    annotations,
    run: ({ go }, call, args) => go(call, args, 'forward'),
  },
  navigate: {
    description: 'Opens an address in a tab, in place of its page.',
    parameters: { tab, url: urlParameter },
    required: ['url'],
    annotations,
    run: ({ go }, call, args) => go(call, args, webAddressOf(args)),
  },
  open_tab: {
    description: 'Opens an address in a new tab, in the background.',
    parameters: { url: urlParameter },
    required: ['url'],
    annotations: { destructiveHint: false, openWorldHint: true },
    run: async ({ open }, call, args) => {
      const asked = webAddressOf(args);
      const shown = await open(asked, call);
      // Its site is one of the chat's from now on: the user saw the address. To another one they said nothing.
      const isAsked = siteOf(shown.url ?? '') === siteOf(asked);
      const line =
        shown.isBroken && !isAsked ? `${shown.id}: ${OTHER_SITE}` : tabLine(ofSite(shown, siteOf(asked)));
      const opened = textResult(`Opened ${line}${shown.note ?? ''}`);
      return { ...opened, isError: shown.isBroken === true, ...(isAsked && { url: asked }) };
    },
  },
  reload: {
    description: 'Loads a tab’s page anew.',
    parameters: { tab },
    annotations,
    run: ({ go }, call, args) => go(call, args, 'reload'),
  },
  switch_tab: {
    description: 'Brings a tab to the front.',
    parameters: { tab },
    required: ['tab'],
    annotations: { destructiveHint: false, idempotentHint: true },
    run: async ({ show }, _call, args) =>
      textResult(tabLine(ofSite(await show(Number(args['tab'])), undefined))),
  },
} satisfies Partial<Record<OwnToolName, OwnTool>>;
