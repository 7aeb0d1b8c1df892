import { isAlive, listProcesses, signalAll, taskkill, treeOf } from './processes.ts';

/** Milliseconds from its closed stdin to SIGTERM, and from that to SIGKILL. */
export const GRACE = 2000;
/** The same when the browser is gone: Chromium kills the native host two seconds after it closed its stdin. */
export const HASTE = 500;

const POLL = 20;

/**
 * Ends a program with everything that it started: first it may end by itself, since `hangUp` closed its stdin, then it is
 * asked, then it is made to. Resolves when all is gone.
 */
export async function endTree(pid: number, grace: number, hangUp: () => void): Promise<void> {
  if (process.platform === 'win32') {
    hangUp();
    await gone([pid], grace);
    return taskkill(pid);
  }
  // Before anything ends: whose parent is gone can't be found any more, unless it stayed in the group.
  const tree = await pidsOf(pid);
  hangUp();
  if (!(await gone(tree, grace))) {
    signalAll(tree, 'SIGTERM');
    await gone(tree, grace);
  }
  const rest = [...new Set([...tree.filter(isAlive), ...(await pidsOf(pid))])];
  signalAll(rest, 'SIGKILL');
  await gone(rest, grace);
}

/** What it left behind when it ended by itself. */
export async function endGroup(pid: number): Promise<void> {
  if (process.platform === 'win32') return;
  signalAll(await pidsOf(pid), 'SIGKILL');
}

async function pidsOf(root: number): Promise<number[]> {
  const all = await listProcesses().catch(() => []);
  return treeOf(root, all).map(({ pid }) => pid);
}

/** Whether all of them are within so many milliseconds. */
async function gone(pids: number[], within: number): Promise<boolean> {
  const end = performance.now() + within;
  while (pids.some(isAlive)) {
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL));
  }
  return true;
}
