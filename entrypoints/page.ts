import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';
import { lasting } from '../lib/tools/page/dom/lasting.ts';
import { pageFunctions } from '../lib/tools/page/page.ts';

/**
 * Injected into a page when it is to be read, and never before: what it brings is called by the worker. Brought again, it
 * leaves what is there, which the browser has made fast by then; a Portside that was updated finds nothing there.
 */
export default defineUnlistedScript(() => {
  lasting('portsidePage', () => pageFunctions);
});
