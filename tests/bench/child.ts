import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/**
 * Starts a module of this folder in a process of its own, so that its work is not timed here.
 * @returns the first thing it sends; `next` resolves with the next one from then on
 */
export async function startChild<T>(
  module: string,
  ...args: string[]
): Promise<{ said: T; next: <M>() => Promise<M>; stop: () => void }> {
  const child = fork(join(import.meta.dirname, module), args);
  const next = async <M>(): Promise<M> => ((await once(child, 'message')) as [M])[0];
  return { said: await next<T>(), next, stop: () => void child.kill() };
}
