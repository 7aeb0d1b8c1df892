import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Exit } from '../../lib/types/native-host.ts';
import { createChannels } from '../../native-host/channels.ts';
import { scriptIn } from '../../native-host/find-command.ts';
import { createMessageReader } from '../../native-host/message-reader.ts';
import { createLoginPath } from '../../native-host/path.ts';
import { type Program, type ProgramEvents, createStderrLines } from '../../native-host/start-program.ts';
import { readCim, readPs, readStat, treeOf } from '../../native-host/processes.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portside-host-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('processes', () => {
  it('are read from /proc, whatever their names hold', () => {
    const rest = '1 7 7 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 881234 1 1';
    const one = { pid: 42, parent: 1, group: 7, startedAt: 881_234 };
    expect(readStat(`42 (a) S (b) S ${rest}`)).toEqual(one);
    expect(readStat(`42 (node) Z ${rest}`)).toBeUndefined();
  });

  it('are read from ps and from Windows', () => {
    expect(
      readPs('  501     1   499 Sun Nov 22 11:41:23 2026\n 7 501 499 Sun Nov  1 01:02:03 2026\n'),
    ).toEqual([
      { pid: 501, parent: 1, group: 499, startedAt: Date.UTC(2026, 10, 22, 11, 41, 23) / 1000 },
      { pid: 7, parent: 501, group: 499, startedAt: Date.UTC(2026, 10, 1, 1, 2, 3) / 1000 },
    ]);
    expect(readCim('4 0 134087000000000000\r\n512 4 134087000010000000\r\n')).toEqual([
      { pid: 4, parent: 0, group: 4, startedAt: 13_408_700_000_000 },
      { pid: 512, parent: 4, group: 512, startedAt: 13_408_700_001_000 },
    ]);
  });

  it('are a tree with what descends from them, and what is left of their group', () => {
    const of = (pid: number, parent: number, group: number) => ({ pid, parent, group, startedAt: 0 });
    const all = [of(1, 0, 1), of(10, 1, 10), of(11, 10, 10), of(12, 11, 12), of(13, 1, 10), of(20, 1, 20)];
    const pids = (root: number) =>
      treeOf(root, all)
        .map(({ pid }) => pid)
        .toSorted((a, b) => a - b);
    expect(pids(10)).toEqual([10, 11, 12, 13]);
    expect(pids(99)).toEqual([]);
  });
});

