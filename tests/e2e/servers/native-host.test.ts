import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ServerInput } from '../../../lib/protocol/servers.ts';
import { findChromium } from '../../../scripts/setup/programs.mjs';
import { installInProfile } from '../../../scripts/start/native-host.ts';
import { call, type ModelServer, startModelServer, stream, text } from '../../fakes/model-server.ts';
import { openPortside, type Portside } from '../support/browser.ts';
import { addServer, type Chat, chatIn, provider, until } from '../support/scene.ts';

const require = createRequire(import.meta.url);
const everything = require.resolve('@modelcontextprotocol/server-everything/dist/index.js');
const files = require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js');
const memory = require.resolve('@modelcontextprotocol/server-memory/dist/index.js');
const thinking = require.resolve('@modelcontextprotocol/server-sequential-thinking/dist/index.js');
const devtools = require.resolve('chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js');
const tools = join(import.meta.dirname, '../../native-host/fixtures/tools.ts');

let profile: string;
let model: ModelServer;
let portside: Portside;
let chat: Chat;

const program = (name: string, ...args: string[]): ServerInput => ({
  name,
  enabled: true,
  toolTimeout: 60_000,
  trusted: true,
  oneAtATime: false,
  transport: 'stdio',
  command: process.execPath,
  args,
  launchAllowed: true,
});

/** For chrome-devtools-mcp: a browser of its own that needs no screen. */
const ownBrowser = (): string[] => [
  '--headless',
  '--userDataDir',
  join(profile, 'devtools'),
  '--executablePath',
  findChromium() ?? '',
  '--chromeArg=--no-sandbox',
  '--no-usage-statistics',
];

/** Processes whose command line holds all of these, among them the test's own profile. */
function pids(...words: string[]): number[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,args=', '-ww'], { encoding: 'utf8', maxBuffer: 1 << 26 })
    .split('\n')
    .filter((line) => [profile, ...words].every((word) => line.includes(word)))
    .map((line) => Number.parseInt(line, 10));
}
const kill = (...words: string[]): void => {
  for (const pid of pids(...words)) process.kill(pid, 'SIGKILL');
};

const use = (name: string, args: object = {}) =>
  call({ id: `${name}-${Math.random()}`, name, arguments: JSON.stringify(args) });
const last = async () => (await chat.stored()).toolCalls.at(-1);

beforeAll(async () => {
  profile = mkdtempSync(join(tmpdir(), 'portside-native-'));
  writeFileSync(join(profile, 'note.txt'), 'Kept at the harbour office.');
  [model] = await Promise.all([startModelServer(), installInProfile(profile)]);
  portside = await openPortside({ profile });
  chat = chatIn(portside);
  await portside.command('saveProvider', provider(model.url));
  const servers = [
    program('Everything', everything),
    program('Files', files, profile),
    { ...program('Memory', memory, profile), env: { MEMORY_FILE_PATH: join(profile, 'memory.jsonl') } },
    program('Thinking', thinking, profile),
    program('DevTools', devtools, ...ownBrowser()),
    program('Tools', tools, 'plain', profile),
    program('Stubborn', tools, 'stubborn', profile),
  ];
  await Promise.all(servers.map((server) => addServer(portside, server)));
});
afterAll(async () => {
  await model.close();
  rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
});

