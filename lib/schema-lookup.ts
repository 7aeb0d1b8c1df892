import { dereference } from '@cfworker/json-schema';
import { isRecord } from './json.ts';

/** Characters of the address of a part: engines hash no text of more than 16,000, and search all such one after another. */
const LONGEST = 2_000;
/** Addresses of one part: it gets them twice for each part with an address of its own that it lies in. */
const MOST = 8;

/**
 * The parts of a JSON schema by their addresses, by which the validator finds what is referred to. It writes into the schema.
 * @throws Error for what is nested in a way that no schema needs, and that would take for ever
 */
export function lookupOf(schema: Record<string, unknown>): ReturnType<typeof dereference> {
  const lookup = Object.create(null) as ReturnType<typeof dereference>;
  const counts = new Map<unknown, number>();
  const checked = new Proxy(lookup, {
    set(found, address, part: unknown) {
      const count = (counts.get(part) ?? 0) + 1;
      if (String(address).length > LONGEST || (isRecord(part) && count > MOST))
        throw new Error('The addresses of its parts are too long, or too many.');
      counts.set(part, count);
      return Reflect.set(found, address, part);
    },
  });
  dereference(schema, checked);
  return lookup;
}
