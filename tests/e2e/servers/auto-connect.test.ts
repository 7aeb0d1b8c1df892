import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildExtension } from '../../../scripts/build.ts';
import { command } from '../../../scripts/start/extension.ts';
import { startMcpServer } from '../../fakes/mcp-server.ts';
import { inUntouchedBrowser, openBareBrowser } from '../support/bare-browser.ts';
import { addServer, server } from '../support/inputs.ts';
import { until } from '../support/until.ts';
import { launchWatched } from '../support/watched-browser.ts';

it('a browser that starts connects the servers that are on, though no page of Portside’s is opened', async () => {
  const profile = mkdtempSync(join(tmpdir(), 'portside-auto-'));
  const [on, off] = [await startMcpServer(), await startMcpServer()];
  try {
    const browser = await openBareBrowser(profile);
    await addServer(browser, server(on.url, { name: 'On' }));
    await browser.command('addServer', server(off.url, { name: 'Off', enabled: false }));
    await browser.close();
    on.requests.length = 0;
    await inUntouchedBrowser(profile, () =>
      until('the server gets its connection', () =>
        on.requests.some((request) => request.startsWith('POST')),
      ),
    );
    expect(off.requests).toEqual([]);
  } finally {
    await Promise.all([on.close(), off.close()]);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}, 90_000);

it('an update connects them too, though no page is open', async () => {
  const on = await startMcpServer();
  const path = await buildExtension({ browser: 'chrome', granted: true });
  const browser = await launchWatched({ extension: path, headless: true });
  try {
    const { options } = browser;
    await addServer(
      { command: (name, ...request) => command(options, name, ...request) },
      server(on.url, { name: 'On' }),
    );
    await options.goto('about:blank');
    on.requests.length = 0;
    const devtools = await browser.context.browser()?.newBrowserCDPSession();
    await devtools?.send('Extensions.loadUnpacked', { path }); // over what is there: to the browser an update
    await until('the server gets its connection', () => on.requests.some((each) => each.startsWith('POST')));
    expect(browser.context.pages().map((page) => page.url())).toEqual(['about:blank']);
  } finally {
    await Promise.all([browser.close(), on.close()]);
  }
}, 90_000);
