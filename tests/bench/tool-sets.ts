import { toWireRequest } from '../../lib/models/request/wire-request.ts';
import { createToolSearch } from '../../lib/tools/search-tools.ts';
import type { OfferedTool } from '../../lib/types/tools/tool.ts';
import { offered, userMessage } from '../fakes/rows.ts';
import { alternate, type Figure, least, wallOf } from './figures.ts';

const options = { preset: 'custom', model: 'bench', traits: {}, settings: {}, learned: {} } as const;

/**
 * What many tools cost, against a plain JSON.stringify of the same definitions. Every round has definitions of its own,
 * so nothing is remembered from one to the next: a request is assembled of tools never seen before, to the last byte of
 * its body, and the first search builds its index. The search after it finds the index ready, as all but the first of a
 * run do. Of all rounds the least counts.
 */
export async function toolSets({
  tools: count,
  rounds,
}: {
  tools: number;
  rounds: number;
}): Promise<Figure[]> {
  const sets = Array.from({ length: rounds + 1 }, () => definitions(count));
  const each = (work: (tools: OfferedTool[]) => unknown) => {
    let round = 0;
    return () => work(sets[round++] ?? []);
  };
  const search = (tools: OfferedTool[]) => {
    const found = createToolSearch(tools)('send the monthly invoice to a customer');
    if (!found.includes('invoice')) throw new Error(`The search found ${found}`);
  };
  const ms = await alternate(
    {
      stringify: each((tools) => JSON.stringify(tools)),
      assemble: each((tools) =>
        JSON.stringify(toWireRequest(options, { messages: [userMessage('Go')], tools })),
      ),
      first: each(search),
      search: each(search),
    },
    rounds,
    wallOf,
    least,
  );
  const figure = (name: string, own: number): Figure => ({
    name: `${name} / JSON.stringify`,
    value: own / ms.stringify,
    unit: 'x',
    target: 5,
    detail: `${own.toFixed(2)} / ${ms.stringify.toFixed(2)} ms`,
  });
  return [
    figure(`assembling a request with ${count} tools, as JSON`, ms.assemble),
    figure(`the first search over ${count} tools, which builds the index`, ms.first),
    figure(`a search over ${count} tools, index ready`, ms.search),
  ];
}

const VERBS = [
  'create',
  'list',
  'update',
  'delete',
  'send',
  'search',
  'export',
  'archive',
  'merge',
  'approve',
];
const NOUNS = [
  'invoice',
  'customer',
  'issue',
  'branch',
  'calendar event',
  'page',
  'ticket',
  'build',
  'file',
  'contact',
];
const WAYS = [
  'monthly',
  'shared',
  'draft',
  'recurring',
  'overdue',
  'public',
  'archived',
  'starred',
  'local',
  'remote',
];

/** Of the size that servers of business software have: about 1 kB each. */
function definitions(count: number): OfferedTool[] {
  return Array.from({ length: count }, (_, at) => {
    const [verb = '', noun = '', way = ''] = [
      VERBS[at % 10],
      NOUNS[Math.floor(at / 10) % 10],
      WAYS[Math.floor(at / 100) % 10],
    ];
    const toolName = `${verb}_${way}_${noun.replace(' ', '_')}_${at}`;
    return {
      ...offered(toolName),
      description: `Use this to ${verb} a ${way} ${noun} in the workspace that is open. Returns its id, its title and when it was changed last. Fails when the ${noun} is locked.`,
      inputSchema: schema(noun),
    };
  });
}

function schema(noun: string): Record<string, unknown> {
  const text = (description: string) => ({ type: 'string', description });
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      id: text(`The ${noun} to work on, as listed`),
      title: text('What people see; at most 200 characters'),
      status: { type: 'string', enum: ['open', 'waiting', 'closed'], default: 'open' },
      labels: { type: 'array', items: text('A label that exists'), maxItems: 20 },
      due: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
      options: {
        type: 'object',
        properties: { notify: { type: 'boolean' }, depth: { type: 'integer', minimum: 0, maximum: 5 } },
        additionalProperties: false,
      },
    },
    required: ['id', 'title'],
    additionalProperties: false,
  };
}
