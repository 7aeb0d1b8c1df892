/**
 * `npm run conformance [-- node|extension]`: the official client suites against this checkout, in Node and inside the
 * built extension.
 */
import { openExtension } from './extension.ts';
import { openNode } from './node.ts';
import { inWords, REVISIONS, runSuite } from './suite.ts';

const places = { node: openNode, extension: openExtension };
const wanted = process.argv.slice(2);

for (const [place, open] of Object.entries(places)) {
  if (wanted.length > 0 && !wanted.includes(place)) continue;
  const subject = await open();
  try {
    for (const revision of REVISIONS) {
      const verdict = await runSuite(subject, revision);
      process.stdout.write(`${place}: ${inWords(revision, verdict)}\n`);
      if (verdict.failed.length > 0) process.exitCode = 1;
    }
  } finally {
    await subject.close();
  }
}
