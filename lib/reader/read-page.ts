import { fetchUrl, unfetched } from '../tools/page/reading/fetch.ts';
import type { PageContent, PageReading } from '../types/page.ts';
import { errorOf } from './failures.ts';
import { prepareReader, readInFrame } from './frame.ts';
import type { ReadContent } from './work.ts';

/**
 * What a model gets of what was read of a page, or of what is at an address, which is fetched first.
 * @throws AppError `file_unreadable`, `file_too_large`, `not_fetched`
 */
export async function readPage(reading: PageReading): Promise<PageContent> {
  if (reading.part !== 'fetched') {
    const outcome = await readInFrame({ type: 'page', reading });
    if (!outcome.ok) throw errorOf(outcome.failure, reading.title);
    return titled(outcome.content, reading);
  }
  prepareReader();
  const fetched = await fetchUrl(reading.url);
  const outcome = await readInFrame({ type: 'fetched', reading, fetched });
  if (!outcome.ok) {
    const { mimeType } = fetched;
    throw unfetched(outcome.failure, { url: reading.url, mimeType }) ?? errorOf(outcome.failure, reading.url);
  }
  return titled(outcome.content, reading);
}

const titled = (content: ReadContent, { title, url }: PageReading): PageContent => ({
  ...content,
  title: content.title ?? (title.trim() || url),
});
