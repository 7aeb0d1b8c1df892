import { afterAll } from 'vitest';
import { openPortside, type Portside } from './browser.ts';

/** Browsers that no test uses now; Portside is not in them. */
const free: Portside[] = [];

afterAll(() => Promise.all(free.map((portside) => portside.close())));

/**
 * A browser for one test of a file, given back by its `close`: the next test finds Portside just installed in it, in
 * half of the time that a new browser takes.
 */
export async function borrowPortside(): Promise<Portside> {
  const used = free.pop();
  await used?.install();
  const portside = used ?? (await openPortside());
  const giveBack = () => portside.uninstall().finally(() => free.push(portside));
  return Object.create(portside, { close: { value: giveBack } }) as Portside;
}
