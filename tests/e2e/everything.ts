import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testCalls } from './everything-calls.ts';
import { testOffers } from './everything-offers.ts';
import { testRequests } from './everything-requests.ts';
import { type EverythingScene, type Kind, NAME, openEverything } from './everything-scene.ts';
import { addByHand } from './options-page.ts';
import { everythingDocs } from './real-servers.ts';
import { offered, until } from './scene.ts';

const TASK_ONLY = 'simulate-research-query';
const words = { streamableHttp: 'Streamable HTTP', sse: 'SSE' } as const;

/** What the reference server offers, used as a user does. The tests share a browser; each goes on after the one before. */
export function testEverything(kind: Kind): void {
  let scene: EverythingScene;
  beforeAll(async () => {
    scene = await openEverything(kind);
  });
  afterAll(() => scene.close());

  const panel = () => scene.portside.panel;
  const listed = () => scene.portside.command('listTools', { serverId: 1 });

  describe(`the reference server over ${words[kind]}`, () => {
    it('is added on the options page, which says when it is connected', async () => {
      await addByHand(scene.portside.options, {
        name: NAME,
        transport: words[kind],
        url: scene.url,
        trusted: true,
      });
      await until('its tools are all there', async () =>
        (await listed()).some(({ toolName }) => toolName === 'trigger-elicitation-request'),
      );
      for (const { toolName } of await listed()) {
        if (toolName === 'trigger-sampling-request') continue;
        await scene.portside.command('setTool', { serverId: 1, name: toolName, permission: 'allow' });
      }
      expect(await scene.portside.command('listServers')).toMatchObject([
        { server: { name: NAME, url: scene.url }, status: { state: 'connected' } },
      ]);
    });

    it('tells the model of itself, and of every tool but the one that only runs as a task', async () => {
      await scene.use('echo', { message: 'ahoy' });
      const [request] = scene.model.requests;
      const instructions = await readFile(join(everythingDocs, 'instructions.md'), 'utf8');
      expect(request?.body.messages[0]).toMatchObject({
        role: 'system',
        content: expect.stringContaining(instructions.trim()),
      });
      const names = request?.body.tools?.map((tool) => tool.function.name);
      const usable = (await listed()).filter(({ toolName }) => toolName !== TASK_ONLY);
      expect(names).toEqual(expect.arrayContaining(usable.map(({ fullName }) => fullName)));
      expect(names).not.toContain(offered(TASK_ONLY));
    });

    it('shows the user what it says of itself, and why a tool is not offered', async () => {
      await panel()
        .getByRole('button', { name: /^Servers: 1 connected/ })
        .click();
      const tools = panel().getByRole('dialog', { name: 'Tools for this chat' });
      await tools.getByRole('button', { name: `Tools from ${NAME}` }).click();
      await tools.getByText('Instructions from the server').click();
      await tools.getByText('Sent to the model with each request of this chat.').waitFor();
      await tools.getByText('Everything Server – Server Instructions').waitFor();
      await tools.getByRole('searchbox', { name: 'Search tools' }).fill(TASK_ONLY);
      await tools.getByText('only runs as a background task').waitFor();
      await tools.getByRole('button', { name: 'Close tools' }).click();
    });

    it('says to the model and on the card why that one cannot be called', async () => {
      const result = await scene.use(TASK_ONLY, { topic: 'tides' });
      expect(scene.told()).toContain('only runs as a background task');
      await result.getByText('only runs as a background task').waitFor();
    });

    testCalls(() => scene, kind);
    testRequests(() => scene, kind);
    testOffers(() => scene, kind);

    it('has what it logs in its log', async () => {
      await scene.use('toggle-simulated-logging');
      const page = scene.portside.options;
      await page.evaluate("location.hash = '#servers/1'");
      await page.getByRole('tab', { name: 'Log' }).click();
      await page
        .getByText(/(Debug|Info|Notice|Warning|Error|Critical|Emergency)-level message|Alert level-message/)
        .first()
        .waitFor();
      await scene.use('toggle-simulated-logging');
    });

    it('had every tool called that it has, but the one that only runs as a task', async () => {
      const called = new Set(scene.heard('tools/call').map(({ params }) => params?.['name']));
      const usable = (await listed()).map(({ toolName }) => toolName).filter((name) => name !== TASK_ONLY);
      expect([...called].toSorted()).toEqual(usable.toSorted());
    });
  });
}
