import { wait } from '../../../lib/async.ts';
import { createAskBox } from '../browser/ask-box.ts';
import type { Core } from '../core.ts';
import { createPageReader } from './page-reader.ts';
import { createPages } from './pages.ts';
import type { PrivateTabs } from './private-tabs.ts';

export type PageParts = ReturnType<typeof buildPages>;

export function buildPages({ db, offscreen }: Core, privateTabs: PrivateTabs) {
  const pageReader = createPageReader(offscreen);
  const pages = createPages({ ...pageReader, wait, isPrivate: privateTabs.has });
  return { privateTabs, pageReader, pages, askBox: createAskBox(db, { pages, now: Date.now }) };
}
