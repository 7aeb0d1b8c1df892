import type { ContentBlock } from '../../../lib/types/tools/tool-result.ts';
import { blocksOf } from '../chat/hostile-chats.ts';
import { type HostileServer, startInstead, tool } from './hostile-servers.ts';

/** The tools that answer a call; what comes of them is hostile too. */
export const answering = ['says', 'structures', 'links', 'fails', 'refuses'] as const;

type Answer = { result: unknown } | { error: { code: number; message: string } };

/** A server whose every word is one of the texts: its own name, what it offers, and what comes of its tools. */
export function startHostileOffers(texts: string[], canary: string): Promise<HostileServer> {
  const icons = [`${canary}/icon.svg`, `${canary}/icon.png`, ...texts.slice(0, 20)].map((src) => ({ src }));
  const named = texts.map((text) => ({ name: text, title: text, description: text, icons }));
  const lists: Record<string, unknown> = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {}, prompts: {}, resources: {}, logging: {} },
      serverInfo: { name: texts[0], title: texts[0], version: texts[0], icons },
      instructions: texts.join('\n'),
    },
    'tools/list': {
      tools: [
        ...answering.map((name) => tool(name)),
        ...named.map((each) => ({ ...tool(each.name), ...each })),
      ],
    },
    'prompts/list': { prompts: named.map((each) => ({ ...each, arguments: [each] })) },
    'resources/list': { resources: named.map((each) => ({ ...each, uri: each.name, mimeType: each.name })) },
    'resources/templates/list': {
      resourceTemplates: named.map((each) => ({ ...each, uriTemplate: each.name })),
    },
    ping: {},
  };
  return startInstead((rpc, response) => {
    if (rpc === null) return void response.writeHead(405).end();
    if (rpc.id === undefined) return void response.writeHead(202).end();
    const known = lists[rpc.method];
    const answer: Answer =
      known !== undefined
        ? { result: known }
        : rpc.method === 'tools/call'
          ? callOf(String(rpc.params?.['name']), texts)
          : { error: { code: -32601, message: texts.join('\n') } };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: rpc.id, ...answer }));
  });
}

function callOf(name: string, texts: string[]): Answer {
  const content: ContentBlock[] = [{ type: 'text', text: texts.join('\n') }];
  switch (name) {
    case 'structures':
      return {
        result: { content, structuredContent: Object.fromEntries(texts.map((text) => [text, [text]])) },
      };
    case 'links':
      return { result: { content: texts.flatMap(blocksOf).filter(({ type }) => type !== 'unknown') } };
    case 'fails':
      return { result: { content, isError: true } };
    case 'refuses':
      return { error: { code: -32000, message: texts.join('\n') } };
    default:
      return { result: { content } };
  }
}
