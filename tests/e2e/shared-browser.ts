import { afterAll } from 'vitest';
import { openPortside, type Portside } from './browser.ts';

/** The browser that no test of this process uses now; Portside is not in it. It ends with the process. */
const free: Portside[] = [];

// Vitest ends a worker by this signal; playwright removes its browsers and their profiles when the process exits.
process.once('SIGTERM', () => process.exit());

/**
 * A browser for one test or file, given back by its `close`: the next one, of another file too, finds Portside just
 * installed in it, in half of the time that a new browser takes.
 */
export async function borrowPortside(): Promise<Portside> {
  const used = free.pop();
  await used?.install();
  const portside = used ?? (await openPortside());
  const giveBack = async () => {
    try {
      await portside.uninstall();
    } finally {
      // Tests that run at the same time leave many, and each costs something while it waits.
      if (free.length > 0) await portside.close();
      else free.push(portside);
    }
  };
  return Object.create(portside, { close: { value: giveBack } }) as Portside;
}

/**
 * One installation of Portside for the tests of a file, which takes a fifth of the time of one each: everything is erased
 * between them, as Settings do it. Call it at the file's top.
 */
export function shareInstallation() {
  let shared: Portside | undefined;
  afterAll(() => shared?.close());
  return {
    async next(): Promise<Portside> {
      if (!shared) return (shared = await borrowPortside());
      await shared.settle();
      await shared.command('erase', { what: 'everything' });
      const { options } = shared;
      await options.evaluate("localStorage.clear(), history.replaceState(null, '', location.pathname)");
      await Promise.all([options.reload(), shared.context.clearCookies()]);
      return shared;
    },
  };
}
