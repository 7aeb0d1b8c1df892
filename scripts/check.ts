import { pathToFileURL } from 'node:url';
import { runNode } from './run.ts';

type Step = { name: string; entry: string; args: string[] };

const steps: Step[] = [
  { name: 'oxlint', entry: 'node_modules/oxlint/bin/oxlint', args: [] },
  { name: 'oxfmt', entry: 'node_modules/oxfmt/bin/oxfmt', args: ['--list-different'] },
  { name: 'tsc', entry: 'node_modules/typescript/bin/tsc', args: ['--noEmit'] },
  { name: 'knip', entry: 'node_modules/knip/bin/knip.js', args: ['--no-progress'] },
];

/** How a check ended; its output was shown if it failed. */
type Result = { name: string; passed: boolean };

/** Generates the types of the extension's own paths and of its manifest, which the checks and builds read. */
export async function prepare(): Promise<Result> {
  return report({ name: 'wxt prepare' }, await runNode('node_modules/wxt/bin/wxt.mjs', ['prepare']));
}

/**
 * Runs every static check, all at once, and says how each ended, with the output of those that failed.
 * @returns one entry a check
 */
export async function runChecks(): Promise<Result[]> {
  return await Promise.all(steps.map(async (step) => report(step, await runNode(step.entry, step.args))));
}

function report({ name }: { name: string }, { code, output }: { code: number; output: string }): Result {
  const passed = code === 0;
  process.stdout.write(`${passed ? '✓' : '✗'} ${name}\n`);
  if (!passed) process.stdout.write(`${output.trim()}\n`);
  return { name, passed };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const results = [await prepare(), ...(await runChecks())];
  process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
}
