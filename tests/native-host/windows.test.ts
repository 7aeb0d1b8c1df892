import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endTree } from '../../native-host/ending.ts';
import { reap } from '../../native-host/running-notes.ts';

const system = vi.hoisted(() => ({ done: [] as string[], listed: '' }));
vi.mock('node:child_process', () => ({
  execFile(
    program: string,
    args: string[],
    _options: object,
    done: (error: null, said: { stdout: string }) => void,
  ) {
    if (program === 'taskkill.exe') system.done.push([program, ...args].join(' '));
    done(null, { stdout: program === 'powershell.exe' ? system.listed : '' });
  },
}));

const { platform } = process;
beforeEach(() => {
  system.done = [];
  Object.defineProperty(process, 'platform', { value: 'win32' });
});
afterEach(() => Object.defineProperty(process, 'platform', { value: platform }));

describe('on Windows a program', () => {
  it('is ended with all that it started by taskkill, when it did not end by itself', async () => {
    await endTree({ pid: process.pid, mark: 'm' }, 30, () => void system.done.push('stdin closed'));
    expect(system.done).toEqual(['stdin closed', `taskkill.exe /PID ${process.pid} /T /F`]);
  });

  it('that ended when its stdin was closed is not ended again: its pid may be another’s', async () => {
    await endTree({ pid: 2 ** 22 + 1, mark: 'm' }, 30, () => undefined);
    expect(system.done).toEqual([]);
  });

  it('that a killed native host left is ended by the next, unless another has its pid by now', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'portside-windows-'));
    const note = join(folder, 'running-40.json');
    const programs = [512, 513].map((pid) => ({ pid, startedAt: 13_408_700_001_000, mark: `m${pid}` }));
    writeFileSync(note, JSON.stringify({ boot: '', host: { pid: 40, startedAt: 1 }, programs }));
    system.listed = '512 4 134087000010000000\r\n513 4 134087000990000000\r\n';
    await reap(folder);
    expect(system.done).toEqual(['taskkill.exe /PID 512 /T /F']);
    expect(existsSync(note)).toBe(false);
    rmSync(folder, { recursive: true });
  });
});
