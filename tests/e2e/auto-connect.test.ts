import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startMcpServer } from '../fakes/mcp-server.ts';
import { inUntouchedBrowser, openBareBrowser } from './bare-browser.ts';
import { addServer, server } from './inputs.ts';
import { until } from './until.ts';

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
