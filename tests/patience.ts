import { vi } from 'vitest';

/** The second that vitest gives is no time on a busy computer: this is for what never comes, as in `expect.poll`. */
const HANGS_MS = 30_000;
const waits: Pick<typeof vi, 'waitFor' | 'waitUntil'> & { isPatient?: true } = vi;
if (!waits.isPatient) {
  const { waitFor, waitUntil } = waits;
  const long = (options: Parameters<typeof waitFor>[1]) =>
    typeof options === 'number' ? options : { timeout: HANGS_MS, ...options };
  waits.waitFor = (check, options) => waitFor(check, long(options));
  waits.waitUntil = (check, options) => waitUntil(check, long(options));
  waits.isPatient = true;
}
