import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPortside, type Portside } from '../browser.ts';

let portside: Portside;
beforeAll(async () => {
  portside = await openPortside();
});
afterAll(() => portside.close());

/** tests/e2e/failures.test.ts looks at what it leaves. */
it('fails on purpose', async () => {
  await portside.panel.evaluate('console.info("said before it failed")');
  expect(await portside.panel.title()).toBe('no title of Portside’s');
});
