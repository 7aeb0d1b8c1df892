import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';
import type { Outcome, Work, ReadContent } from '../../lib/reader/work.ts';
import type { Failure, Unreadable } from '../../lib/unreadable.ts';
import { bytesOf } from '../../lib/base64.ts';
import type { FileContent, FileReader } from '../../lib/files/kind.ts';
import { readPicture } from '../../lib/files/picture.ts';
import { readFile } from '../../lib/files/read-file.ts';
import { composePage, fitted } from '../../lib/tools/page/reading/compose.ts';
import { readFetched } from '../../lib/tools/page/reading/fetched.ts';
import { findIn } from '../../lib/tools/page/reading/find.ts';
import type { PageReading } from '../../lib/types/page.ts';

/**
 * Reads foreign bytes, which may be made to take this frame over: the frame has no secrets and no permissions, and its only
 * output is one message, which lib/reader/frame.ts checks. A classic script, as are those that it loads: Firefox refuses
 * modules to an opaque origin.
 */
export default defineUnlistedScript(() => {
  addEventListener(
    'message',
    ({ data, ports: [port], source }: MessageEvent<Work>) => {
      if (source !== parent || !port) return;
      void read(data).then(
        (content) => port.postMessage({ ok: true, content } satisfies Outcome),
        (error: unknown) => {
          const failure = failureOf(error);
          if (!failure) console.error(error);
          port.postMessage(failure ? { ok: false, failure } : null);
        },
      );
    },
    { once: true },
  );
});

/** The scripts that are loaded have a class of their own. */
const failureOf = (error: unknown): Failure | undefined =>
  error instanceof Error && error.name === 'Unreadable' ? (error as Unreadable).failure : undefined;

/** What a model gets of what was read: of a file its text, of a picture one of the size that models take. */
async function read(work: Work): Promise<ReadContent> {
  if (work.type === 'file') return readAny(work.file);
  return work.type === 'fetched' ? readFetched(work.reading, work.fetched, readAny) : readPage(work.reading);
}

async function readPage(reading: PageReading): Promise<ReadContent> {
  const { file, picture, title } = reading;
  if (picture) return { title, ...(await readBase64('screenshot', picture)) };
  if (!file) return composePage(reading);
  const { text, mimeType, pictures } = await readBase64(title, file);
  const shown = reading.query === undefined ? text : findIn(text, reading.query);
  return { ...fitted(reading, shown, reading), mimeType, ...(pictures && { pictures }) };
}

async function readBase64(name: string, { mimeType, data }: { mimeType: string; data: string }) {
  const bytes = bytesOf(data);
  return readAny(new File([bytes], name, { type: mimeType }));
}

/** The libraries for PDF and DOCX are many times as large as all else, and come when such a file does. */
const readAny = (file: File): Promise<FileContent> =>
  readFile(file, {
    picture: readPicture,
    pdf: async (pdf) => (await late('pdf'))(pdf),
    docx: async (docx) => (await late('docx'))(docx),
  });

type Late = { [name in `portside-${'pdf' | 'docx'}`]?: FileReader };

async function late(kind: 'pdf' | 'docx'): Promise<FileReader> {
  const script = Object.assign(document.createElement('script'), { src: `/reader-${kind}.js` });
  await new Promise((resolve, reject) => {
    script.addEventListener('load', resolve);
    script.addEventListener('error', reject);
    document.head.append(script);
  });
  const reader = (globalThis as Late)[`portside-${kind}`];
  if (!reader) throw new Error(`reader-${kind}.js brought nothing.`);
  return reader;
}
