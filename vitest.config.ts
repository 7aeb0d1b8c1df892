import preactPlugin from '@preact/preset-vite';
import { defineConfig } from 'vitest/config';

const inBrowser = { testTimeout: 60_000, hookTimeout: 60_000 };

/** These need a port that the extension knows, the screen's focus, or every core. */
const alone = ['first-run', 'start', 'context-menu', 'permissions'].map(
  (name) => `tests/e2e/${name}.test.ts`,
);

/**
 * `unit` in Node with fakes only at the seams; `e2e` drives the built extension in real browsers, two at a time, and what
 * stands in the others' way after them.
 */
export default defineConfig({
  plugins: [preactPlugin()],
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/**/*.test.{ts,tsx}'],
          exclude: ['tests/e2e/**'],
          setupFiles: ['tests/properties.ts'],
          maxWorkers: 2, // on two cores vitest would take one
        },
      },
      {
        extends: true,
        test: {
          ...inBrowser,
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          exclude: alone,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          ...inBrowser,
          name: 'e2e-alone',
          include: alone,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
