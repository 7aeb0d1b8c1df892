import { globSync, readFileSync } from 'node:fs';

/** Asks whether every outside link of the docs is there. It needs the network, and other people's sites: no test does it. */
const pages = globSync('{*.md,{.github,docs,lib,locales,native-host,store,tests}/**/*.md}');
const links = pages.flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(/(?:\]\(|^\[[^\]]+\]: |<)(https:[^\s)>]+)/gm)].map(
    ([, link = '']) => ({ link, page }),
  ),
);

/** Undefined where it is there, or where a site tells only people: of those nothing can be said. */
async function fault(link: string): Promise<string | undefined> {
  try {
    const { ok, status, body } = await fetch(link, { signal: AbortSignal.timeout(30_000) });
    await body?.cancel();
    return ok || [401, 403, 429].includes(status) ? undefined : `HTTP ${status}`;
  } catch (error) {
    return String((error as Error).cause ?? error);
  }
}

const byLink = Map.groupBy(links, ({ link }) => link);
const faults = await Promise.all([...byLink.keys()].map(async (link) => ({ link, why: await fault(link) })));
for (const { link, why } of faults) {
  const on = byLink.get(link)?.map(({ page }) => page);
  if (why !== undefined) console.error(`${link}: ${why} (${[...new Set(on)].join(', ')})`);
}
const dead = faults.filter(({ why }) => why !== undefined).length;
console.log(`${faults.length} links, ${dead} not there`);
process.exitCode = dead > 0 ? 1 : 0;
