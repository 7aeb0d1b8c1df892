import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFirefox } from '../../../../scripts/setup/programs.mjs';
import { openBareBrowser } from '../../support/bare-browser.ts';
import type { Portside } from '../../support/browser.ts';
import { openFirefox } from '../../support/firefox.ts';
import { openGallery } from '../../settings/gallery-page.ts';
import { borrowPortside } from '../../support/shared-browser.ts';

/** tests/e2e/browser/failures.test.ts looks at what they leave. */
describe('on purpose', () => {
  let portside: Portside;
  beforeAll(async () => {
    portside = await borrowPortside();
  });
  afterAll(() => portside.close());

  it('fails in a browser of its file', async () => {
    await portside.command('listServers'); // by then there is a database, whose state is kept
    await portside.panel.evaluate('console.info("said before it failed")');
    expect(await portside.panel.title()).toBe('no title of Portside’s');
  });
});

// The browser that was borrowed is free by now.
describe.concurrent('on purpose', () => {
  it('fails in a browser that it closes', async () => {
    const browser = await openBareBrowser();
    try {
      const panel = await browser.open('sidepanel.html');
      await browser.command('listServers');
      await panel.evaluate('console.info("said before it failed")');
      expect(await panel.evaluate('document.title')).toBe('no title of Portside’s');
    } finally {
      await browser.close();
    }
  });

  it.skipIf(!findFirefox())('fails in Firefox', async () => {
    const firefox = await openFirefox();
    try {
      const panel = await firefox.open('sidepanel.html');
      await panel.evaluate('console.error("said before it failed")');
      expect(await panel.title()).toBe('no title of Portside’s');
    } finally {
      await firefox.close();
    }
  });

  it('fails in the gallery', async () => {
    const gallery = await openGallery();
    try {
      await gallery.inFrame(async (frame) => {
        await gallery.show(frame, { name: 'files-attached', of: 'panel' });
        await frame.evaluate('console.info("said before it failed")');
        expect(await frame.title()).toBe('no title of Portside’s');
      });
    } finally {
      await gallery.close();
    }
  });
});
