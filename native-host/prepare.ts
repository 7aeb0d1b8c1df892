import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, resolve } from 'node:path';
import { getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Exit, Launch, LaunchFault } from '../lib/types/native-host.ts';
import { launchFault } from '../locales/check-steps.ts';
import { findCommand, fromHome, isBatch, isPath, misfit, scriptIn } from './find-command.ts';
import { foldersIn, type FoundPath, type LoginPath } from './path.ts';
import { isAllowed, readPolicy } from './policy.ts';

/** What is handed to the system; `command`: the file that was found. */
export type Prepared = {
  command: string;
  file: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
};

type Outcome = Prepared | { fault: LaunchFault };

/**
 * Finds the program and checks that it may be started. What is not found may have been installed since the user's
 * `path` was asked for, so that this is asked for once more. `folder`: of the policy.
 */
export async function prepare(launch: Launch, path: LoginPath, folder: string): Promise<Outcome> {
  const found = await path();
  const first = await prepareWith(launch, found, folder);
  if (found.isSlow || !('fault' in first)) return first;
  const { fault } = first;
  const isUnknown = fault.type === 'not_found' && fault.path.length > 0 && launch.env['PATH'] === undefined;
  return isUnknown ? prepareWith(launch, await path(true), folder) : first;
}

async function prepareWith(launch: Launch, login: FoundPath, folder: string): Promise<Outcome> {
  const { command, args } = launch;
  const path = login.folders;
  const cwd = fromHome(launch.cwd ?? homedir());
  if (!isAbsolute(cwd) || !(await isFolder(cwd))) {
    return { fault: { type: 'no_folder', cwd, ...(!isAbsolute(cwd) && { isRelative: true }) } };
  }
  const env = { ...getDefaultEnvironment(), PATH: path.join(delimiter), ...launch.env };
  const searched = foldersIn(env.PATH);
  const found = await findCommand(command, searched, cwd);
  if (found === undefined) {
    const fault = await unfound(command, searched, cwd);
    const isSlow = login.isSlow && fault.type === 'not_found' && fault.path.length > 0;
    return { fault: isSlow ? { ...fault, isSlow } : fault };
  }
  const policy = await readPolicy(folder);
  if (policy && !(await isAllowed(policy, found, path)))
    return { fault: { type: 'not_allowed', command, policy } };
  if (!isBatch(found)) return { command: found, file: found, args, cwd, env };
  const [script, node] = await Promise.all([scriptIn(found), findCommand('node', searched)]);
  if (script === undefined || node === undefined) return { fault: { type: 'batch_file', command } };
  return { command: found, file: node, args: [script, ...args], cwd, env };
}

/** Why no program was found. A whole command line in place of the command is the commonest mistake. */
async function unfound(command: string, searched: string[], cwd: string): Promise<LaunchFault> {
  const why = isPath(command) ? await misfit(resolve(cwd, fromHome(command))) : undefined;
  if (why !== undefined) return { type: 'no_program', command, why };
  const [program = ''] = command.trim().split(/\s+/);
  const isLine =
    program !== command && (!isPath(program) || (await findCommand(program, searched, cwd)) !== undefined);
  const path = isPath(isLine ? program : command) ? [] : searched;
  return { type: 'not_found', command, path, ...(isLine && { isLine }) };
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
