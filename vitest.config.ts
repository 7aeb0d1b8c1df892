import preactPlugin from '@preact/preset-vite';
import { defineConfig } from 'vitest/config';

/** Two suites: `unit` in Node with fakes only at the seams, `e2e` drives the built extension in real browsers. */
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
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
