import { browser } from 'wxt/browser';
import { wait } from '../../../lib/async.ts';
import { AppError, fromWire } from '../../../lib/errors.ts';
import type { WireError } from '../../../lib/types/error.ts';
import type { PageContent, PageReading } from '../../../lib/types/page.ts';
import type { Offscreen } from './offscreen.ts';
import { t } from '../../../locales/texts/errors.ts';

type Answer = { ok: true; reply: PageContent } | { ok: false; error: WireError };

/** What has not become text by then never will; it ends with the document. */
const TIMEOUT_MS = 60_000;

/** Has what was read of pages turned into text, where there is a DOM for it: Firefox’s event page has one itself. */
export function createPageReader({ acquire }: Offscreen): (reading: PageReading) => Promise<PageContent> {
  if (import.meta.env.FIREFOX) return inEventPage;
  return async (reading) => {
    const release = await acquire();
    try {
      const answer = (await Promise.race([browser.runtime.sendMessage({ reading }), wait(TIMEOUT_MS)])) as
        | Answer
        | undefined;
      if (!answer)
        throw new AppError({
          code: 'page_busy',
          ...t(($) => $.errors.page.busy, { seconds: TIMEOUT_MS / 1000 }),
        });
      if (!answer.ok) throw fromWire(answer.error);
      return answer.reply;
    } finally {
      await release();
    }
  };
}

async function inEventPage(reading: PageReading): Promise<PageContent> {
  const { picture, title } = reading;
  if (picture) return { title, text: '', pictures: [picture], mimeType: picture.mimeType };
  const page = globalThis as { portsideCompose?: (of: PageReading) => PageContent | Promise<PageContent> };
  if (!page.portsideCompose) await load('/compose.js');
  if (!page.portsideCompose) throw new Error('compose.js brought nothing.');
  return page.portsideCompose(reading);
}

function load(src: string): Promise<unknown> {
  const script = Object.assign(document.createElement('script'), { src });
  const loaded = new Promise((resolve, reject) => {
    script.addEventListener('load', resolve);
    script.addEventListener('error', reject);
  });
  document.head.append(script);
  return loaded;
}
