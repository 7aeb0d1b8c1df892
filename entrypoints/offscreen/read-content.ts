import { readFile } from '../../lib/files/read-file.ts';
import { composePage, fitted } from '../../lib/tools/page/compose.ts';
import { findIn } from '../../lib/tools/page/find.ts';
import { readFetched } from '../../lib/tools/page/fetched.ts';
import type { PageContent, PageReading } from '../../lib/types/page.ts';

/** Reading is never aborted: it ends when this document is closed. */
const never = new AbortController().signal;

/** What a model gets of what was read: of a file its text, of a screenshot a picture of the size that models take. */
export async function readContent(reading: PageReading): Promise<PageContent> {
  const { file, picture, title } = reading;
  if (reading.part === 'fetched') return readFetched(reading, (found) => readFile(found, never));
  if (picture) return { title, ...(await readBase64('screenshot', picture)) };
  if (!file) return composePage(reading);
  const { text, mimeType, pictures } = await readBase64(title, file);
  const shown = reading.query === undefined ? text : findIn(text, reading.query);
  return { ...fitted(reading, shown, reading), mimeType, ...(pictures && { pictures }) };
}

async function readBase64(name: string, { mimeType, data }: { mimeType: string; data: string }) {
  const bytes = Uint8Array.from(atob(data), (unit) => unit.charCodeAt(0));
  return readFile(new File([bytes], name, { type: mimeType }), never);
}
