import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { root } from './paths.ts';

export type Outcome = { code: number; output: string };

/**
 * Runs one of the checkout's own Node programs to its end, in the checkout.
 * @param entry the program's JavaScript file, relative to the checkout
 * @param show passes its output through as it comes, instead of collecting it
 */
export async function runNode(
  entry: string,
  args: string[],
  { env = {}, show = false }: { env?: Record<string, string>; show?: boolean } = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, [entry, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
  });
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? 1, output };
}