describe('the end of all programs', () => {
  it('is waited for, though one of them can’t be ended', async () => {
    const others = Promise.withResolvers<void>();
    const ends = [() => Promise.reject(new Error('No /proc.')), () => others.promise];
    const programs = {
      start(_: unknown, { exit }: ProgramEvents): Program {
        const end = ends.shift() ?? (async () => undefined);
        const ended = (why: Exit): Promise<void> => end().finally(() => exit(why));
        return { pid: 1, mark: '', send: () => undefined, resume: () => undefined, end: ended };
      },
      endAll: async () => undefined,
    };
    const path = async () => ({ folders: [], isSlow: false });
    const channels = createChannels({ path, folder: '/nowhere', programs, send: () => true });
    const launch = { command: process.execPath, args: [], env: {} };
    for (const channel of [1, 2]) channels.start(channel, launch, null);
    await vi.waitUntil(() => ends.length === 0);
    let isOver = false;
    const over = channels.endAll(0).then(() => (isOver = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    others.resolve();
    await over;
  });
});

describe('the PATH of the login shell', () => {
  const loginPath = async (env: NodeJS.ProcessEnv, timeout?: number): Promise<string[]> =>
    (await createLoginPath(new AbortController().signal, env, timeout)()).folders;
  const shell = (script: string): string => {
    const file = join(folder, 'shell');
    writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return file;
  };

  it('goes before the browser’s own, each folder once', async () => {
    const asked = shell('export PATH=/new:/both; exec /bin/sh -c "$4"');
    expect(await loginPath({ SHELL: asked, PATH: '/both:/own' })).toEqual(['/new', '/both', '/own']);
  });

  it.each([
    ['fails', 'exit 1'],
    ['waits for an answer for ever', '/bin/sleep 1000'],
    ['prints things of its own', 'echo PATH=/wrong'],
  ])('is the browser’s own when the shell %s', async (_, script) => {
    expect(await loginPath({ SHELL: shell(script), PATH: '/own' }, 300)).toEqual(['/own']);
  });

  it('is asked for once, but again when the shell was too slow or something was not found', async () => {
    const count = join(folder, 'count');
    const file = shell(`echo . >>${count}; [ -e ${folder}/fast ] || /bin/sleep 1000; exec /bin/sh -c "$4"`);
    const path = createLoginPath(new AbortController().signal, { SHELL: file, PATH: '/own' }, 300);
    expect(await path()).toEqual({ folders: ['/own'], isSlow: true });
    writeFileSync(join(folder, 'fast'), '');
    const patient = createLoginPath(new AbortController().signal, { SHELL: file, PATH: '/own' });
    expect(await patient()).toMatchObject({ isSlow: false });
    await patient();
    expect(readFileSync(count, 'utf8')).toBe('.\n.\n');
    await patient(true);
    expect(readFileSync(count, 'utf8')).toBe('.\n.\n.\n');
    expect(await path(), 'asked again').toMatchObject({ folders: expect.arrayContaining(['/own']) });
    expect(readFileSync(count, 'utf8')).toBe('.\n.\n.\n.\n');
  });

  it('is the browser’s own when there is no such shell', async () => {
    expect(await loginPath({ SHELL: '/no/such/shell', PATH: '/own' })).toEqual(['/own']);
  });
});

describe('a batch file of npm’s', () => {
  it.each([
    ['@SET "NPX_CLI_JS=%~dp0\\node_modules\\npm\\bin\\npx-cli.js"', 'node_modules/npm/bin/npx-cli.js'],
    ['  "%_prog%"  "%dp0%\\node_modules\\@a\\b\\dist\\index.js" %*', 'node_modules/@a/b/dist/index.js'],
  ])('names the script that is run in its place: %s', async (line, script) => {
    const file = join(folder, 'npx.cmd');
    writeFileSync(file, `@ECHO OFF\r\nSET "X=%~dp0\\npm-prefix.js"\r\n${line}\r\n`);
    expect(await scriptIn(file)).toBe(join(folder, script));
  });

  it('of another program names none', async () => {
    const file = join(folder, 'other.cmd');
    writeFileSync(file, 'start.exe %*\r\n');
    expect(await scriptIn(file)).toBeUndefined();
  });
});

describe('what a program prints', () => {
  it('is read message by message, however it is cut, and other lines are skipped', () => {
    const received: unknown[] = [];
    const refused: string[] = [];
    const read = createMessageReader({
      message: (message) => received.push(message),
      refused: (why) => refused.push(why),
    });
    const text = '{"jsonrpc":"2.0","id":1,"result":{"a":"ä"}}\nReady\r\n{"jsonrpc":"2.0","method":"x"}\r\n';
    for (const byte of Buffer.from(text)) read(Buffer.of(byte));
    expect(received).toEqual([
      { jsonrpc: '2.0', id: 1, result: { a: 'ä' } },
      { jsonrpc: '2.0', method: 'x' },
    ]);
    read(Buffer.from('{"valid": "JSON"}\n'));
    expect(refused).toEqual([expect.stringContaining('Ready'), 'JSON, but no JSON-RPC message']);
  });

  it('are read behind the byte order mark that some programs begin with', () => {
    const received: unknown[] = [];
    const read = createMessageReader({
      message: (message) => received.push(message),
      refused: (why) => received.push(why),
    });
    for (const byte of Buffer.from('\uFEFF{"jsonrpc":"2.0","method":"x"}\n{"jsonrpc":"2.0","method":"y"}\n'))
      read(Buffer.of(byte));
    expect(received).toEqual(['x', 'y'].map((method) => ({ jsonrpc: '2.0', method })));
  });

  it('at length is passed on while it comes, however it is cut', () => {
    const heard: unknown[] = [];
    const pieces: Buffer[] = [];
    const read = createMessageReader({
      message: (message, isPassedOn) => heard.push(isPassedOn ? 'the message' : message),
      refused: (why) => heard.push(why),
      piece(piece, last) {
        pieces.push(piece);
        if (last) heard.push('its last piece');
      },
    });
    const long = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { long: 'ä'.repeat(600_000) } });
    const short = { jsonrpc: '2.0', method: 'x' };
    const bytes = Buffer.from(`${long}\r\n${JSON.stringify(short)}\n`);
    const CHUNK = 65_535;
    for (let at = 0; at < bytes.length - CHUNK; at += CHUNK) read(bytes.subarray(at, at + CHUNK));
    expect(Buffer.concat(pieces).length, 'before the end of the line').toBeGreaterThan(1_100_000);
    expect(heard).toEqual([]);
    read(bytes.subarray(bytes.length - (bytes.length % CHUNK)));
    expect(Buffer.concat(pieces).toString().trim() === long).toBe(true);
    expect(heard).toEqual(['its last piece', 'the message', short]);
  });

  it('at length that is no message is refused, and what was passed on of it has an end', () => {
    const heard: string[] = [];
    const read = createMessageReader({
      message: () => heard.push('a message'),
      refused: (why) => heard.push(why.slice(0, 4)),
      piece: (_, last) => heard.push(last ? 'the end' : 'a piece'),
    });
    read(Buffer.from(`{${' '.repeat(1_000_000)}`));
    read(Buffer.from('not one\n'));
    read(Buffer.from(`[${' '.repeat(1_000_000)}`));
    read(Buffer.from('not one either\n'));
    expect(heard).toEqual(['a piece', 'the end', expect.anything(), expect.anything()]);
  });

  it('beyond the most that a message may have is refused once, with its end, and the next one is read', () => {
    const heard: string[] = [];
    const read = createMessageReader({
      message: (message) => heard.push('method' in message ? message.method : ''),
      refused: (why) => heard.push(why),
      piece: (_, last) => last && heard.push('the end'),
    });
    const chunk = Buffer.alloc(64 * 1024 * 1024, ' ');
    const rest = Buffer.from(
      '{"jsonrpc":"2.0","method":"its rest"}\n{"jsonrpc":"2.0","method":"the next"}\n',
    );
    read(Buffer.from('{'));
    for (let at = 0; at < 3; at++) read(chunk);
    read(chunk.subarray(2));
    read(rest);
    const refused = ['the end', expect.stringMatching(/^more than/), 'the next'];
    expect(heard).toEqual(refused);
    read(Buffer.from('{'));
    for (let at = 0; at < 5; at++) read(chunk);
    read(rest);
    expect(heard).toEqual([...refused, ...refused]);
  });

  it('that nests too deep to be passed on is refused in words, and the next is read', () => {
    const heard: string[] = [];
    const read = createMessageReader({
      message: (message) => heard.push(JSON.stringify(message).slice(0, 5)),
      refused: (why) => heard.push(why),
    });
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    read(Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"deep":${deep}}}\n{"jsonrpc":"2.0","method":"x"}\n`));
    expect(heard).toEqual(['JSON that nests too deep to be passed on', '{"jso']);
  });

  it('to stderr is told in lines of bounded length, of a flood the last', () => {
    vi.useFakeTimers();
    const told: string[][] = [];
    const lines = createStderrLines((more) => told.push(more));
    lines.add('one\r\ntw');
    lines.add('o\n\n' + 'x'.repeat(5000));
    vi.runAllTimers();
    expect(told).toEqual([['one', 'two']]);
    for (let at = 0; at < 1000; at++) lines.add(`${at}\n`);
    lines.flush();
    expect(told.at(-1)).toHaveLength(200);
    expect(told.at(-1)?.at(-1)).toBe('999');
    expect(Math.max(...told.flat().map(({ length }) => length))).toBeLessThanOrEqual(1000);
    expect(lines.last()).toHaveLength(20);
    vi.useRealTimers();
  });
});
