import { isAlive, listProcesses, markedPids, signalAll, taskkill, treeOf } from './processes.ts';

/** Milliseconds from a program's closed stdin to SIGTERM, and from that to SIGKILL. */
export const GRACE = 2000;
/** The same when the browser is gone: Chromium kills the native host two seconds after it closed its stdin. */
export const HASTE = 500;

const POLL = 20;

/** A program by its pid, and the mark that it was started with. */
type Started = { pid: number; mark: string };

/**
 * Ends a program with everything that it started: first it may end by itself, since `hangUp` closed its stdin, then it is
 * asked, then it is made to. Resolves when all is gone.
 */
export async function endTree(program: Started, grace: number, hangUp: () => void): Promise<void> {
  if (process.platform === 'win32') {
    hangUp();
    if (!(await allGone([program.pid], grace))) await taskkill(program.pid);
    return;
  }
  // Before anything ends: whose parent is gone is found only by its group, or the mark where that can be read.
  const tree = await pidsOf(program);
  hangUp();
  if (!(await allGone(tree, grace))) {
    signalAll(tree, 'SIGTERM');
    await allGone(tree, grace);
  }
  const rest = [...new Set([...tree.filter(isAlive), ...(await pidsOf(program))])];
  signalAll(rest, 'SIGKILL');
  await allGone(rest, grace);
}

/** Waits for all ends, whatever goes wrong with one, which is said. */
export async function settled(ends: Promise<void>[]): Promise<void> {
  for (const end of await Promise.allSettled(ends)) {
    if (end.status === 'rejected')
      process.stderr.write(`portside-native-host: a program could not be ended: ${String(end.reason)}\n`);
  }
}

/** What it left behind when it ended by itself. */
export async function endLeft(program: Started): Promise<void> {
  if (process.platform === 'win32') return;
  signalAll(await pidsOf(program), 'SIGKILL');
}

async function pidsOf({ pid, mark }: Started): Promise<number[]> {
  const [all, marked] = await Promise.all([listProcesses().catch(() => []), markedPids([mark])]);
  return [...new Set([...treeOf(pid, all).map((each) => each.pid), ...marked])];
}

/** Whether all of them are within so many milliseconds. */
async function allGone(pids: number[], within: number): Promise<boolean> {
  const end = performance.now() + within;
  while (pids.some(isAlive)) {
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL));
  }
  return true;
}
