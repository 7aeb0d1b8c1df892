import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../scripts/paths.ts';
import { runNode } from '../../scripts/run.ts';
import { startHost } from './host.ts';
import type { Subject } from './subject.ts';

export const REVISIONS = ['2026-07-28', '2025-11-25'] as const;
export type Revision = (typeof REVISIONS)[number];

/** `failed`: the scenarios that are required and did not pass, with the suite's own words and Portside's. */
export type Verdict = { required: number; failed: string[] };

const SUITE = join(root, 'node_modules/@modelcontextprotocol/conformance');

/** Milliseconds for one scenario; they all run at once. */
const TIMEOUT = 120_000;

/**
 * Runs what a revision of the specification requires of clients. A scenario in which nothing was checked has not
 * passed, whatever the suite makes of it.
 */
export async function runSuite(subject: Subject, revision: Revision): Promise<Verdict> {
  const host = await startHost(subject);
  const relay = `${process.execPath} ${join(root, 'tests/conformance/relay.mjs')}`;
  const args = ['client', '--command', relay, '--requirements', revision, '--timeout', String(TIMEOUT)];
  const env = { PORTSIDE_CONFORMANCE_HOST: host.url, NO_COLOR: '1' };
  const { output } = await runNode(join(SUITE, 'dist/index.js'), args, { env }).finally(host.close);
  const required = await requiredOfClients(revision);
  const failed = required.flatMap((name) => {
    const said = output.match(new RegExp(`^. ${name}: (\\d+) passed, (\\d+) failed.*$`, 'm'));
    if (said && Number(said[1]) > 0 && said[2] === '0') return [];
    const reason = host.failures.get(name);
    return [(said?.[0] ?? `${name}: was not run`) + (reason === undefined ? '' : `; Portside: ${reason}`)];
  });
  return { required: required.length, failed };
}

/** The names under `client:` in the suite's list for a revision. */
async function requiredOfClients(revision: Revision): Promise<string[]> {
  const list = await readFile(join(SUITE, 'requirements', `${revision}.yaml`), 'utf8');
  const section = list.match(/^client:\n((?: {2}- .*\n)+)/m)?.[1] ?? '';
  if (section === '') throw new Error(`The suite’s list for ${revision} has another form than before.`);
  return section.split('\n').flatMap((line) => line.match(/^ {2}- (\S+)/)?.[1] ?? []);
}

/** One line for a user, and one for each scenario that failed. */
export function inWords(revision: Revision, { required, failed }: Verdict): string {
  const passed = required - failed.length;
  const words = failed.length === 0 && revision === '2025-11-25' ? 'all' : `${passed}/${required}`;
  return [`${revision}: ${words} required`, ...failed.map((line) => `  ${line}`)].join('\n');
}
