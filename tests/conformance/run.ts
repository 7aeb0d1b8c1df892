/**
 * `npm run conformance [-- node|extension]`: the official client suites against this checkout, in Node and inside the
 * built extension.
 */
import { openExtension } from './extension.ts';
import { openNode } from './node.ts';
import { inWords, REVISIONS, runSkills, runSuite, type Verdict } from './suite.ts';

const places = { node: openNode, extension: openExtension };
const wanted = process.argv.slice(2);

for (const [place, open] of Object.entries(places)) {
  if (wanted.length > 0 && !wanted.includes(place)) continue;
  const subject = await open();
  try {
    const tell = (what: Parameters<typeof inWords>[0], verdict: Verdict): void => {
      process.stdout.write(`${place}: ${inWords(what, verdict)}\n`);
      if (verdict.failed.length > 0) process.exitCode = 1;
    };
    for (const revision of REVISIONS) tell(revision, await runSuite(subject, revision));
    tell('skills', await runSkills(subject));
  } finally {
    await subject.close();
  }
}
