import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { runHost } from './host.ts';
import { VERSION } from './version.ts';

/**
 * Is the native host of the browser that started this process, whose stdout belongs to frames alone. Resolves when
 * nothing is left to do; the process is to exit then, with `process.exitCode`.
 * @param folder of the policy, and of the notes on what runs: the program's own
 */
export async function serve(folder = dirname(realpathSync(process.argv[1] ?? '.'))): Promise<void> {
  const stop = new AbortController();
  const fail = (error: unknown): void => {
    process.stderr.write(`portside-native-host: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
    stop.abort();
  };
  // Without a browser nothing reads stderr: a write to it fails, and telling of that would fail again, for ever.
  process.stderr.on('error', () => undefined);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  for (const fault of ['uncaughtException', 'unhandledRejection'] as const) process.on(fault, fail);
  const { stdin: input, stdout: output } = process;
  await runHost({ input, output, folder, version: VERSION }, stop.signal).catch(fail);
}
