import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';
import { composePage } from '../lib/tools/page/compose.ts';
import { readFetched } from '../lib/tools/page/fetched.ts';
import type { PageReading } from '../lib/types/page.ts';

/** Firefox knows no offscreen documents: there the event page, which has a DOM, loads this when a page was read. */
export default defineUnlistedScript({
  include: ['firefox'],
  main: () => {
    const compose = (reading: PageReading) =>
      reading.part === 'fetched' ? readFetched(reading) : composePage(reading);
    Object.assign(globalThis, { portsideCompose: compose });
  },
});
