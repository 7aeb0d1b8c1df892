import preactPlugin from '@preact/preset-vite';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { defineConfig } from 'vitest/config';

const inBrowser = {
  testTimeout: 180_000,
  hookTimeout: 180_000, // they build, and start browsers
  expect: { poll: { timeout: 30_000 } },
  setupFiles: ['tests/patience.ts', 'tests/e2e/support/failures.ts'],
};

/** They fail, for a test that looks at what that leaves. */
const onPurpose = 'tests/e2e/browser/on-purpose/**';

/**
 * They do little but wait for what a browser does after half a minute, or count who looks at a port at which every panel
 * without a model looks: none is open beside them; and the longest file, which nothing would be left to run beside at the end.
 */
const before = ['browser/lifetime', 'browser/first-minutes', 'settings/gallery'].map(
  (name) => `tests/e2e/${name}.test.ts`,
);

/** These need the screen's focus, or most of both cores. */
const alone = ['browser/start', 'browser/context-menu', 'browser/permissions', 'servers/conformance'].map(
  (name) => `tests/e2e/${name}.test.ts`,
);

/** A real window of Firefox takes clicks by where they are on the screen: nothing runs beside it. */
const last = ['tests/e2e/browser/firefox-permissions.test.ts'];

/** They take minutes, in which they mostly wait: of the others, which do not, there are enough to run beside each. */
const long = [
  'pages/zoo',
  'pages/page-actions',
  'browser/firefox-pages',
  'browser/soak',
  'browser/bench',
  'servers/everything',
  'servers/everything-sse',
].map((name) => `/tests/e2e/${name}.test.ts`);
const EACH_AFTER = 6;

class LongOnesEarly extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => long.some((end) => moduleId.endsWith(end));
    const placeOf = ({ moduleId }: TestSpecification): number =>
      long.findIndex((end) => moduleId.endsWith(end));
    // oxlint-disable-next-line unicorn/no-array-sort -- a sequencer's
    const sorted = await super.sort(files.filter((file) => !isLong(file)));
    const start = sorted.findIndex(({ project }) => project.name === 'e2e');
    const apart = files.filter(isLong).toSorted((one, other) => placeOf(one) - placeOf(other));
    for (const [at, file] of apart.entries()) sorted.splice(start + at * EACH_AFTER, 0, file);
    return sorted;
  }
}

/** Beside one another: six have room on two cores, since much of it waits for programs, and for the browser. */
const first = { maxWorkers: 6, sequence: { groupOrder: 0 } };

/**
 * `unit` in Node with fakes only at the seams; `e2e` drives the built extension in real browsers, four at a time, which a
 * process hands on from file to file; what only waits, or would be disturbed by them, before, and what stands in their way after.
 */
export default defineConfig({
  plugins: [preactPlugin()],
  test: {
    isolate: false,
    // One after another: what loads before the modules are made new would be loaded twice.
    sequence: { setupFiles: 'list', sequencer: LongOnesEarly },
    projects: [
      {
        extends: true,
        test: {
          ...first,
          name: 'unit',
          testTimeout: 120_000, // some start programs, beside as many tests as there is room for
          hookTimeout: 60_000,
          expect: { poll: { timeout: 30_000 } },
          include: ['tests/**/*.test.{ts,tsx}'],
          exclude: ['tests/e2e/**'],
          setupFiles: ['tests/as-new.ts', 'tests/patience.ts', 'tests/properties.ts'],
        },
      },
      {
        extends: true,
        // Of one group, projects begin in the order of their names.
        test: { ...inBrowser, ...first, name: 'e2e-before', include: before },
      },
      {
        extends: true,
        test: {
          ...inBrowser,
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          exclude: [...before, ...alone, ...last, ...(process.env['PORTSIDE_ON_PURPOSE'] ? [] : [onPurpose])],
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          ...inBrowser,
          name: 'e2e-alone',
          include: alone,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          ...inBrowser,
          name: 'e2e-last',
          include: last,
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
