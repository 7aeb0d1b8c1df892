import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson, recordOf } from '../lib/json.ts';
import {
  findProcess,
  listProcesses,
  markedPids,
  type Process,
  signalAll,
  taskkill,
  treeOf,
} from './processes.ts';

/** What a native host writes down, so that the next one can end what a `kill -9` left. Pids mean nothing after a reboot. */
type Note = { boot: string; host: Seen; programs: Program[] };
type Seen = Pick<Process, 'pid' | 'startedAt'>;
type Program = Seen & { mark: string };

/** The names of such files. */
export const NOTES = /^running-\d+\.json$/;

/** The programs of this native host, written down in a file of its own in the folder, which goes with the last one. */
export function createRunning(folder: string) {
  const file = join(folder, `running-${process.pid}.json`);
  const programs = new Map<number, Program>();
  const own = Promise.all([bootId(), findProcess(process.pid)]);
  const write = async (): Promise<void> => {
    const [boot, host] = await own;
    if (programs.size === 0 || !host) return rmSync(file, { force: true });
    const note: Note = { boot, host, programs: [...programs.values()] };
    // Whole at every instant: another native host takes half a note for none, and what it names would run on.
    writeFileSync(`${file}.new`, JSON.stringify(note), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  /** A folder that can't be written to is no reason to start nothing. */
  const noted = (): Promise<void> =>
    write().catch((error: unknown) => {
      process.stderr.write(`portside-native-host: what runs was not written down: ${String(error)}\n`);
    });
  return {
    /** From now on the program is this native host's. */
    async add(pid: number, mark: string): Promise<void> {
      const found = await findProcess(pid);
      if (found) programs.set(pid, { pid, startedAt: found.startedAt, mark });
      await noted();
    },
    remove(pid: number): void {
      programs.delete(pid);
      void noted();
    },
  };
}

export type Running = ReturnType<typeof createRunning>;

/** Ends what native hosts that are gone have left running. */
export async function reap(folder: string): Promise<void> {
  const files = (await readdir(folder)).filter((name) => NOTES.test(name));
  if (files.length === 0) return;
  const [boot, all] = await Promise.all([bootId(), listProcesses()]);
  for (const name of files) {
    const file = join(folder, name);
    const note = noteIn(await readFile(file, 'utf8').catch(() => ''));
    if (note?.boot === boot) {
      if (isThere(note.host, all)) continue;
      await Promise.all(note.programs.map((program) => killLeft(program, all)));
      signalAll(await markedPids(note.programs.map(({ mark }) => mark)), 'SIGKILL');
    }
    await rm(file, { force: true });
  }
}

async function killLeft(seen: Seen, all: Process[]): Promise<void> {
  const leader = all.find(({ pid }) => pid === seen.pid);
  if (leader && leader.startedAt !== seen.startedAt) return;
  if (process.platform === 'win32') return leader && taskkill(leader.pid);
  const left = treeOf(seen.pid, all).filter(({ startedAt }) => startedAt >= seen.startedAt);
  signalAll(
    left.map(({ pid }) => pid),
    'SIGKILL',
  );
}

const isThere = (seen: Seen, all: Process[]): boolean =>
  all.some(({ pid, startedAt }) => pid === seen.pid && startedAt === seen.startedAt);

function noteIn(text: string): Note | undefined {
  // Another file may have the name.
  const { boot, host, programs } = recordOf(parseJson(text));
  const isNote =
    typeof boot === 'string' && isSeen(host) && Array.isArray(programs) && programs.every(isProgram);
  return isNote ? { boot, host, programs } : undefined;
}

function isProgram(value: unknown): value is Program {
  return isSeen(value) && 'mark' in value && typeof value.mark === 'string' && value.mark !== '';
}

function isSeen(value: unknown): value is Seen {
  const { pid, startedAt } = recordOf(value);
  return Number.isSafeInteger(pid) && Number(pid) > 1 && typeof startedAt === 'number';
}

/** Linux counts start times from the boot. */
async function bootId(): Promise<string> {
  if (process.platform !== 'linux') return '';
  return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')).trim();
}
