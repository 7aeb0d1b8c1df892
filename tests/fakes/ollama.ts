import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';

/** Where it is looked for; a computer on which it runs has no room for a stand-in. */
export const OLLAMA_PORT = 11434;

export type Ollama = {
  /** What was asked for, such as `GET /api/version`, oldest first. */
  asked: string[];
  /** What it can be asked for now. */
  models: string[];
  close: () => Promise<void>;
};

type Chat = { messages: { role: string; content?: unknown }[] };
type Said = (chat: Chat) => object;

/**
 * As much of Ollama as is asked, with one model; like the real one it refuses every request that tells an extension's
 * origin. Null when its port is taken.
 * @param said the delta that the model answers to a chat
 */
export async function startOllama(said: Said): Promise<Ollama | null> {
  const asked: string[] = [];
  const models = ['qwen3:14b'];
  const server = createServer(async (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.headers.origin !== undefined) return void response.writeHead(403).end();
    const body = (await request.setEncoding('utf8').toArray()).join('');
    answer(request.url ?? '', body, response, said, models);
  });
  const listening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(OLLAMA_PORT, '127.0.0.1', () => resolve(true));
  });
  if (!listening) return null;
  return {
    asked,
    models,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answer(path: string, body: string, response: ServerResponse, said: Said, models: string[]): void {
  const sendJson = (sent: object) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(sent));
  if (path === '/api/version') sendJson({ version: '0.12.0' });
  else if (path === '/v1/models') sendJson({ data: models.map((id) => ({ id })) });
  else if (path === '/api/ps')
    sendJson({ models: [{ name: 'qwen3:14b', model: 'qwen3:14b', context_length: 32_768 }] });
  else if (path === '/api/show') {
    sendJson({ capabilities: ['completion', 'tools'], model_info: { 'a.context_length': 40_960 } });
  } else if (path === '/v1/chat/completions') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const delta = said(JSON.parse(body) as Chat);
    const choice = { index: 0, delta, finish_reason: 'tool_calls' in delta ? 'tool_calls' : 'stop' };
    response.end(`data: ${JSON.stringify({ choices: [choice] })}\n\ndata: [DONE]\n\n`);
  } else response.writeHead(404).end();
}
