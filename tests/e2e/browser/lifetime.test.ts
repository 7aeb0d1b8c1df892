import { describe, expect, it } from 'vitest';
import { startMcpServer, type TestMcpServer } from '../../fakes/mcp-server.ts';
import { call, type ModelServer, startModelServer, stream, text } from '../../fakes/model-server.ts';
import { type BareBrowser, openBareBrowser } from '../support/bare-browser.ts';
import { addServer, offered, provider, server, until } from '../support/scene.ts';

/** Chromium ends a worker 30.0 s after its last extension event; this is well past it. */
const WELL_PAST_MS = 40_000;

const question = { conversationId: 'c1', runId: 'r1', message: { id: 'm1', text: 'Note it' } };
const note = call({ id: 'n1', name: offered('write_note'), arguments: '{"text":"x"}' });

type BareScene = { model: ModelServer; mcp: TestMcpServer; browser: BareBrowser };

/** Works with a browser without a debugger on its worker and with its two servers; all three end with the work. */
async function inBareScene(permission: 'ask' | 'allow', work: (scene: BareScene) => Promise<void>) {
  const [model, mcp] = await Promise.all([startModelServer(), startMcpServer()]);
  try {
    const browser = await openBareBrowser();
    try {
      model.script(stream(note), stream(text('Noted.')));
      await browser.command('saveProvider', provider(model.url));
      const id = await addServer(browser, server(mcp.url, { toolTimeout: 120_000 }));
      await browser.command('setTool', { serverId: id, name: 'write_note', permission });
      await work({ model, mcp, browser });
    } finally {
      await browser.close();
    }
  } finally {
    await Promise.all([model.close(), mcp.close()]);
  }
}

describe.concurrent('the worker’s life', () => {
  it(
    'lasts as long as a run works, with no panel open, and ends when there is nothing to do',
    () =>
      inBareScene('allow', async ({ model, mcp, browser }) => {
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
      }),
    180_000,
  );

  it(
    'ends while a run waits for an approval, and the decision brings it back to finish',
    () =>
      inBareScene('ask', async ({ model, mcp, browser }) => {
        await browser.command('startRun', question);
        await model.waitForRequest(0);
        await until('the waiting worker ends', async () => (await browser.worker()) === undefined, 90_000);
        expect(mcp.executions).toEqual([]);
        const callId = `${await assistantMessageId(browser)}.0`;
        await browser.command('resolveCall', { callId, decision: 'allow' });
        await model.waitForRequest(1);
        expect(mcp.executions).toHaveLength(1);
      }),
    180_000,
  );
});

/** While its call waits, the assistant's message is the last one. */
async function assistantMessageId(browser: BareBrowser): Promise<string> {
  const { conversations } = await browser.command('listConversations', {});
  return conversations[0]?.leafId ?? '';
}
