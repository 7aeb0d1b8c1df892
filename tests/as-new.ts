import { vi } from 'vitest';

/**
 * A worker runs one test file after another, which takes two thirds of the time of a process for each. What a file loads of
 * Portside is loaded anew for it, and what an earlier one put in a global’s place is gone.
 */
vi.resetModules();
vi.unstubAllGlobals();

/** The second that vitest gives is no time on a busy computer: what never comes is found by the test’s own limit. */
const HANGS_MS = 4500;
const waits: Pick<typeof vi, 'waitFor' | 'waitUntil'> & { isPatient?: true } = vi;
if (!waits.isPatient) {
  const { waitFor, waitUntil } = waits;
  const long = (options: Parameters<typeof waitFor>[1]) =>
    typeof options === 'number' ? options : { timeout: HANGS_MS, ...options };
  waits.waitFor = (check, options) => waitFor(check, long(options));
  waits.waitUntil = (check, options) => waitUntil(check, long(options));
  waits.isPatient = true;
}
