import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const runProgram = promisify(execFile);

/** `startedAt` tells two processes with one pid apart: it grows, in a unit of the system's. */
export type Process = { pid: number; parent: number; group: number; startedAt: number };

/** All processes that there are. @throws Error when the system's own tool fails */
export async function listProcesses(): Promise<Process[]> {
  if (process.platform === 'linux') return listProc();
  if (process.platform === 'win32') {
    const script =
      'Get-CimInstance Win32_Process | ForEach-Object { "$($_.ProcessId) $($_.ParentProcessId) $($_.CreationDate.ToFileTimeUtc())" }';
    const { stdout } = await runProgram('powershell.exe', ['-NoProfile', '-Command', script], {
      windowsHide: true,
    });
    return readCim(stdout);
  }
  const { stdout } = await runProgram('/bin/ps', ['-A', '-o', 'pid=,ppid=,pgid=,lstart='], {
    env: { LC_ALL: 'C' },
    maxBuffer: 16 * 1024 * 1024,
  });
  return readPs(stdout);
}

async function listProc(): Promise<Process[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(pids.map((pid) => statOf(Number(pid))));
  return all.filter((each) => each !== undefined);
}

async function statOf(pid: number): Promise<Process | undefined> {
  try {
    return readStat(await readFile(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined; // it is gone meanwhile
  }
}

/** The variable that tells what a program has started, in whichever process group that went. */
export const MARK = 'PORTSIDE_PROGRAM';

/** The processes that were started with one of these marks; none where only Linux could tell. */
export async function markedPids(marks: string[]): Promise<number[]> {
  if (process.platform !== 'linux' || marks.length === 0) return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const entries = new Set(marks.map((mark) => `${MARK}=${mark}`));
  const isMarked = async (pid: number): Promise<boolean> => {
    // Of others' processes it can't be read, and of one that is gone.
    const environ = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
    return environ.split('\0').some((entry) => entries.has(entry));
  };
  const found = await Promise.all(pids.map(isMarked));
  return pids.filter((_, at) => found[at]);
}

/** One process. @throws Error like `listProcesses` */
export async function findProcess(pid: number): Promise<Process | undefined> {
  if (process.platform === 'linux') return statOf(pid);
  return (await listProcesses()).find((each) => each.pid === pid);
}

/** proc_pid_stat(5): the name, in brackets, may hold anything. */
export function readStat(stat: string): Process | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group] = fields;
  // A zombie is only a number that its parent has not asked for.
  if (state === 'Z' || state === 'X') return undefined;
  return {
    pid: Number.parseInt(stat, 10),
    parent: Number(parent),
    group: Number(group),
    startedAt: Number(fields[19]),
  };
}

/** Lines as `  501     1   501 Sun Nov 22 11:41:23 2026`. */
export function readPs(text: string): Process[] {
  return [...text.matchAll(/^ *(\d+) +(\d+) +(\d+) +(\S.*)$/gm)].map(([, pid, parent, group, start]) => ({
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    startedAt: Date.parse(`${start} UTC`) / 1000,
  }));
}

/** Lines of pid, parent and start; Windows has no groups. */
export function readCim(text: string): Process[] {
  return [...text.matchAll(/^(\d+) (\d+) (\d+)\s*$/gm)].map(([, pid, parent, start]) => ({
    pid: Number(pid),
    parent: Number(parent),
    group: Number(pid),
    // Numbers hold milliseconds exactly; the system counts in 100 ns.
    startedAt: Math.floor(Number(start) / 10_000),
  }));
}

/** The process, all that descend from it, and what is left of its group. */
export function treeOf(root: number, all: Process[]): Process[] {
  const found = new Set(all.filter(({ pid, group }) => pid === root || group === root));
  let before = 0;
  while (before < found.size) {
    before = found.size;
    const pids = new Set([...found].map(({ pid }) => pid));
    for (const each of all) if (pids.has(each.parent)) found.add(each);
  }
  return [...found];
}

/** Sends a signal to each; one that is gone is no fault. */
export function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      continue; // gone, or not ours any more
    }
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Windows ends whole trees itself, without asking them. */
export async function taskkill(pid: number): Promise<void> {
  // It fails when there is nothing left to end.
  await runProgram('taskkill.exe', ['/PID', String(pid), '/T', '/F'], { windowsHide: true }).catch(
    () => undefined,
  );
}
