import { vi } from 'vitest';

/**
 * A worker runs one test file after another, which takes two thirds of the time of a process for each. What a file loads of
 * Portside is loaded anew for it, and what an earlier one put in a global’s place is gone.
 */
vi.resetModules();
vi.unstubAllGlobals();
