import { configureGlobal } from 'fast-check';

/**
 * Property tests try the same inputs in every run, so that a run tells of the change and not of luck. To look for new
 * ones: `PORTSIDE_RUNS=5000 vitest run --project unit`, which also takes another seed each time.
 */
const runs = Number(process.env['PORTSIDE_RUNS'] ?? 0);
configureGlobal(runs > 0 ? { numRuns: runs } : { seed: 20_261_122 });
