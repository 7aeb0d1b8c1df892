import MiniSearch from 'minisearch';
import type { OfferedTool } from '../types/tool.ts';
import { SEARCH_TOOL } from '../types/tool-search.ts';
import { ownDefinition, type OwnTool } from './own-tool.ts';

const MOST_FOUND = 10;
const LONGEST_DESCRIPTION = 200;
/** Characters of a query; every word of it costs a walk through the index. */
const LONGEST_QUERY = 300;

const definition = ownDefinition(
  SEARCH_TOOL,
  'Finds tools that are not listed here, by words of what they do. Those found can be called afterwards. ' +
    'Search before you say that something cannot be done.',
  {
    query: {
      type: 'string',
      maxLength: LONGEST_QUERY,
      description: 'Words for what is to be done, in the language of the tools',
    },
    limit: { type: 'integer', minimum: 1, maximum: MOST_FOUND, description: `${MOST_FOUND} unless told` },
  },
  ['query'],
);

/** @param toolsOf everything that the conversation's run may call */
export function createSearchTools(toolsOf: (conversationId: string) => Promise<OfferedTool[]>): OwnTool {
  return {
    definition,
    async run({ conversationId }, args) {
      const query = typeof args['query'] === 'string' ? args['query'] : '';
      const limit = typeof args['limit'] === 'number' ? args['limit'] : MOST_FOUND;
      return { text: createToolSearch(await toolsOf(conversationId))(query, limit), isError: false };
    },
  };
}

export type ToolSearch = (query: string, limit?: number) => string;

const searches = new WeakMap<OfferedTool[], ToolSearch>();

/**
 * A search over names, titles, descriptions and names of parameters, best first; beginnings of words and slips of the
 * pen are found too. The same list gives the same search, whose index is built when it is first used.
 * @returns JSON: `{"tools": [{"name", "description"}]}`, with a `hint` when nothing was found
 */
export function createToolSearch(tools: OfferedTool[]): ToolSearch {
  const known = searches.get(tools);
  if (known) return known;
  let index: MiniSearch | undefined;
  const search: ToolSearch = (query, limit = MOST_FOUND) => {
    index ??= buildIndex(tools);
    const most = Math.min(MOST_FOUND, Math.max(1, Math.floor(limit) || MOST_FOUND));
    const found = index.search(query.slice(0, LONGEST_QUERY)).slice(0, most);
    return found.length > 0
      ? JSON.stringify({ tools: found.flatMap(({ id }) => entry(tools[Number(id)])) })
      : JSON.stringify({ tools: [], hint: nothingFound(tools) });
  };
  searches.set(tools, search);
  return search;
}

/** Characters that are searched, of all tools and of each: an index of 50 MB takes a minute. */
const MOST_SEARCHED = 2_000_000;
const MOST_OF_ONE = 2_000;

function buildIndex(tools: OfferedTool[]): MiniSearch {
  const most = Math.min(MOST_OF_ONE, Math.floor(MOST_SEARCHED / tools.length));
  const index = new MiniSearch({
    fields: ['name', 'title', 'parameters', 'server', 'description'],
    tokenize: (text, field) => (field === 'description' ? plainWords(text) : words(text)),
    processTerm: (word) => word.toLowerCase(),
    searchOptions: {
      boost: { name: 4, title: 3, parameters: 2, server: 2 },
      prefix: (word) => word.length > 2,
      fuzzy: (word) => (word.length > 3 ? 0.2 : false),
    },
  });
  index.addAll(
    tools.map(({ toolName, annotations, inputSchema, serverName, description }, id) => ({
      id,
      name: toolName,
      title: annotations.title ?? '',
      parameters: Object.keys(Object(inputSchema['properties'])).join(' ').slice(0, most),
      server: serverName,
      description: description.slice(0, most),
    })),
  );
  return index;
}

/** `getUser_by-id.v2` -> get, User, by, id, v2 */
function words(text: string): string[] {
  return plainWords(text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2'));
}

function plainWords(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function entry(tool: OfferedTool | undefined): { name: string; description: string }[] {
  if (!tool) return [];
  const { name, description } = tool;
  const cut = description.length > LONGEST_DESCRIPTION;
  return [{ name, description: cut ? `${description.slice(0, LONGEST_DESCRIPTION - 1)}…` : description }];
}

function nothingFound(tools: OfferedTool[]): string {
  const servers = [...new Set(tools.map(({ serverName }) => serverName))].slice(0, 20).join(', ');
  return `None of the ${tools.length} tools fits. Try other or fewer words. They are of: ${servers || 'no server'}.`;
}
