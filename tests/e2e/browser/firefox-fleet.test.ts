import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findFirefox } from '../../../scripts/setup/programs.mjs';
import { startMcpServer, type TestMcpServer } from '../../fakes/mcp-server.ts';
import { call, type ModelServer, startModelServer, stream, text } from '../../fakes/model-server.ts';
import { throughOptions, type WorkerAccess } from '../../zoo/browsers.ts';
import { openFirefox, type FirefoxWithExtension } from '../support/firefox.ts';
import { offered, provider } from '../support/inputs.ts';

const program = realpathSync(findFirefox() ?? '/');
/** Firefox reads its policies beside its program, unless the computer has some for every Firefox. */
const skipped = !existsSync(join(dirname(program), 'omni.ja'))
  ? ' (skipped: there is no Firefox whose folder is known)'
  : existsSync('/etc/firefox/policies/policies.json')
    ? ' (skipped: this computer’s Firefox has policies)'
    : '';

/** A Firefox of its own with these policies: the one that is installed, but for the folder in which they lie. */
function withPolicies(policies: object): string {
  const copy = mkdtempSync(join(tmpdir(), 'portside-firefox-fleet-'));
  const folder = dirname(program);
  for (const name of readdirSync(folder))
    if (name !== 'distribution' && name !== basename(program))
      symlinkSync(join(folder, name), join(copy, name));
  copyFileSync(program, join(copy, basename(program)));
  mkdirSync(join(copy, 'distribution'));
  writeFileSync(join(copy, 'distribution', 'policies.json'), JSON.stringify({ policies }));
  return copy;
}

describe.skipIf(skipped)(`a Firefox that an organisation manages${skipped}`, () => {
  let firefox: FirefoxWithExtension;
  let options: Page;
  let worker: WorkerAccess;
  let model: ModelServer;
  let mcp: TestMcpServer;
  let copy = '';

  beforeAll(async () => {
    [model, mcp] = await Promise.all([startModelServer(), startMcpServer()]);
    const policy = {
      providers: [
        { name: 'Gateway', preset: 'custom', baseUrl: model.url, model: 'fake-model', apiKey: 'org-key' },
      ],
      mcpServers: { Wiki: { type: 'http', url: mcp.url, trusted: true } },
      settings: { makeTitles: false },
      ownProviders: false,
      tools: { forbidden: ['Wiki/write_note'] },
    };
    copy = withPolicies({ '3rdparty': { Extensions: { 'portside@portside.dev': policy } } });
    vi.stubEnv('PORTSIDE_FIREFOX', join(copy, basename(program)));
    firefox = await openFirefox();
    options = await firefox.open('options.html');
    worker = await throughOptions({ evaluate: (expression) => options.evaluate(expression) });
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await Promise.all([firefox?.close(), model?.close(), mcp?.close()]);
    if (copy !== '') rmSync(copy, { recursive: true });
  });

  it('asks with what it set up, refuses what it forbids, and says so', async () => {
    await vi.waitUntil(async () =>
      (await worker.command('listServers')).some(({ status }) => status.state === 'connected'),
    );
    model.script(
      stream(call({ id: 'c1', name: offered('write_note'), arguments: '{"text":"a"}' })),
      stream(text('It was not written.')),
    );
    const message = { id: crypto.randomUUID(), text: 'Write it down' };
    await worker.command('startRun', { conversationId: 'c', runId: crypto.randomUUID(), message });
    const told = await model.waitForRequest(1);
    expect(told.headers.authorization).toBe('Bearer org-key');
    expect(JSON.stringify(told.body.messages.at(-1))).toContain('organisation');
    expect(JSON.stringify(told.body.tools)).not.toContain(offered('write_note'));
    expect(mcp.executions).toEqual([]);
    await expect(worker.command('saveProvider', provider(model.url))).rejects.toThrow(/organisation/);

    await options.evaluate("location.hash = '#models'");
    await options.waitForSelector(
      '::-p-aria([name="Gateway"][role="region"]) ::-p-text(Set by your organisation)',
    );
    expect(firefox.complaints).toEqual([]);
  });
});
