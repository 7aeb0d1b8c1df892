import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter } from 'node:path';
import { getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Exit, Launch, LaunchFault } from '../lib/types/native-host.ts';
import { launchFault } from '../locales/errors/check-steps.ts';
import { findCommand, isBatch, isPath, scriptIn } from './find-command.ts';
import { foldersIn } from './path.ts';
import { isAllowed, readPolicy } from './policy.ts';

/** What is handed to the system; `command`: the file that was found. */
export type Prepared = {
  command: string;
  file: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
};

/** Finds the program and checks that it may be started. `path`: the person's, `folder`: of the policy. */
export async function prepare(
  launch: Launch,
  path: string[],
  folder: string,
): Promise<Prepared | { fault: LaunchFault }> {
  const { command, args } = launch;
  const cwd = launch.cwd ?? homedir();
  if (!(await isFolder(cwd))) return { fault: { type: 'no_folder', cwd } };
  const env = { ...getDefaultEnvironment(), PATH: path.join(delimiter), ...launch.env };
  const searched = foldersIn(env.PATH);
  const found = await findCommand(command, searched, cwd);
  if (found === undefined) {
    return { fault: { type: 'not_found', command, path: isPath(command) ? [] : searched } };
  }
  const policy = await readPolicy(folder);
  if (policy && !(await isAllowed(policy, found, path)))
    return { fault: { type: 'not_allowed', command, policy } };
  if (!isBatch(found)) return { command: found, file: found, args, cwd, env };
  const [script, node] = await Promise.all([scriptIn(found), findCommand('node', searched)]);
  if (script === undefined || node === undefined) return { fault: { type: 'batch_file', command } };
  return { command: found, file: node, args: [script, ...args], cwd, env };
}

/** How a program ends that never began. */
export function faultExit(fault: LaunchFault): Exit {
  return { type: 'fault', fault, said: launchFault(fault) };
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
