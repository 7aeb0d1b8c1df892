import type { FileReading } from '../../types/page.ts';
import { fillField } from './field.ts';
import { readOutline } from './outline.ts';
import { base64, readPicture } from './picture.ts';
import { framesOf } from './frames.ts';
import { readSeen } from './seen.ts';
import { readField, readSelection } from './selection.ts';
import { readTables } from './tables.ts';

/** Bytes of a file that a tab shows; base64 of more does not fit into a message of the browser's. */
const MOST_BYTES = 40_000_000;

/** What is called in a page, in the world of its own that extensions' scripts have there. Nothing runs before. */
export const pageFunctions = {
  /**
   * The document, as a person sees it; null for one in a frame of its parent's origin, which that one reads itself, and
   * for a frame too small to see.
   */
  page: (_which: string) => (isTold() ? { ...readSeen(document), ...framesOf(document) } : null),
  selection: (which: string) => readSelection(document, which),
  field: (id: string, which: string) => readField(document, id, which),
  fill: fillField,
  picture: readPicture,
  outline: () => inPlace(readOutline(document)),
  tables: (ref: string, from: number) => inPlace(readTables(document, ref, from)),
  file: readFile,
};

export type PageFunctions = typeof pageFunctions;

/** Of a frame with where it is from. */
function inPlace(found: string): { text: string } & ReturnType<typeof framesOf> {
  const isPlain = found === '' || window === window.top;
  const text = isPlain ? found : `In a frame of ${location.host || 'this page'}:\n${found}`;
  return { text, ...framesOf(document) };
}

function isTold(): boolean {
  if (window === window.top) return true;
  try {
    if (window.frameElement) return false;
  } catch {
    return innerWidth > 50 && innerHeight > 50; // another origin's
  }
  return innerWidth > 50 && innerHeight > 50;
}

/** The bytes of what the tab shows, such as a PDF; null when they can't be had or are too many. */
async function readFile(): Promise<FileReading | null> {
  const response = await fetch(location.href);
  const blob = await response.blob();
  if (!response.ok || blob.size > MOST_BYTES) return null;
  const data = await base64(blob);
  return { url: location.href, title: document.title, file: { mimeType: document.contentType, data } };
}
