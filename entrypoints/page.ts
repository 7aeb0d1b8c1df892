import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';
import { pageFunctions } from '../lib/tools/page/page.ts';

/** Injected into a page when it is to be read, and never before: what it brings is called by the worker. */
export default defineUnlistedScript(() => {
  Object.assign(globalThis, { portsidePage: pageFunctions });
});
