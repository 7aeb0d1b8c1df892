import { describe, expect, it } from 'vitest';
import { startMcpServer } from '../fakes/mcp-server.ts';
import { call, startModelServer, stream, text } from '../fakes/model-server.ts';
import { openBareBrowser } from './bare-browser.ts';
import { offered, until } from './scene.ts';

/** Chromium ends a worker 30.0 s after its last extension event; this is well past it. */
const WELL_PAST_MS = 40_000;

const question = { conversationId: 'c1', runId: 'r1', message: { id: 'm1', text: 'Note it' } };
const note = call({ id: 'n1', name: offered('write_note'), arguments: '{"text":"x"}' });

/** A browser without a debugger on its worker, and its two servers. */
async function openBareScene(permission: 'ask' | 'allow') {
  const [model, mcp, browser] = await Promise.all([startModelServer(), startMcpServer(), openBareBrowser()]);
  model.script(stream(note), stream(text('Noted.')));
  await browser.command('saveProvider', { name: 'Test', baseUrl: model.url, model: 'test' });
  const fields = { name: 'Test', transport: 'streamable-http', enabled: true, toolTimeout: 120_000 } as const;
  const server = await browser.command('saveServer', { ...fields, url: mcp.url });
  await browser.command('reconnectServer', server);
  await browser.command('setTool', { serverId: server.id, name: 'write_note', permission });
  const close = () => Promise.all([browser.close(), model.close(), mcp.close()]);
  return { model, mcp, browser, close };
}

describe.concurrent('the worker’s life', () => {
  it('lasts as long as a run works, with no panel open, and ends when there is nothing to do', async () => {
    const { model, mcp, browser, close } = await openBareScene('allow');
    mcp.hold('write_note');
    await browser.command('startRun', question);
    await mcp.until(() => mcp.executions.length === 1);
    const worker = await browser.worker();
    expect(worker).toBeDefined();
    await new Promise((resolve) => setTimeout(resolve, WELL_PAST_MS));
    expect(await browser.worker()).toBe(worker);
    mcp.release('write_note');
    await model.waitForRequest(1);
    expect(mcp.executions).toHaveLength(1);
    await until('the idle worker ends', async () => (await browser.worker()) === undefined, 60_000);
    await close();
  }, 180_000);

  it('ends while a run waits for an approval, and the decision brings it back to finish', async () => {
    const { model, mcp, browser, close } = await openBareScene('ask');
    await browser.command('startRun', question);
    await model.waitForRequest(0);
    await until('the waiting worker ends', async () => (await browser.worker()) === undefined, 90_000);
    expect(mcp.executions).toEqual([]);
    const callId = `${await assistantMessageId(browser)}.0`;
    await browser.command('resolveCall', { callId, decision: 'allow' });
    await model.waitForRequest(1);
    expect(mcp.executions).toHaveLength(1);
    await close();
  }, 180_000);
});

async function assistantMessageId(browser: Awaited<ReturnType<typeof openBareBrowser>>): Promise<string> {
  const { messages } = await browser.command('olderMessages', {
    conversationId: 'c1',
    before: { seq: Number.MAX_SAFE_INTEGER, sub: 0 },
  });
  return messages.find(({ role }) => role === 'assistant')?.id ?? '';
}
