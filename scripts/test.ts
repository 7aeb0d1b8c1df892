import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CLIENT_METADATA_URL } from '../tests/conformance/subject.ts';
import { buildExtension, type Variant } from './build.ts';
import { prepare, runChecks } from './check.ts';
import { root } from './paths.ts';
import { runNode } from './run.ts';

/** How many of something passed, failed and were skipped. */
type Tally = { passed: number; failed: number; skipped: number };

const variants: Variant[] = [
  { browser: 'chrome', granted: true },
  { browser: 'chrome', granted: false },
  { browser: 'chrome', granted: true, clientMetadataUrl: CLIENT_METADATA_URL },
  { browser: 'firefox', granted: true },
  { browser: 'firefox', granted: false },
];

const report = join(root, '.cache', 'vitest.json');

const prepared = await prepare();
const [checks, builds] = await Promise.all([runChecks(), buildAll()]);
const tests = await runVitest(process.argv.slice(2));
const total = [...[prepared, ...checks, ...builds].map(tallyOf), tests].reduce((sum, tally) => ({
  passed: sum.passed + tally.passed,
  failed: sum.failed + tally.failed,
  skipped: sum.skipped + tally.skipped,
}));
const ranTests = tests.passed + tests.failed > 0;
if (!ranTests) process.stdout.write('\nNo test was run.\n');
process.exitCode = total.failed === 0 && ranTests ? 0 : 1;
const ending = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
process.stdout.write(`\n${total.passed} passed, ${total.failed + (ranTests ? 0 : 1)} failed${ending}\n`);

function tallyOf({ passed }: { passed: boolean }): Tally {
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 };
}

async function buildAll(): Promise<{ passed: boolean }[]> {
  const results = [];
  for (const variant of variants) {
    const { browser, granted, clientMetadataUrl } = variant;
    const name = `build ${browser}${granted ? ', permissions granted' : ''}${clientMetadataUrl ? ', with client metadata' : ''}`;
    const error = await buildExtension(variant).then(
      () => undefined,
      (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown)),
    );
    process.stdout.write(error === undefined ? `✓ ${name}\n` : `✗ ${name}\n${error}\n`);
    results.push({ passed: error === undefined });
  }
  return results;
}

/** Vitest's own exit code counts too: an error outside of any test fails it. */
async function runVitest(args: string[]): Promise<Tally> {
  await mkdir(join(root, '.cache'), { recursive: true });
  await rm(report, { force: true });
  const { code } = await runNode(
    'node_modules/vitest/vitest.mjs',
    ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args],
    { env: { PORTSIDE_BUILT: '1' }, show: true },
  );
  const tally = await readReport();
  return code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
}

type Report = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { status: string; assertionResults: { status: string; fullName: string }[] }[];
};

async function readReport(): Promise<Tally> {
  const text = await readFile(report, 'utf8').catch(() => undefined);
  if (text === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(text) as Report;
  const skipped = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status !== 'passed' && status !== 'failed');
  for (const { fullName } of skipped) process.stdout.write(`skipped: ${fullName}\n`);
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  return { passed: numPassedTests, failed: numFailedTests + brokenFiles.length, skipped: skipped.length };
}
