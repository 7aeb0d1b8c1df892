import { afterEach, describe, expect, it } from 'vitest';
import { readSetup } from '../../../scripts/start/extension.ts';
import { startModelServer } from '../../fakes/model-server.ts';
import type { Portside } from '../support/browser.ts';
import { borrowPortside } from '../support/shared-browser.ts';

let portside: Portside | undefined;

afterEach(async () => {
  await portside?.close();
  portside = undefined;
});

/** Hands the browser over to the test, which expects its end to fail. */
function taken(): Portside {
  if (!portside) throw new Error('No browser was opened.');
  const own = portside;
  portside = undefined;
  return own;
}

describe('the browser fixture', () => {
  it('opens the real side panel, twice, beside the options page', async () => {
    portside = await borrowPortside();
    expect(portside.panel.url()).toBe(`chrome-extension://${portside.extensionId}/sidepanel.html`);
    expect(portside.options.url()).toContain('/options.html');
    const first = portside.panel;
    const second = await portside.reopenPanel();
    expect(first.isClosed()).toBe(true);
    expect(await second.evaluate('location.href')).toBe(first.url());
  });

  it('has an extension whose worker answers commands, also after its end', async () => {
    portside = await borrowPortside();
    const none = { conversations: [], hasMore: false, count: 0 };
    expect(await portside.command('listConversations', {})).toEqual(none);
    await portside.endWorker();
    expect(await portside.command('listConversations', {})).toEqual(none);
  });

  it('fails at the end for a console error, a CSP report, and what a page or the worker left uncaught', async () => {
    portside = await borrowPortside();
    const { panel, context, complaints } = portside;
    await panel.evaluate(`console.error('said by the panel')`);
    await panel.evaluate(`void Promise.reject(new Error('left by the panel'))`);
    await panel.evaluate(
      `document.body.append(Object.assign(document.createElement('script'), { text: '1' }))`,
    );
    await context.serviceWorkers().at(-1)?.evaluate(`void Promise.reject(new Error('left by the worker'))`);
    for (const text of [
      'said by the panel',
      'left by the panel',
      'Content Security Policy',
      'left by the worker',
    ]) {
      await expect.poll(() => complaints().join('\n')).toContain(text);
    }
    await expect(taken().close()).rejects.toThrow('said by the panel');
  });

  it('passes over a complaint that the test declared, and no other', async () => {
    portside = await borrowPortside();
    portside.expectComplaint(/status of 418/);
    await portside.panel.evaluate(`console.error('a status of 418'), console.error('a status of 500')`);
    await expect.poll(() => portside?.complaints().length).toBe(1);
    await expect(taken().close()).rejects.toThrow('a status of 500');
  });

  it('finds Portside just installed where a test before it used the same browser', async () => {
    portside = await borrowPortside();
    const { context } = portside;
    await portside.command('saveSettings', { theme: 'dark' });
    await portside.panel.evaluate(`localStorage.setItem('kept', 'yes')`);
    await portside.close();
    portside = await borrowPortside();
    expect(portside.context).toBe(context);
    expect((await readSetup(portside.options)).settings.theme).toBe('system');
    expect(await portside.panel.evaluate('localStorage.length')).toBe(0);
    expect(context.pages()).toHaveLength(2);
  });
});

describe('a page that the user did not ask about', () => {
  it('has nothing of the extension in it while no new chat looks what is selected', async () => {
    portside = await borrowPortside();
    const { panel } = portside;
    const opened = panel.url();
    await panel.goto('about:blank');
    const site = await startModelServer();
    const manifest = await portside.options.evaluate('chrome.runtime.getManifest()');
    expect(manifest).not.toHaveProperty('content_scripts');
    const page = await portside.context.newPage();
    const devtools = await portside.context.newCDPSession(page);
    const contexts: { origin: string; name: string }[] = [];
    devtools.on('Runtime.executionContextCreated', ({ context }) => contexts.push(context));
    await devtools.send('Runtime.enable');
    await page.goto(site.url);
    await page.evaluate('new Promise((idle) => requestIdleCallback(idle))');
    expect(contexts.some(({ origin }) => origin === new URL(site.url).origin)).toBe(true);
    expect(
      contexts.filter(({ origin, name }) => `${origin} ${name}`.includes(portside?.extensionId ?? '')),
    ).toEqual([]);
    await panel.goto(opened);
    await site.close();
  });
});
