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
