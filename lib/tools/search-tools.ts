import { SEARCH_TOOL } from '../types/tools/tool-search.ts';
import type { OfferedTool } from '../types/tools/tool.ts';
import { ownDefinition, type EveryRunTool } from './every-run-tool.ts';

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
export function createSearchTools(toolsOf: (conversationId: string) => Promise<OfferedTool[]>): EveryRunTool {
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
  let index: Index | undefined;
  const search: ToolSearch = (query, limit = MOST_FOUND) => {
    index ??= buildIndex(tools);
    const most = Math.min(MOST_FOUND, Math.max(1, Math.floor(limit) || MOST_FOUND));
    const found = rank(index, words(query.slice(0, LONGEST_QUERY))).slice(0, most);
    return found.length > 0
      ? JSON.stringify({ tools: found.flatMap((id) => entry(tools[id])) })
      : JSON.stringify({ tools: [], hint: nothingFound(tools) });
  };
  searches.set(tools, search);
  return search;
}

/** Characters that are searched, of all tools and of each: an index of 50 MB takes a minute. */
const MOST_SEARCHED = 2_000_000;
const MOST_OF_ONE = 2_000;

/** Where each word is: the places of the tools in their list, and how much it says of each. */
type Index = Map<string, { id: number; weight: number }[]>;

/** How much a field's words count. */
const BOOSTS = { name: 4, title: 3, parameters: 2, server: 2, description: 1 };
type Field = keyof typeof BOOSTS;

/** BM25+, with the parameters that are usual: https://en.wikipedia.org/wiki/Okapi_BM25 */
const [K, B, DELTA] = [1.2, 0.7, 0.5];

function buildIndex(tools: OfferedTool[]): Index {
  const most = Math.min(MOST_OF_ONE, Math.floor(MOST_SEARCHED / tools.length));
  const index: Index = new Map();
  const fieldsOf = tools.map((tool): Record<Field, string[]> => ({
    name: words(tool.toolName),
    title: words(tool.annotations.title ?? ''),
    parameters: words(Object.keys(Object(tool.inputSchema['properties'])).join(' ').slice(0, most)),
    server: words(tool.serverName),
    description: plainWords(tool.description.slice(0, most)),
  }));
  for (const field of Object.keys(BOOSTS) as Field[]) {
    const average = fieldsOf.reduce((sum, { [field]: found }) => sum + found.length, 0) / tools.length;
    for (const [word, occurrences] of occurrencesIn(fieldsOf.map(({ [field]: found }) => found))) {
      const { length } = occurrences;
      const rarity = Math.log(1 + (tools.length - length + 0.5) / (length + 0.5));
      const weighted = occurrences.map(({ id, times }) => {
        const fullness = 1 - B + (B * fieldsOf[id]![field].length) / average;
        const frequency = DELTA + (times * (K + 1)) / (times + K * fullness);
        return { id, weight: BOOSTS[field] * rarity * frequency };
      });
      index.set(word, weighted.concat(index.get(word) ?? []));
    }
  }
  return index;
}

/** The lists that each word is in, by their places, and how often. */
function occurrencesIn(lists: string[][]): Map<string, { id: number; times: number }[]> {
  const all = new Map<string, { id: number; times: number }[]>();
  for (const [id, list] of lists.entries())
    for (const word of list) {
      const known = all.get(word);
      const last = known?.at(-1);
      if (last?.id === id) last.times++;
      else if (known) known.push({ id, times: 1 });
      else all.set(word, [{ id, times: 1 }]);
    }
  return all;
}

/** The tools that have words of the query, best first. */
function rank(index: Index, query: string[]): number[] {
  const scores = new Map<number, number>();
  const wanted = [...new Set(query)];
  for (const [known, found] of index)
    for (const word of wanted) {
      const likeness = likenessOf(word, known);
      if (likeness > 0)
        for (const { id, weight } of found) scores.set(id, (scores.get(id) ?? 0) + weight * likeness);
    }
  return [...scores].toSorted(([, one], [, other]) => other - one).map(([id]) => id);
}

/** 1 is the same word; of a longer one and of a slip of the pen a part. */
function likenessOf(word: string, known: string): number {
  if (known === word) return 1;
  if (word.length > 2 && known.startsWith(word)) return (0.5 * word.length) / known.length;
  return word.length > 3 && isSlip(word, known) ? 0.4 : 0;
}

/** Whether one letter is missing, too much or another one, or two beside each other have changed places. */
function isSlip(word: string, known: string): boolean {
  const shorter = Math.min(word.length, known.length);
  const longer = Math.max(word.length, known.length);
  if (longer - shorter > 1) return false;
  let start = 0;
  while (start < shorter && word[start] === known[start]) start++;
  let end = 0;
  while (end < shorter - start && word[word.length - 1 - end] === known[known.length - 1 - end]) end++;
  const differ = longer - start - end;
  const isSwapped = word[start] === known[start + 1] && word[start + 1] === known[start];
  return differ === 1 || (differ === 2 && shorter === longer && isSwapped);
}

/** `getUser_by-id.v2` -> get, User, by, id, v2 */
function words(text: string): string[] {
  return plainWords(text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2'));
}

function plainWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
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
