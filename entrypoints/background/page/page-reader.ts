import { browser } from 'wxt/browser';
import { wait } from '../../../lib/async.ts';
import { AppError, fromWire } from '../../../lib/errors.ts';
import { prepareReader } from '../../../lib/reader/frame.ts';
import { readPage } from '../../../lib/reader/read-page.ts';
import type { WireError } from '../../../lib/types/error.ts';
import type { PageContent, PageReading } from '../../../lib/types/page.ts';
import type { Offscreen } from './offscreen.ts';
import { t } from '../../../locales/texts/errors.ts';

type Answer = { ok: true; reply: PageContent } | { ok: false; error: WireError };

/** What has not become text by then never will: the reader itself gives up sooner. */
const TIMEOUT_MS = 60_000;

/** In a document that can hold the reader: Firefox’s event page is one itself. */
export function createPageReader({ acquire }: Offscreen) {
  if (import.meta.env.FIREFOX) return { prepare: prepareReader, compose: readPage };

  async function ask(message: object): Promise<unknown> {
    const release = await acquire();
    try {
      return await Promise.race([browser.runtime.sendMessage(message), wait(TIMEOUT_MS)]);
    } finally {
      release();
    }
  }

  return {
    /** Something will be read soon. */
    prepare: (): void => void ask({ prepare: true }).catch(() => undefined), // what is read then says why it is not
    /** Has what was read of a page turned into text. @throws AppError */
    async compose(reading: PageReading): Promise<PageContent> {
      const answer = (await ask({ reading })) as Answer | undefined;
      if (!answer)
        throw new AppError({
          code: 'page_busy',
          ...t(($) => $.errors.page.busy, { seconds: TIMEOUT_MS / 1000 }),
        });
      if (!answer.ok) throw fromWire(answer.error);
      return answer.reply;
    },
  };
}

export type PageReader = ReturnType<typeof createPageReader>;
