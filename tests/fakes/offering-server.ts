import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
  type ReadResourceResult,
} from '@modelcontextprotocol/sdk/types.js';
import { PIXEL } from './mcp-tools.ts';

export type OfferingServer = {
  url: string;
  /** What its one resource, `note://today`, holds. */
  write(text: string): void;
  /** The resource can't be read any more. */
  remove(): void;
  /** What is asked for comes only once this promise is kept. */
  hold(until: Promise<void>): void;
  /** Tells every client that the resource changed. */
  tellUpdated(): Promise<void>;
  /** It has one prompt and one resource more, under this name, and tells every client that its lists changed. */
  add(name: string): Promise<void>;
  /** What clients subscribed to now, in order. */
  subscribed: string[];
  /** How often the resource was read. */
  reads(): number;
  /** Has so many things logged, as fast as clients take them. */
  logLines(count: number): Promise<void>;
  /** The level of log messages that a client asked for last. */
  level(): string | undefined;
  /** Resolves when the condition holds; it is asked again at every request. */
  until(condition: () => boolean): Promise<void>;
  close(): Promise<void>;
};

export const NOTE = 'note://today';

/** A real MCP server (SDK 1.x) that offers more than tools: prompts, a resource to subscribe to, instructions, a question. */
export async function startOfferingServer(instructions = 'Read the note first.'): Promise<OfferingServer> {
  const state = { text: 'Buy milk', reads: 0, level: undefined as string | undefined, gone: false };
  let held = Promise.resolve();
  const subscribed: string[] = [];
  const added: string[] = [];
  const sessions = new Map<string, { server: Server; transport: StreamableHTTPServerTransport }>();
  const watchers = new Set<() => void>();

  const read = async (): Promise<ReadResourceResult> => {
    state.reads++;
    await held;
    if (state.gone) throw new Error('There is no such note.');
    return { contents: [{ uri: NOTE, mimeType: 'text/plain', text: state.text }] };
  };
  const offer = (): Server => {
    const server = new Server(
      { name: 'offering', version: '1.0.0' },
      {
        instructions,
        capabilities: {
          tools: {},
          prompts: { listChanged: true },
          resources: { subscribe: true, listChanged: true },
          logging: {},
          completions: {},
        },
      },
    );
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: [
        { name: 'ask', description: 'Asks a name.', inputSchema: { type: 'object' } },
        { name: 'broken', inputSchema: { type: 'object', properties: { a: { type: 'nonsense' } } } },
      ],
    }));
    server.setRequestHandler(CallToolRequestSchema, async () => {
      const answer = await server.elicitInput({
        message: 'Who are you?',
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
      });
      return { content: [{ type: 'text', text: `${answer.action}: ${JSON.stringify(answer.content)}` }] };
    });
    server.setRequestHandler(ListResourcesRequestSchema, () => ({
      resources: [
        { uri: NOTE, name: 'today', title: 'Today’s note', mimeType: 'text/plain' },
        ...added.map((name) => ({ uri: `note://${name}`, name })),
      ],
    }));
    server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
      resourceTemplates: [{ uriTemplate: 'note://{day}', name: 'day' }],
    }));
    server.setRequestHandler(ReadResourceRequestSchema, read);
    server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
      subscribed.push(params.uri);
      return {};
    });
    server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
      subscribed.splice(subscribed.indexOf(params.uri), 1);
      return {};
    });
    server.setRequestHandler(SetLevelRequestSchema, ({ params }) => {
      state.level = params.level;
      return {};
    });
    server.setRequestHandler(ListPromptsRequestSchema, () => ({
      prompts: [
        { name: 'plan', description: 'Plans a day.', arguments: [{ name: 'day', required: true }] },
        ...added.map((name) => ({ name })),
      ],
    }));
    server.setRequestHandler(GetPromptRequestSchema, ({ params }) => ({
      messages: [
        { role: 'user', content: { type: 'text', text: `Plan ${params.arguments?.['day']}.` } },
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: {
              text: state.text,
              ...(params.arguments?.['day'] === 'Someday'
                ? { uri: `note://${'a'.repeat(10_000)}`, mimeType: `text/${'b'.repeat(10_000)}` }
                : { uri: NOTE }),
            },
          },
        },
        ...Array.from({ length: params.arguments?.['day'] === 'Sunday' ? 2 : 1 }, () => ({
          role: 'user' as const,
          content: { type: 'image' as const, data: PIXEL, mimeType: 'image/png' },
        })),
      ],
    }));
    server.setRequestHandler(CompleteRequestSchema, ({ params }) => ({
      completion: { values: ['monday', 'tuesday'].filter((day) => day.startsWith(params.argument.value)) },
    }));
    return server;
  };

  const http = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    const id = request.headers['mcp-session-id'];
    let session = typeof id === 'string' ? sessions.get(id) : undefined;
    if (!session) {
      const server = offer();
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (sessionId) => void sessions.set(sessionId, { server, transport }),
      });
      await server.connect(transport as Transport);
      session = { server, transport };
    }
    await session.transport.handleRequest(request, response, body);
    watchers.forEach((watcher) => watcher());
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const tell = (say: (server: Server) => Promise<void>) =>
    Promise.all([...sessions.values()].map(({ server }) => say(server))).then(() => undefined);

  return {
    url: `http://127.0.0.1:${port}/mcp`,
    write: (next) => void (state.text = next),
    remove: () => void (state.gone = true),
    hold: (until) => void (held = until),
    tellUpdated: () => tell((server) => server.sendResourceUpdated({ uri: NOTE })),
    add: async (name) => {
      added.push(name);
      await tell((server) => server.sendPromptListChanged());
      await tell((server) => server.sendResourceListChanged());
    },
    logLines: (count) =>
      tell(async (server) => {
        for (let line = 1; line <= count; line++) {
          await server.sendLoggingMessage({ level: 'error', data: `line ${line}` });
        }
      }),
    subscribed,
    reads: () => state.reads,
    level: () => state.level,
    until: (condition) =>
      new Promise((resolve) => {
        const watcher = (): void => {
          if (!condition()) return;
          watchers.delete(watcher);
          resolve();
        };
        watchers.add(watcher);
        watcher();
      }),
    close: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
