import { OLDEST_NODE } from './launcher.ts';
import { pathsOf, type Machine } from './machine.ts';

/** A Node of a package, which goes when its folder is emptied. */
const ofPackage = /[\\/]node_modules[\\/]/;

/**
 * The Node that the native host is to run with, as a path without links: what version switchers put on the PATH leads
 * somewhere else tomorrow. `running`: the one that runs the installer, which is chosen unless a package brought it
 * and there is another.
 */
export function nodeToUse(machine: Machine, running: string): string {
  const own = machine.realPath(running);
  if (!ofPackage.test(own)) return own;
  const { join, delimiter } = pathsOf(machine);
  const name = machine.system === 'win32' ? 'node.exe' : 'node';
  const others = (machine.env['PATH'] ?? machine.env['Path'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .filter(machine.exists)
    .map(machine.realPath);
  return others.find((node) => !ofPackage.test(node) && isNewEnough(versionOf(machine, node))) ?? own;
}

/** `24.21.0`; null of what is no Node, or is gone. */
export function versionOf(machine: Machine, node: string): string | null {
  if (!machine.exists(node)) return null;
  const { code, output } = machine.run(node, ['--version']);
  return code === 0 ? (/^v(\d+\.\d+\.\d+)/.exec(output)?.[1] ?? null) : null;
}

/** Whether the native host runs with it. */
export const isNewEnough = (version: string | null): boolean => parseInt(version ?? '0', 10) >= OLDEST_NODE;