describe('programs on this computer', () => {
  // What one program said would have an allowed tool of another asked about.
  beforeEach(() => portside.panel.getByRole('button', { name: 'New chat' }).click());

  const idOf = async (name: string): Promise<number> => {
    const servers = await portside.command('listServers');
    return servers.find(({ server }) => server.name === name)?.server.id ?? 0;
  };
  const offeredBy = async (name: string, tool: string): Promise<string> =>
    `mcp__${await idOf(name)}__${tool}`;
  const allow = async (name: string, ...allowed: string[]): Promise<void> => {
    const serverId = await idOf(name);
    for (const tool of allowed)
      await portside.command('setTool', { serverId, name: tool, permission: 'allow' });
  };

  const harbour = { name: 'Harbour', entityType: 'place', observations: ['It is deep.'] };
  const thought = { thought: 'Ask the pilot.', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };

  it('answer in one conversation, like any other server', async () => {
    const asked: [server: string, tool: string, args: object, answer: string][] = [
      ['Everything', 'echo', { message: 'ahoy' }, 'Echo: ahoy'],
      ['Files', 'read_text_file', { path: join(profile, 'note.txt') }, 'Kept at the harbour office.'],
      ['Memory', 'create_entities', { entities: [harbour] }, JSON.stringify([harbour], null, 2)],
      ['Thinking', 'sequentialthinking', thought, '"thoughtHistoryLength": 1'],
      ['DevTools', 'list_pages', {}, 'about:blank'],
    ];
    await allow('Tools', 'pid', 'big', 'hang');
    await allow('Stubborn', 'pid');
    for (const [server, tool, args] of asked) {
      await allow(server, tool);
      model.script(stream(use(await offeredBy(server, tool), args)));
    }
    model.script(stream(text('All answered.')));
    await chat.ask('Ask them all');
    await chat.articles('Assistant').getByText('All answered.').waitFor();
    const { toolCalls } = await chat.stored();
    expect(toolCalls.map(({ status, result }) => [status, result?.text])).toEqual(
      asked.map(([, , , answer]) => ['success', expect.stringContaining(answer)]),
    );
  });

  it.each<[string, () => void | Promise<void>, asks: boolean, endsAll: boolean]>([
    ['the program', () => kill('plain'), false, false],
    ['the native host', () => kill('portside-native-host.mjs'), false, true],
    ['the worker', () => portside.endWorker(), true, true],
  ])(
    'leave a call unknown when %s is killed in the middle of it, and take the next',
    async (_, strike, asks, endsAll) => {
      model.script(stream(use(await offeredBy('Tools', 'hang'))), stream(text('I skipped it.')));
      const before = model.requests.length;
      await chat.ask('Hang on');
      await until('the call runs', async () => {
        const running = await last();
        return running?.toolName === 'hang' && running.status === 'running';
      });
      const stubborn = pids('stubborn');
      await strike();
      // After the worker's own death it is the user who decides; else the model is told.
      if (asks) await chat.toolCall('hang').last().getByRole('button', { name: 'Skip' }).click();
      await until('the model was told', () => model.requests.length === before + 2);
      expect((await last())?.status).toBe('unknown');
      await chat.idle();
      // The old native host ends what ignores signals first. A question goes on without what is not back by then.
      const isBack = async (): Promise<boolean> => {
        const listed = await portside.command('listServers');
        return listed.some(({ server, status }) => server.name === 'Tools' && status.state === 'connected');
      };
      await until('the program runs again', isBack, 60_000);
      model.script(stream(use(await offeredBy('Tools', 'pid'))), stream(text('Alive.')));
      await chat.ask('Are you there?');
      await until('the next call was made', async () => (await last())?.toolName === 'pid');
      await chat.idle();
      expect((await last())?.status).toBe('success');
      await until(
        'one of each runs',
        () => pids('plain').length === 1 && pids('native-host.mjs').length === 1,
      );
      const isLeft = (pid: number): boolean => pids('stubborn').includes(pid);
      if (endsAll) await until('what ignores signals is gone', () => !stubborn.some(isLeft));
    },
  );

  it('bring a result of 20 MB', async () => {
    model.script(
      stream(use(await offeredBy('Tools', 'big'), { bytes: 20_000_000 })),
      stream(text('That was long.')),
    );
    await chat.ask('A long one');
    await chat.articles('Assistant').getByText('That was long.').waitFor();
    expect(await last()).toMatchObject({ toolName: 'big', status: 'success' });
  });

  it('end with the browser, also one that ignores signals and what that has started', async () => {
    model.script(stream(use(await offeredBy('Stubborn', 'pid'))), stream(text('It runs.')));
    await chat.ask('Are you there too?');
    await chat.articles('Assistant').getByText('It runs.').waitFor();
    await until('it has started another', () => pids('stubborn').length === 2);
    await portside.close();
    await until('nothing of it runs', () => pids().length === 0);
    expect(pids()).toEqual([]);
  });
});
