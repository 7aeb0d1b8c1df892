import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testCalls } from './everything-calls.ts';
import { testOffers } from './everything-offers.ts';
import { testRequests } from './everything-requests.ts';
import { type EverythingScene, type Kind, NAME, openEverything } from './everything-scene.ts';
import { addByHand } from '../support/options-page.ts';
import { everythingDocs } from './real-servers.ts';
import { until } from '../support/scene.ts';

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

    it('tells the model of itself, and of every tool', async () => {
      await scene.use('echo', { message: 'ahoy' });
      const [request] = scene.model.requests;
      const instructions = await readFile(join(everythingDocs, 'instructions.md'), 'utf8');
      expect(request?.body.messages[0]).toMatchObject({
        role: 'system',
        content: expect.stringContaining(instructions.trim()),
      });
      const names = request?.body.tools?.map((tool) => tool.function.name);
      expect(names).toEqual(expect.arrayContaining((await listed()).map(({ fullName }) => fullName)));
    });

    it('shows the user what it says of itself', async () => {
      await panel()
        .getByRole('button', { name: /^Servers: 1 connected/ })
        .click();
      const tools = panel().getByRole('dialog', { name: 'Tools for this chat' });
      await tools.getByRole('button', { name: `Tools from ${NAME}` }).click();
      await tools.getByText('Instructions from the server').click();
      await tools.getByText('Sent to the model with each request of this chat.').waitFor();
      await tools.getByText('Everything Server – Server Instructions').waitFor();
      await tools.getByRole('button', { name: 'Close tools' }).click();
    });

    testCalls(() => scene, kind);
    testRequests(() => scene, kind);
    testOffers(() => scene, kind);

    it('has what it logs in its log', async () => {
      await scene.toggle('toggle-simulated-logging');
      const page = scene.portside.options;
      await page.evaluate("location.hash = '#servers/1'");
      await page.getByRole('tab', { name: 'Log' }).click();
      await page
        .getByText(/(Debug|Info|Notice|Warning|Error|Critical|Emergency)-level message|Alert level-message/)
        .first()
        .waitFor();
      await scene.toggle('toggle-simulated-logging');
    });

    it('had every tool called that it has', async () => {
      const called = new Set(scene.heard('tools/call').map(({ params }) => params?.['name']));
      expect([...called].toSorted()).toEqual((await listed()).map(({ toolName }) => toolName).toSorted());
    });
  });
}
