import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  axeFaults,
  unevenRings,
  fits,
  foreignWords,
  keysOfButtons,
  layoutFaults,
  moving,
  resize,
  tabFits,
  withoutTooltip,
  wordsOfData,
} from './gallery-checks.ts';
import { type Gallery, galleryStates, openGallery } from './gallery-page.ts';

/** So many states are looked at side by side: more take more of both cores for the same. */
const PAGES = 2;

let gallery: Gallery;
let data: ReadonlySet<string>;

beforeAll(async () => {
  [gallery, data] = await Promise.all([openGallery(PAGES, axe.source), wordsOfData()]);
});
afterAll(() => gallery.close());

describe.concurrent('the gallery', () => {
  it.each(galleryStates)('can be read by everybody, in every width and language: $of, $name', (state) =>
    gallery.inFrame(async (frame) => {
      const found: string[] = [];
      const complaints = listen(frame.page(), found);
      await resize(frame, { width: state.of === 'panel' ? 400 : 1000 });
      await gallery.show(frame, state);
      found.push(
        ...(await frame.evaluate(moving)),
        ...(await frame.evaluate(withoutTooltip, keysOfButtons)),
        ...(await foreignWords(frame, data)),
      );
      for (const theme of ['light', 'dark'] as const) found.push(...(await axeFaults(frame, theme)));
      found.push(...(await frame.evaluate(layoutFaults, state.of === 'panel' ? fits : tabFits)));
      await resize(frame, { width: state.of === 'panel' ? 320 : 1000 });
      found.push(...(await frame.evaluate(unevenRings)));
      complaints.stop();
      expect(found).toEqual([]);
    }),
  );
});

/** Collects what the console complains of. */
function listen(page: Page, found: string[]): { stop: () => void } {
  const heard = (said: { type: () => string; text: () => string }): void => {
    if (said.type() === 'error') found.push(`console: ${said.text()}`);
  };
  const thrown = (error: Error): void => void found.push(`uncaught: ${error.message}`);
  page.on('console', heard);
  page.on('pageerror', thrown);
  return {
    stop() {
      page.off('console', heard);
      page.off('pageerror', thrown);
    },
  };
}
