import type { Machine } from './machine.ts';
import type { RegistryKey } from './plan.ts';

/** @throws Error when Windows refuses */
export function writeKey(machine: Machine, { key, value }: RegistryKey): void {
  const { code, output } = reg(machine, ['add', key, '/ve', '/t', 'REG_SZ', '/d', value, '/f']);
  if (code !== 0) throw new Error(`reg.exe add ${key}: ${output.trim()}`);
}

/** Removes a key of ours, unless it names another manifest by now. @throws Error when Windows refuses */
export function removeKey(machine: Machine, { key, value }: RegistryKey): void {
  if (!isKeySet(machine, { key, value })) return;
  const { code, output } = reg(machine, ['delete', key, '/f']);
  if (code !== 0) throw new Error(`reg.exe delete ${key}: ${output.trim()}`);
}

export function isKeySet(machine: Machine, { key, value }: RegistryKey): boolean {
  const { code, output } = reg(machine, ['query', key, '/ve']);
  const found = /\bREG_SZ[ \t]+(\S.*)$/m.exec(output)?.[1]?.trim();
  return code === 0 && found !== undefined && comparable(found) === comparable(value);
}

/** reg.exe writes in the console's code page: what is not ASCII is not compared. Paths differ in no capitals. */
const comparable = (path: string): string => path.replaceAll(/[^ -~]+/g, '?').toLowerCase();

/** By its path, since Windows looks in the current folder first. */
function reg(machine: Machine, args: string[]): { code: number | null; output: string } {
  return machine.run(`${machine.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\reg.exe`, args);
}
