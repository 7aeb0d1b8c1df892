import { browser } from 'wxt/browser';
import { wait } from '../../lib/async.ts';
import { AppError, fromWire } from '../../lib/errors.ts';
import type { WireError } from '../../lib/types/error.ts';
import type { PageContent, PageReading } from '../../lib/types/page.ts';
import { t } from '../../locales/texts/errors.ts';

/** Chromium's alone; Firefox’s event page has a DOM itself. */
type Offscreen = {
  createDocument(options: { url: string; reasons: string[]; justification: string }): Promise<void>;
  closeDocument(): Promise<void>;
};
type Answer = { ok: true; reply: PageContent } | { ok: false; error: WireError };

/** What has not become text by then never will; the document is closed, which ends it. */
const PATIENCE_MS = 60_000;

/** Has what was read of pages turned into text, where there is a DOM for it; that is open only while it is needed. */
export function createPageReader(): (reading: PageReading) => Promise<PageContent> {
  if (import.meta.env.FIREFOX) return inEventPage;
  const { offscreen } = browser as unknown as { offscreen: Offscreen };
  let waiting = 0;
  let opened: Promise<void> | undefined;
  /** The browser allows one at a time. */
  let closed: Promise<void> = Promise.resolve();

  return async (reading) => {
    waiting += 1;
    try {
      opened ??= closed.then(() =>
        offscreen.createDocument({
          url: '/reader.html',
          reasons: ['DOM_PARSER'],
          justification: 'DOMParser',
        }),
      );
      // One that a worker before left open will do.
      await opened.catch(() => undefined);
      const answer = (await Promise.race([browser.runtime.sendMessage({ reading }), wait(PATIENCE_MS)])) as
        Answer | undefined;
      if (!answer)
        throw new AppError({
          code: 'page_busy',
          ...t(($) => $.errors.page.busy, { seconds: PATIENCE_MS / 1000 }),
        });
      if (!answer.ok) throw fromWire(answer.error);
      return answer.reply;
    } finally {
      waiting -= 1;
      if (waiting === 0) {
        opened = undefined;
        closed = offscreen.closeDocument().catch(() => undefined);
        await closed;
      }
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
