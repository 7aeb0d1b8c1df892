import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startOAuthServer, type OAuthServerOptions, type TestOAuthServer } from '../../fakes/oauth-server.ts';
import { startProtectedServer, type ProtectedServer } from '../../fakes/protected-server.ts';
import { outline } from '../../fakes/rows.ts';
import { openAdvanced, serverLine } from '../support/options-page.ts';
import { call, gate, stream, text } from '../../fakes/model-server.ts';
import { type Scene, scenes, server, until } from '../support/scene.ts';

const shared = scenes();
let scene: Scene;
let oauth: TestOAuthServer;
let guarded: ProtectedServer;
let id: number;

beforeEach(async () => {
  scene = await shared.next();
  // What Chromium itself writes to the console for a request that is refused.
  scene.portside.expectComplaint(/Failed to load resource/);
  oauth = await startOAuthServer({ consent: 'click' });
  guarded = await startProtectedServer(oauth, { scope: 'read', toolScopes: { write_note: 'write' } });
  const added = await scene.portside.command('addServer', server(guarded.url, { name: 'Guarded' }));
  id = added.id ?? -1;
  await scene.portside.options.evaluate("location.hash = '#servers'");
});
afterEach(async () => {
  await Promise.all([oauth.close(), guarded.close()]);
});

const listing = async () =>
  (await scene.portside.command('listServers')).find((listed) => listed.server.id === id);
const status = async () => (await listing())?.status;
const connected = () => until('the server is connected', async () => (await status())?.state === 'connected');
const behave = (options: OAuthServerOptions) => oauth.behave(options);

/** The server's line on the options page. */
const line = (page: Page = scene.portside.options) => serverLine(page, 'Guarded');
/** Presses Sign in on the options page. @returns the browser's window, with its page in it */
async function openWindow(page?: Page): Promise<Page> {
  const opened = scene.portside.context.waitForEvent('page');
  await line(page).getByRole('button', { name: 'Sign in' }).click();
  const window = await opened;
  await window.getByRole('link', { name: 'Allow' }).waitFor();
  return window;
}
/** Has the user sign in, and answers in the browser's window. */
const signIn = async (answer: (window: Page) => Promise<unknown>) => answer(await openWindow());
/** The browser may close the window while the click is still being told. */
const press = (name: string) => (window: Page) =>
  window
    .getByRole('link', { name })
    .click()
    .catch((error: unknown) => {
      if (!window.isClosed()) throw error;
    });
const allow = press('Allow');

