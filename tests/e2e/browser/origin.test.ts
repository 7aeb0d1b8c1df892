import { createServer, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMcpServer, type TestMcpServer } from '../../fakes/mcp-server.ts';
import { type ModelServer, startModelServer } from '../../fakes/model-server.ts';
import { openPortside, type Portside } from '../support/browser.ts';
import { addServer, server as mcpServer } from '../support/scene.ts';

/** Stands before a server and, as Ollama and many MCP servers do, answers 403 to whatever has an Origin. */
async function startGuard(target: string): Promise<{ url: string; origins: string[]; close: () => void }> {
  const origins: string[] = [];
  const server = createServer((asked, answer) => {
    if (asked.headers.origin !== undefined) {
      origins.push(asked.headers.origin);
      return void answer.writeHead(403).end();
    }
    const { method = 'GET', headers, url } = asked;
    const passed = request(new URL(url ?? '/', target), { method, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const url = `http://127.0.0.1:${port}${new URL(target).pathname}`;
  return { url, origins, close: () => server.close().closeAllConnections() };
}

describe('a server that answers 403 to any Origin', () => {
  let portside: Portside;
  let model: ModelServer;
  let mcp: TestMcpServer;

  beforeAll(async () => {
    [model, mcp, portside] = await Promise.all([startModelServer(), startMcpServer(), openPortside()]);
  });
  afterAll(async () => {
    await portside.close();
    await Promise.all([model.close(), mcp.close()]);
  });

  it('answers as a provider: first asked, then saved, then after the worker died', async () => {
    const guard = await startGuard(model.url);
    const address = { preset: 'custom', baseUrl: guard.url } as const;
    const listed = await portside.command('listModels', address);
    expect(listed.length).toBeGreaterThan(0);
    const { id } = await portside.command('saveProvider', {
      ...address,
      name: 'Guarded',
      model: 'test-model',
    });
    await portside.endWorker();
    expect(await portside.command('refreshModels', { providerId: id })).toEqual({ count: listed.length });
    expect(guard.origins).toEqual([]);
    await portside.command('removeProvider', { id });
    guard.close();
  });

  it('answers as an MCP server', async () => {
    const guard = await startGuard(mcp.url);
    const id = await addServer(portside, mcpServer(guard.url, { name: 'Guarded' }));
    expect(guard.origins).toEqual([]);
    await portside.command('removeServer', { id });
    guard.close();
  });

  it('still sees the Origin of what is not set up: the rule is for the user’s hosts only', async () => {
    const guard = await startGuard(mcp.url);
    portside.expectComplaint(/status of 403/);
    const status = await portside.options.evaluate(
      (url) => fetch(url, { method: 'POST' }).then((answer) => answer.status),
      guard.url,
    );
    expect(status).toBe(403);
    expect(guard.origins).toEqual([`chrome-extension://${portside.extensionId}`]);
    guard.close();
  });
});
