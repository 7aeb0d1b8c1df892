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
  const required = await requiredOfClients(revision);
  const passed = (output: string, name: string) =>
    output.match(new RegExp(`^. ${name}: (?<passed>\\d+) passed, (?<failed>\\d+) failed.*$`, 'm'));
  const failed = await run(subject, ['--requirements', revision], required, passed);
  return { required: required.length, failed };
}

/** What the suite has of an extension (SEP-2640): no revision requires it. */
const SKILLS = ['no-prefetch', 'verify-digest', 'verify-size', 'verify-frontmatter'];

/** Runs what the suite has of skills: of scenarios by their names it takes one at a time. */
export async function runSkills(subject: Subject): Promise<Verdict> {
  const passed = (output: string) => output.match(/^Passed: (?<passed>\d+)\/\d+, (?<failed>\d+) failed.*$/m);
  const runs = SKILLS.map((skill) => `sep-2640-client-${skill}`).map((name) =>
    run(subject, ['--scenario', name], [name], passed),
  );
  const failed = (await Promise.all(runs)).flat();
  return { required: SKILLS.length, failed };
}

/** @returns what it says of those `names` that did not pass */
async function run(
  subject: Subject,
  which: string[],
  names: string[],
  passed: (output: string, name: string) => RegExpMatchArray | null,
): Promise<string[]> {
  const host = await startHost(subject);
  const relay = `${process.execPath} ${join(root, 'tests/conformance/relay.mjs')}`;
  const args = ['client', '--command', relay, ...which, '--timeout', String(TIMEOUT)];
  const env = { PORTSIDE_CONFORMANCE_HOST: host.url, NO_COLOR: '1' };
  const { output } = await runNode(join(SUITE, 'dist/index.js'), args, { env }).finally(host.close);
  return names.flatMap((name) => {
    const said = passed(output, name);
    if (Number(said?.groups?.['passed']) > 0 && said?.groups?.['failed'] === '0') return [];
    const reason = host.failures.get(name);
    return [(said?.[0] ?? `${name}: was not run`) + (reason === undefined ? '' : `; Portside: ${reason}`)];
  });
}

/** The names under `client:` in the suite's list for a revision. */
async function requiredOfClients(revision: Revision): Promise<string[]> {
  const list = await readFile(join(SUITE, 'requirements', `${revision}.yaml`), 'utf8');
  const section = list.match(/^client:\n((?: {2}- .*\n)+)/m)?.[1] ?? '';
  if (section === '') throw new Error(`The suite’s list for ${revision} has another form than before.`);
  return section.split('\n').flatMap((line) => line.match(/^ {2}- (\S+)/)?.[1] ?? []);
}

/** One line for a user, and one for each scenario that failed. */
export function inWords(revision: Revision | 'skills', { required, failed }: Verdict): string {
  const passed = required - failed.length;
  const words = failed.length === 0 && revision === '2025-11-25' ? 'all' : `${passed}/${required}`;
  const what = revision === 'skills' ? words : `${words} required`;
  return [`${revision}: ${what}`, ...failed.map((line) => `  ${line}`)].join('\n');
}
