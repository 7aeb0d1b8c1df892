import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startMcpServer, type TestMcpServer } from './mcp-server.ts';
import { json, readText, type TestOAuthServer } from './oauth-server.ts';

export type ProtectedServerOptions = {
  /** Scopes without which nothing is answered; named in the 401. */
  scope?: string;
  /** Scopes that a tool needs besides; named in the 403. */
  toolScopes?: Record<string, string>;
  /** Scopes that it publishes. */
  scopesSupported?: string[];
  /** The 401 does not say where the metadata are. */
  withoutChallenge?: boolean;
  /** Other metadata; null: none. */
  metadata?: Record<string, unknown> | null;
};

export type ProtectedServer = {
  /** The Streamable HTTP endpoint. */
  url: string;
  mcp: TestMcpServer;
  /** The answers to requests for MCP: `401`, `200`, ... in order. */
  answers: number[];
  /** The bearer tokens that it was sent, in order. */
  tokens: string[];
  /** From now on this is its authorization server. */
  moveTo(oauth: TestOAuthServer): void;
  behave(options: ProtectedServerOptions): void;
  close(): Promise<void>;
};

/** An MCP server (tests/fakes/mcp-server.ts) that only lets in who has a token of the authorization server's. */
export async function startProtectedServer(
  first: TestOAuthServer,
  initially: ProtectedServerOptions = {},
): Promise<ProtectedServer> {
  let oauth = first;
  let options = initially;
  const mcp = await startMcpServer();
  const answers: number[] = [];
  const tokens: string[] = [];
  const http = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const metadataPath = '/.well-known/oauth-protected-resource/mcp';

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === metadataPath) return publish(response);
    if (request.url !== '/mcp') return void response.writeHead(404).end();
    const body = await readText(request);
    const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1];
    if (token !== undefined) tokens.push(token);
    const granted = token === undefined ? undefined : oauth.accessOf(token)?.scope.split(' ');
    const missing = (scope = '') => scope.split(' ').some((each) => each !== '' && !granted?.includes(each));
    const where = options.withoutChallenge ? [] : [`resource_metadata="${origin}${metadataPath}"`];
    const refuse = (status: 401 | 403, scope: string | undefined, error: string): void => {
      answers.push(status);
      const named = scope === undefined ? [] : [`scope="${scope}"`];
      const challenge = `Bearer ${[`error="${error}"`, ...where, ...named].join(', ')}`;
      response.writeHead(status, options.withoutChallenge ? {} : { 'www-authenticate': challenge }).end();
    };
    if (!granted) return refuse(401, options.scope, 'invalid_token');
    if (missing(options.scope)) return refuse(403, options.scope, 'insufficient_scope');
    const needed = options.toolScopes?.[calledTool(body) ?? ''];
    if (missing(needed)) return refuse(403, needed, 'insufficient_scope');
    const { method, headers } = request;
    const onward = send(mcp.url, { method, headers }, (reply) => {
      answers.push(reply.statusCode ?? 0);
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      response.flushHeaders();
      reply.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    onward.end(body);
  }

  function publish(response: ServerResponse): void {
    if (options.metadata === null) return void response.writeHead(404).end();
    json(response, 200, {
      resource: `${origin}/mcp`,
      authorization_servers: [oauth.issuer],
      ...(options.scopesSupported && { scopes_supported: options.scopesSupported }),
      ...options.metadata,
    });
  }

  return {
    url: `${origin}/mcp`,
    mcp,
    answers,
    tokens,
    moveTo: (next) => (oauth = next),
    behave: (changes) => (options = { ...options, ...changes }),
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      await mcp.close();
    },
  };
}

function calledTool(body: string): string | undefined {
  if (body === '') return undefined;
  const message = JSON.parse(body) as { method?: string; params?: { name?: string } };
  return message.method === 'tools/call' ? message.params?.name : undefined;
}
