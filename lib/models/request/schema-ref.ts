import { isRecord } from '../../json.ts';

export type Schema = Record<string, unknown>;

/** What a local reference (`#/$defs/Name`) stands for. */
export function resolveRef(root: Schema, ref: unknown): Schema | undefined {
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return undefined;
  const steps = ref
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const found = steps.reduce<unknown>(
    (at, step) => (isRecord(at) && Object.hasOwn(at, step) ? at[step] : undefined),
    root,
  );
  return isRecord(found) ? found : undefined;
}

/** Whether `type` is this one, or a list with it. */
export function includesType(type: unknown, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name));
}
