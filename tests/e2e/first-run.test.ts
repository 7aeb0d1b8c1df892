import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Portside } from './browser.ts';
import { borrowPortside } from './shared-browser.ts';

/** Where Ollama listens and where it is looked for; a computer on which it runs has no room for a stand-in. */
const PORT = 11434;

let ollama: Server;
let asked: string[];
let portside: Portside;

const sendJson = (response: ServerResponse, body: object) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** As much of Ollama as is asked; like the real one it refuses every request that tells an extension's origin. */
function answer(path: string, response: ServerResponse): void {
  if (path === '/api/version') sendJson(response, { version: '0.12.0' });
  else if (path === '/v1/models') sendJson(response, { data: [{ id: 'qwen3:14b' }] });
  else if (path === '/api/ps') {
    sendJson(response, { models: [{ name: 'qwen3:14b', context_length: 32_768 }] });
  } else if (path === '/api/show') {
    sendJson(response, { capabilities: ['completion', 'tools'], model_info: { 'a.context_length': 40_960 } });
  } else if (path === '/v1/chat/completions') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const choice = { index: 0, delta: { content: 'Hello from here.' }, finish_reason: 'stop' };
    response.end(`data: ${JSON.stringify({ choices: [choice] })}\n\ndata: [DONE]\n\n`);
  } else response.writeHead(404).end();
}

beforeEach(async ({ skip }) => {
  asked = [];
  ollama = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.headers.origin === undefined) answer(request.url ?? '', response);
    else response.writeHead(403).end();
  });
  const listening = await new Promise<boolean>((resolve) => {
    ollama.once('error', () => resolve(false)).listen(PORT, '127.0.0.1', () => resolve(true));
  });
  skip(!listening, `Something listens at port ${PORT} already.`);
  portside = await borrowPortside();
});
afterEach(async () => {
  await portside?.close();
  if (!ollama.listening) return;
  ollama.closeAllConnections();
  ollama.close();
  await once(ollama, 'close');
});

describe('the first run', () => {
  it('finds Ollama on this computer, and one click leads to a working chat', async () => {
    const { panel } = portside;
    await panel.getByText('Found on this computer').waitFor();
    await panel.getByText('LM Studio and llama.cpp did not answer.').waitFor();
    const looks = asked.filter((line) => line === 'GET /api/version').length;
    expect(looks).toBe(1);

    await panel.getByRole('button', { name: 'Use qwen3:14b' }).click();
    await panel.getByRole('combobox', { name: 'Model' }).filter({ hasText: 'qwen3:14b' }).waitFor();
    expect(await panel.locator(':focus').getAttribute('aria-label')).toBe('Message');
    await panel.getByRole('textbox', { name: 'Message' }).fill('Hello');
    await panel.getByRole('button', { name: 'Send', exact: true }).click();
    await panel.getByRole('article', { name: 'Assistant' }).getByText('Hello from here.').waitFor();
  });

  it('looks again only when it is asked to', async () => {
    const { panel } = portside;
    await panel.getByText('Found on this computer').waitFor();
    const again = await portside.reopenPanel();
    await again.getByRole('button', { name: 'Look again' }).waitFor();
    const before = asked.filter((line) => line === 'GET /api/version').length;
    await again.getByRole('button', { name: 'Look again' }).click();
    await expect.poll(() => asked.filter((line) => line === 'GET /api/version').length).toBe(before + 1);
  });
});
