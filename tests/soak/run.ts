import { openBareBrowser } from '../e2e/support/bare-browser.ts';
import { keepBrowsers } from '../e2e/support/keep-browsers.ts';
import { addServer, provider, server } from '../e2e/support/inputs.ts';
import { faults, planOf } from './plan.ts';
import type { Violation } from './oracle.ts';
import { openPanel, type Outcome, playRound, type Scene } from './round.ts';
import { startServers } from './servers.ts';

export type Report = {
  rounds: number;
  done: Record<string, number>;
  violations: (Violation & { seed: number })[];
};

/** A chat holds at most this many rounds' questions in one browser: its database is to stay as small as a user's. */
const ROUNDS_A_BROWSER = 60;

/**
 * Plays rounds with the built extension until `enough`, each from a seed of its own, the first from `seed`.
 * @param told what happened in each round
 * @param sent see `playRound`
 */
export async function soak(
  seed: number,
  enough: (report: Report) => boolean,
  told: (line: string) => void = () => {},
  sent?: (scene: Scene) => Promise<void>,
): Promise<Report> {
  const report: Report = {
    rounds: 0,
    done: Object.fromEntries(faults.map((fault) => [fault, 0])),
    violations: [],
  };
  while (!enough(report))
    await inBrowser(async (scene) => {
      let isAsGood = true;
      for (let left = ROUNDS_A_BROWSER; isAsGood && left > 0 && !enough(report); left--) {
        const own = seed + report.rounds;
        const { done, violations } = await playRound(scene, planOf(own), sent).catch(unanswered);
        report.rounds += 1;
        for (const [what, times] of Object.entries(done))
          report.done[what] = (report.done[what] ?? 0) + times;
        report.violations.push(...violations.map((violation) => ({ ...violation, seed: own })));
        told(`${own}: ${violations.map(({ kind, what }) => `${kind}: ${what}`).join('; ') || 'ok'}`);
        // The next round begins in a browser that shows what is there, whatever became of this one.
        isAsGood = violations.length === 0;
        if (!isAsGood) await keepBrowsers(`soak ${own}`);
      }
    });
  return report;
}

const unanswered = (error: unknown): Outcome => ({
  done: {},
  violations: [{ kind: 'no answer', what: String(error) }],
});

async function inBrowser(work: (scene: Scene) => Promise<void>): Promise<void> {
  const servers = await startServers();
  const browser = await openBareBrowser();
  try {
    await browser.command('saveProvider', provider(servers.model.url));
    const id = await addServer(browser, server(servers.mcp.url));
    for (const name of ['look_up', 'write_note'])
      await browser.command('setTool', { serverId: id, name, permission: 'allow' });
    const reader = await browser.open('options.html');
    await work({ ...servers, browser, reader, panel: await openPanel(browser) });
  } finally {
    await Promise.all([browser.close(), servers.close()]);
  }
}
