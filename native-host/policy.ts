import { lstat, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isTexts } from '../lib/json.ts';
import type { Policy } from '../lib/types/native-host.ts';
import { findCommand } from './find-command.ts';

/**
 * What `policy.json` in this folder, `{"commands": ["npx", "/usr/bin/docker"]}`, allows; null without one. One that
 * can't be understood allows nothing.
 */
export async function readPolicy(folder: string): Promise<Policy | null> {
  const file = join(folder, 'policy.json');
  try {
    // Windows' own editor puts a byte order mark before it.
    const text = (await readFile(file, 'utf8')).replace(/^\uFEFF/, '');
    const { commands } = Object(JSON.parse(text)) as { commands?: unknown };
    if (isTexts(commands)) return { file, commands };
    return { file, commands: [], problem: 'It has no list of texts named “commands”.' };
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    // A dangling link still means that a policy is wanted.
    if (isMissing && !(await lstat(file).catch(() => undefined))) return null;
    return { file, commands: [], problem: String(error) };
  }
}

/** Whether the policy allows the program at `file`. `path`: where commands without a folder are looked for. */
export async function isAllowed(policy: Policy | null, file: string, path: string[]): Promise<boolean> {
  if (!policy) return true;
  // A name means what the user's terminal would start, not what a server's own PATH puts in its place.
  const files = await Promise.all(policy.commands.map((command) => findCommand(command, path)));
  const [wanted, ...allowed] = await Promise.all(
    [file, ...files.filter((each) => each !== undefined)].map(real),
  );
  return wanted !== undefined && allowed.includes(wanted);
}

/** On most systems /bin is a link to /usr/bin. The file's own name stays: as another, the same one may be another program. */
const real = async (file: string): Promise<string> =>
  join(await realpath(dirname(file)).catch(() => dirname(file)), basename(file));
