import { setTimeout } from 'node:timers/promises';
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
  const portside = (await installedAgain(free.pop())) ?? (await openPortside());
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

/** Chromium's own time for a worker to start is shorter. */
const NEVER_MS = 15_000;

/**
 * Puts Portside into a browser that was used before; undefined when its worker is none: Chromium now and then lets go of
 * one that it starts so soon after the last one ("No SW"), and what is said to it reaches nothing (seen once in 2,000).
 */
async function installedAgain(used: Portside | undefined): Promise<Portside | undefined> {
  if (!used) return undefined;
  await used.install();
  const never = setTimeout(NEVER_MS, 'never', { ref: false });
  const said = await Promise.race([used.command('listServers'), never]);
  if (said !== 'never') return used;
  await used.close().catch(console.warn);
  return undefined;
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
