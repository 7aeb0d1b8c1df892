import type { OwnToolName } from '../../types/tools/own-tool-rules.ts';
import {
  refParameter,
  tabLine,
  tabParameter as tab,
  type OwnTool,
  textResult,
  urlParameter,
  webAddressOf,
} from './own-tool.ts';

const annotations = { readOnlyHint: true, openWorldHint: false };

export const readingTools = {
  extract_table: {
    description: 'Lists a page’s tables, or gives the rows of one.',
    parameters: {
      table: { type: 'string', description: 'Its reference; without it all are listed' },
      from: { type: 'integer', minimum: 0, description: 'The row to begin at' },
      tab,
    },
    annotations,
    run: ({ ask }, call, args) => ask(call, args, 'tables'),
  },
  // Whom an address is asked of, and what for, leaves the computer: it counts as sending.
  fetch_url: {
    description: 'Reads an address without opening it, signed in nowhere; pages as Markdown.',
    parameters: { url: urlParameter },
    required: ['url'],
    annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: true },
    run: async (deps, call, args) => deps.fetch(call, webAddressOf(args)),
  },
  find: {
    description: 'Finds elements by text or role, with references.',
    parameters: { tab, text: { type: 'string' }, role: { type: 'string' } },
    annotations,
    run: ({ ask }, call, args) => ask(call, args, 'find'),
  },
  find_in_page: {
    description: 'Finds where words stand in a page.',
    parameters: { query: { type: 'string', minLength: 1 }, tab },
    required: ['query'],
    annotations,
    // `query` goes along with the reading.
    run: ({ read }, call, args) => read(call, args, 'page'),
  },
  list_tabs: {
    description: 'Lists the open tabs with their ids. Tools that get none use the tab in front.',
    annotations,
    run: async ({ list }) => textResult((await list()).map(tabLine).join('\n')),
  },
  read_page: {
    description: 'Reads the page that the user looks at, as Markdown.',
    annotations,
    run: ({ read }, call, args) => read(call, args, 'page'),
  },
  read_selection: {
    description: 'Reads what the user selected on the page.',
    parameters: { tab },
    annotations,
    run: ({ read }, call, args) => read(call, args, 'selection'),
  },
  read_tab: {
    description: 'Reads the page in a tab, as Markdown.',
    parameters: { tab },
    required: ['tab'],
    annotations,
    run: ({ read }, call, args) => read(call, args, 'page'),
  },
  screenshot: {
    description: 'Takes a picture of what the user sees of the page in front.',
    annotations,
    run: ({ read }, call, args) => read(call, args, 'screenshot'),
  },
  snapshot: {
    description: 'Gives a page’s accessibility tree, with references of what can be used.',
    parameters: {
      tab,
      ref: { type: 'string', description: 'Only this element' },
      from: { type: 'integer' },
      filter: { enum: ['all', 'interactive'] },
    },
    annotations,
    run: ({ ask }, call, args) => ask(call, args, 'snapshot'),
  },
  wait_for: {
    description: 'Waits until a page shows a text, does not any more, has an element, or an address.',
    parameters: {
      tab,
      text: { type: 'string' },
      gone: { type: 'string' },
      ref: refParameter,
      url: { type: 'string', description: 'A part of it' },
      seconds: { type: 'integer', minimum: 1, maximum: 25 },
    },
    annotations,
    run: async ({ waitFor }, call, args) => {
      if (['text', 'gone', 'ref', 'url'].some((each) => args[each] !== undefined && args[each] !== ''))
        return waitFor(call, args);
      return { ...textResult('Say what to wait for: text, gone, ref or url.'), isError: true };
    },
  },
} satisfies Partial<Record<OwnToolName, OwnTool>>;
