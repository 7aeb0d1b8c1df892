import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { openPortside, type Portside } from '../e2e/support/browser.ts';
import { addServer, provider, server as input } from '../e2e/support/inputs.ts';
import { call, type ModelServer, startModelServer, stream, text } from '../fakes/model-server.ts';
import { freePort } from '../mcp/free-port.ts';
import type { NpmServer } from './catalogue.ts';
import { environment, install, listen, newest } from './programs.ts';

/** Milliseconds for an app to draw, and for what it then still changes. */
const DRAWING = 30_000;
const SETTLING = 3000;
/** Fewer are a bare surface. */
const LEAST_COLOURS = 32;
/** Characters of what an app says. */
const MOST_WORDS = 60;

type Drawn = { name: string; version: string; tool: string; draws: boolean; says: string; note: string };

/**
 * Has the built extension show each app, and looks whether it draws: a table in Markdown goes to stdout, pictures to
 * `apps` in the cache. @returns whether all do
 */
export async function tryApps(servers: NpmServer[], cache: string): Promise<boolean> {
  const rows: Drawn[] = [];
  mkdirSync(join(cache, 'apps'), { recursive: true });
  mkdirSync(join(cache, 'home'), { recursive: true });
  for (const server of servers.filter(({ app }) => app)) {
    const row = await tryApp(server, cache);
    rows.push(row);
    process.stderr.write(`${row.draws ? 'draws' : 'DRAWS NOTHING'}: ${row.name} ${row.note}\n`);
  }
  const lines = rows.map(({ name, version, tool, draws, says, note }) => [
    name,
    version,
    tool,
    draws ? 'yes' : '**no**',
    inLine(says).slice(0, MOST_WORDS),
    inLine(note),
  ]);
  const head = ['server', 'version', 'tool', 'draws', 'says', 'note'];
  for (const cells of [head, head.map(() => '---'), ...lines])
    process.stdout.write(`| ${cells.join(' | ')} |\n`);
  return rows.every(({ draws }) => draws);
}

async function tryApp(server: NpmServer, cache: string): Promise<Drawn> {
  const { tool, args = {} } = typeof server.app === 'object' ? server.app : server.call;
  const row: Drawn = { name: server.name, version: '', tool, draws: false, says: '', note: '' };
  const cwd = mkdtempSync(join(tmpdir(), 'portside-apps-'));
  const tidying: (() => unknown)[] = [() => rmSync(cwd, { recursive: true, force: true })];
  try {
    row.version = await newest(server.name);
    const command = await install(server, row.version, cache, cwd);
    const port = await freePort();
    const env = { ...environment(cache), PORT: String(port) };
    const listening = await listen({ command: 'npx', args: command, env, cwd }, port, '/mcp');
    tidying.unshift(listening.close);
    const [portside, model] = await Promise.all([openPortside(), startModelServer()]);
    tidying.unshift(
      () => portside.expectComplaint(/^/), // what an app complains of is told in its row
      () => portside.close(),
      () => model.close(),
    );
    await portside.command('saveProvider', provider(model.url));
    const id = await addServer(portside, input(listening.url, { name: server.name, trusted: true }));
    for (const each of await portside.command('listTools', { serverId: id }))
      await portside.command('setTool', { serverId: id, name: each.toolName, permission: 'allow' });
    const app = await show(portside, model, `mcp__${id}__${tool}`, args);
    row.draws = await isDrawn(portside, app, join(cache, 'apps', `${server.name.split('/').at(-1)}.png`));
    row.says = await app.contentFrame().locator('body').innerText();
    row.note = [...new Set(portside.complaints().flatMap(hostIn))].join(', ');
  } catch (error) {
    row.note = inLine(String(error)).slice(0, 300);
  }
  for (const tidy of tidying) await tidy(); // the last first
  return row;
}

/** Has the model call the tool. @returns the frame of the app that shows it */
async function show({ panel }: Portside, model: ModelServer, name: string, args: object): Promise<Locator> {
  model.script(
    stream(call({ id: 'c1', name, arguments: JSON.stringify(args) })),
    stream(text('There it is.')),
  );
  await panel.getByRole('textbox', { name: 'Message' }).fill('Show me');
  await panel.getByRole('button', { name: 'Send', exact: true }).click();
  await panel.getByRole('article', { name: 'Assistant' }).getByText('There it is.').waitFor();
  const region = panel.getByRole('region', { name: 'App of' });
  await region.scrollIntoViewIfNeeded();
  await region.getByRole('button', { name: 'Fill the panel' }).click();
  const frame = region.locator('iframe');
  await frame.waitFor();
  return frame;
}

/** As the cell of a table. */
const inLine = (said: string): string =>
  said
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[|<>*_`\\[\]]/g, String.raw`\$&`);

/** Whether something is seen in the frame before long; what it is after a while is kept as a picture. */
async function isDrawn({ options }: Portside, frame: Locator, picture: string): Promise<boolean> {
  const looks = async (): Promise<boolean> => {
    const png = (await frame.screenshot({ animations: 'disabled' })).toString('base64');
    return (await options.evaluate(coloursIn, png)) >= LEAST_COLOURS;
  };
  for (const until = Date.now() + DRAWING; Date.now() < until && !(await looks());) await setTimeout(500);
  await setTimeout(SETTLING);
  writeFileSync(picture, await frame.screenshot());
  return looks();
}

async function coloursIn(png: string): Promise<number> {
  const bytes = Uint8Array.from(atob(png), (unit) => unit.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const context = new OffscreenCanvas(image.width, image.height).getContext('2d')!;
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  return new Set(new Uint32Array(data.buffer)).size;
}

/** The host that a complaint of the browser's is about. */
function hostIn(complaint: string): string[] {
  const host = /https?:\/\/([\w.-]{1,200})/.exec(complaint)?.[1];
  return host === undefined || host === '127.0.0.1' ? [] : [`${host} was not reached`];
}