describe('a server that wants a sign-in', () => {
  it('says so without an error, and is connected once the user has signed in', async () => {
    const before = await status();
    expect(before).toMatchObject({ state: 'disconnected', reason: 'sign_in' });
    expect(before).not.toHaveProperty('error');
    await signIn(allow);
    await connected();
    expect((await listing())?.server).toMatchObject({ signedIn: { issuer: oauth.issuer, scope: 'read' } });
    expect(oauth.registrations).toMatchObject([{ client_name: 'Portside' }]);
  });

  it('is offered by the form that adds a server, which is then called as it calls itself', async () => {
    const page = scene.portside.options;
    await scene.portside.command('removeServer', { id });
    await page.evaluate("location.hash = '#servers/add'");
    await page.getByLabel('URL', { exact: true }).fill(guarded.url);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const { host } = new URL(guarded.url);
    await page.getByText(`Sign in needed: ${host}`).waitFor();
    const opened = scene.portside.context.waitForEvent('page');
    await serverLine(page, host).getByRole('button', { name: 'Sign in' }).click();
    await allow(await opened);
    await page.getByText(/^Connected: /).waitFor();
    // Its own name comes with the connection, a moment after the status.
    await page.getByText(`Connected: ${host}`).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Back to the chat' }).waitFor();
  });

  it('says in words that consent was denied, or that the window was closed, and can be asked again', async () => {
    await signIn(press('Deny'));
    await line().getByRole('alert').getByText('did not let Portside use Guarded on your behalf').waitFor();
    await signIn((window) => window.close());
    await line().getByRole('alert').getByText('was not finished').waitFor();
    expect(await status()).toMatchObject({ reason: 'sign_in' });
    await signIn(allow);
    await connected();
  });

  it('renews its tokens silently in mid-conversation, and after the worker was ended', async () => {
    const { portside, model, ask, articles, idle, stored } = scene;
    behave({ lifetime: 2 });
    await signIn(allow);
    await connected();
    for (const name of ['add', 'look_up']) {
      await portside.command('setTool', { serverId: id, name, permission: 'allow' });
    }
    const tool = (name: string, args: string) =>
      call({ id: name, name: `mcp__${id}__${name}`, arguments: args });
    const pause = gate();
    model.script(
      stream(tool('add', '{"a":1,"b":2}')),
      stream(pause, tool('look_up', '{"word":"port"}')),
      stream(text('Done.')),
    );
    await ask('Hello');
    await pause.reached;
    oauth.expire();
    pause.open();
    await articles('Assistant').getByText('Done.').waitFor();
    await idle();
    const refreshes = () => oauth.requests.filter((each) => each === 'POST /token refresh_token').length;
    const before = refreshes();
    expect(before).toBeGreaterThan(0);
    oauth.expire();
    await portside.endWorker();
    model.script(stream(tool('add', '{"a":3,"b":4}')), stream(text('Seven.')));
    await ask('Again');
    await articles('Assistant').getByText('Seven.').waitFor();
    expect(refreshes()).toBeGreaterThan(before);
    expect(outline((await stored()).messages)).toEqual([
      'user: Hello',
      'assistant: ',
      'tool: 3',
      'assistant: ',
      'tool: port: a word',
      'assistant: Done.',
      'user: Again',
      'assistant: ',
      'tool: 7',
      'assistant: Seven.',
    ]);
    expect(oauth.authorizations).toHaveLength(1);
  });

  it('asks for more once a tool needs more, and again, without an error, once the renewal is refused', async () => {
    await signIn(allow);
    await connected();
    const { portside } = scene;
    const write = () =>
      portside.command('callTool', {
        callId: crypto.randomUUID(),
        fullName: `mcp__${id}__write_note`,
        arguments: { text: 'hi' },
      });
    await write();
    await until('a wider sign-in is asked for', async () => (await status())?.scope === 'write');
    await signIn(allow);
    await connected();
    expect(oauth.authorizations.at(-1)?.get('scope')).toBe('read write');
    expect(await write()).toMatchObject({ result: { isError: false } });

    oauth.expire('refresh');
    expect(await write()).toMatchObject({
      result: { isError: true, text: expect.stringContaining('sign in') },
    });
    expect(await status()).toMatchObject({ state: 'disconnected', reason: 'sign_in' });
    expect(await status()).not.toHaveProperty('error');
    await signIn(allow);
    await connected();
    expect(await write()).toMatchObject({ result: { isError: false } });
  });

  it('is connected though the worker ended while the window was open', async () => {
    const window = await openWindow();
    await scene.portside.endWorker();
    await allow(window);
    await connected();
    expect((await listing())?.server).toMatchObject({ signedIn: { issuer: oauth.issuer } });
    expect(oauth.authorizations).toHaveLength(1);
    expect(oauth.registrations).toHaveLength(1);
  });

  it('shows one window to two pages: the second one says so', async () => {
    const { context, options } = scene.portside;
    const other = await context.newPage();
    await other.goto(options.url());
    const window = await openWindow(other);
    await line().getByRole('button', { name: 'Sign in' }).click();
    await line().getByRole('alert').getByText('Another sign-in is in progress.').waitFor();
    await allow(window);
    await connected();
    expect(oauth.authorizations).toHaveLength(1);
  });

  it('can be signed in at again at once when the page that asked was closed', async () => {
    const { context, options } = scene.portside;
    const other = await context.newPage();
    await other.goto(options.url());
    const window = await openWindow(other);
    await other.close();
    await signIn(allow);
    await connected();
    expect(window.isClosed()).toBe(true);
    expect(oauth.registrations).toHaveLength(1);
  });

  it('needs no second window when its page was closed and the user is known there', async () => {
    const { context, options } = scene.portside;
    const other = await context.newPage();
    await other.goto(options.url());
    await openWindow(other);
    await other.close();
    behave({ consent: 'allow' });
    await line().getByRole('button', { name: 'Sign in' }).click();
    await connected();
    expect(oauth.registrations).toHaveLength(1);
  });

  it('has its tokens revoked when it is removed', async () => {
    await signIn(allow);
    await connected();
    await scene.portside.command('removeServer', { id });
    await until('the tokens are revoked', async () => oauth.refreshTokens.size === 0);
    expect(await listing()).toBeUndefined();
  });

  it('has its tokens revoked by Sign out, and then wants a sign-in again', async () => {
    await signIn(allow);
    await connected();
    const token = guarded.tokens.at(-1) ?? '';
    await scene.portside.command('signOut', { id });
    await until('the tokens are revoked', async () => !oauth.accessOf(token) && !oauth.refreshTokens.size);
    await until('a sign-in is asked for', async () => (await status())?.reason === 'sign_in');
    expect((await listing())?.server).not.toHaveProperty('signedIn');
  });

  it('is signed in to by an organisation’s identity provider, and its page shows the scopes', async () => {
    const provider = await startOAuthServer({
      idTokens: true,
      clientMetadataDocuments: true,
      consent: 'click',
    });
    onTestFinished(() => provider.close());
    behave({
      clients: { portside: 's3cret' },
      registration: false,
      refresh: 'none',
      trusts: (idJag) => provider.idJags.get(idJag),
    });
    const page = scene.portside.options;
    const fill = (label: string, value: string) => page.getByLabel(label, { exact: true }).fill(value);
    await scene.portside.command('removeServer', { id });
    await page.evaluate("location.hash = '#servers/add'");
    await fill('URL', guarded.url);
    await openAdvanced(page);
    await fill('Name', 'Guarded');
    await page.getByText('OAuth client', { exact: true }).click();
    await fill('Client ID', 'portside');
    await fill('Client secret', 's3cret');
    await fill('Identity provider', provider.issuer);
    await fill('Client ID there', 'https://portside.example/at-provider');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const opened = scene.portside.context.waitForEvent('page');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await allow(await opened);
    await page.getByText(/^Connected: /).waitFor();
    expect([provider.authorizations.length, oauth.authorizations.length]).toEqual([1, 0]);
    const servers = (await scene.portside.command('listServers')).map((listed) => listed.server);
    const added = servers.find(({ name }) => name === 'Guarded')?.id;
    await page.evaluate(`location.hash = '#servers/${added}/configuration'`);
    await page.getByText('Scopes: read.').waitFor();
  });
});
