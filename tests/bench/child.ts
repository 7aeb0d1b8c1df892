import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/**
 * Starts a module of this folder in a process of its own, whose work then counts on nobody's clock here.
 * @returns the first thing it sends
 */
export async function startChild<T>(
  module: string,
  ...args: string[]
): Promise<{ said: T; stop: () => void }> {
  const child = fork(join(import.meta.dirname, module), args);
  const [said] = (await once(child, 'message')) as [T];
  return { said, stop: () => void child.kill() };
}
