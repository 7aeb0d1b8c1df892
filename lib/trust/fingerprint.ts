import { type Definition, definitionOf } from '../types/tools/server-tool.ts';
import { sha256 } from '../sha256.ts';

/** SHA-256 of the tool's definition, in hexadecimal: the same however its keys are ordered. */
export function fingerprint(tool: Definition): Promise<string> {
  return sha256(JSON.stringify(canonical(definitionOf(tool))));
}

/** The value with the keys of every object in it sorted. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  // Pairs, not an object: an object would put keys that look like numbers first, and lose `__proto__`.
  return { pairs: entries.map(([key, each]) => [key, canonical(each)]) };
}
