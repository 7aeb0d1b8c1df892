import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { findChromium } from '../../scripts/setup/programs.mjs';
import { freePort } from '../mcp/free-port.ts';
import type { NpmServer } from './catalogue.ts';
import { LISTS, REFUSED, type ConnectedClient, type List, type Program, type Reach } from './client.ts';
import { differences, isSameResult } from './compare.ts';
import { connectOfficial } from './official.ts';
import { connectPortside } from './portside.ts';
import { environment, install, listen, newest } from './programs.ts';

/** What came of one server. */
export type Row = {
  server: NpmServer;
  version?: string;
  revision?: string;
  /** How much the official client lists. */
  counts?: Record<List, number>;
  /** What Portside lists otherwise, a line each; absent where there was nothing to compare. */
  differences?: string[];
  isSameCall?: boolean;
  /** Portside alone does not connect. */
  isOnlyOfficial?: boolean;
  /** Why something of the above is missing, or what else is to be known of it. */
  note?: string;
};

/** Lists change in the first moments, once a server knows what its client can do. */
const SETTLING = 10_000;

/** Tries one server, whatever happens to it. `cache`: the folder for all that comes from npm. */
export async function smoke(server: NpmServer, cache: string): Promise<Row> {
  const row: Row = { server };
  mkdirSync(join(cache, 'home'), { recursive: true });
  const folder = workFolder();
  const tidying: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    const port = await freePort();
    const fill = fillWith({ folder, port: String(port), browser: findChromium() ?? '' });
    const program = await prepare(server, cache, folder, row);
    const filled = JSON.parse(fill(JSON.stringify(program))) as Program;
    let reach: Reach = filled;
    if (server.path !== undefined) {
      const listening = await listen(filled, port, server.path);
      tidying.unshift(listening.close);
      reach = listening;
    }
    const [official, portside] = await Promise.allSettled([
      connectOfficial(reach),
      connectPortside(reach, cache),
    ]);
    for (const client of [official, portside])
      if (client.status === 'fulfilled') tidying.unshift(client.value.close);
    if (official.status === 'rejected') throw new Error(`Does not start here: ${oneLine(official.reason)}`);
    row.isOnlyOfficial = portside.status === 'rejected';
    if (portside.status === 'rejected')
      throw new Error(`Portside alone does not connect: ${oneLine(portside.reason)}`);
    await compare(row, portside.value, official.value, fill);
  } catch (error) {
    row.note = oneLine(error);
  }
  if (row.note !== undefined) row.note = row.note.replaceAll(folder, '').replaceAll(cache, '');
  for (const tidy of tidying) await tidy(); // the last first
  return row;
}

/** A folder with one file, in which a server is started: outside of the checkout, whose own packages npx would take. */
function workFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'portside-servers-'));
  writeFileSync(join(folder, 'notes.txt'), 'Ahoy.\n');
  return folder;
}

async function prepare(server: NpmServer, cache: string, cwd: string, row: Row): Promise<Program> {
  row.version = await newest(server.name);
  const command = await install(server, row.version, cache, cwd);
  return {
    command: 'npx',
    args: [...command, ...(server.args ?? [])],
    env: { ...environment(cache), ...server.env },
    cwd,
  };
}

const fillWith =
  (values: Record<string, string>) =>
  (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (whole, key: string) => values[key] ?? whole);

async function compare(
  row: Row,
  portside: ConnectedClient,
  official: ConnectedClient,
  fill: (text: string) => string,
): Promise<void> {
  for (const until = Date.now() + SETTLING; ; await setTimeout(500)) {
    const [ours, theirs] = [await portside.seen(), await official.seen()];
    row.revision = theirs.revision;
    row.counts = Object.fromEntries(LISTS.map((list) => [list, theirs[list].length])) as Row['counts'] & {};
    row.differences = differences(ours, theirs);
    if (row.differences.length === 0 || Date.now() > until) break;
  }
  const { tool, args = {}, varies = false } = row.server.call;
  const given = JSON.parse(fill(JSON.stringify(args))) as Record<string, unknown>;
  const [theirs, ours] = [await official.call(tool, given), await portside.call(tool, given)];
  row.isSameCall = isSameResult(ours, theirs, varies);
  if (!row.isSameCall) row.note = `${JSON.stringify(ours)} is not ${JSON.stringify(theirs)}`.slice(0, 2000);
  else if (theirs === REFUSED) row.note = 'The call is refused here';
  else if (theirs.isError) row.note = `The call fails here: ${textIn(theirs.content)}`;
}

const oneLine = (said: unknown): string =>
  (said instanceof Error ? said.message : String(said)).replaceAll(/\s+/g, ' ').trim().slice(0, 300);

/** The first words of a result. */
const textIn = (content: unknown): string => {
  const [first] = Array.isArray(content) ? (content as { text?: unknown }[]) : [];
  return oneLine(first?.text ?? '').slice(0, 120);
};
