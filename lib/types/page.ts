import type { Picture } from './picture.ts';

/** What of a page can be read. `transcript`: of its video or podcast, where it has one. `field`: the form field that has the focus; of a link its address is all. */
export type PagePart = 'page' | 'transcript' | 'selection' | 'field' | 'screenshot' | 'image' | 'link';

/** What the user can add of the page in front; the others take a click on the page itself. */
export type FrontPart = Exclude<PagePart, 'image' | 'link'>;

/** An open tab. Without access to it the browser tells neither its title nor its address. `openerTabId`: whose page opened it. */
export type PageTab = {
  id: number;
  windowId: number;
  active: boolean;
  title?: string;
  url?: string;
  openerTabId?: number;
};

/** What the script in a document found. */
export type FrameReading = {
  url: string;
  title: string;
  /** `text/html`, or what else the browser shows. */
  contentType: string;
  /** What is seen, as HTML of a few tags (lib/tools/page/reading/seen.ts). */
  html: string;
  /** What its links are relative to; resolving them is not the page's own thread's work. */
  base: string;
  /** Characters that are there and not seen. */
  hidden: number;
  /** It was too long, or too slow to walk through: the rest is missing. */
  isCut: boolean;
  /** Addresses, as the document has them, of the frames that can be seen and have to be read by themselves; '' for none. */
  frames: string[];
  /** Of a whole page: which frame of the tab it is (`0/2/`: the third in the first), and which frames are not seen. */
  at?: string;
  unseen?: string[];
  /** Absent for a frame that has none of its own: it is the tab's document's. */
  origin?: string;
  /** It is of a site that its call may not read: nothing of it is here. */
  isLeftOut?: true;
  /** The captions that its players have loaded. */
  captions?: string;
  /** Of a form field: by which its document alone knows it. */
  fieldId?: string;
  /** Lists of which the page has drawn only a part: how many rows stand there, of how many. */
  drawn: { rows: number; of: number }[];
};

/** A file that a tab shows in a viewer of the browser's: its bytes, in base64. */
export type FileReading = { url: string; title: string; file: { mimeType: string; data: string } };

/** What becomes what a model reads. `fetched`: nothing was read yet, `url` is to be fetched first. */
export type PageReading = {
  part: PagePart | 'fetched';
  /** The document of the tab first, then those in frames. */
  frames: FrameReading[];
  file?: FileReading['file'];
  picture?: Picture;
  /** The title and address of the tab. */
  title: string;
  url: string;
  /** What `read_more` knows the whole by, should it be cut. */
  readId: string;
  /** Bytes of text, in UTF-8, that are sent at most. */
  most: number;
  /** What is looked for: only the places where it stands. */
  query?: string;
};

/** What a model reads of a page. */
export type PageContent = {
  title: string;
  text: string;
  pictures?: Picture[];
  mimeType?: string;
  /** All of the text, when `text` is only its beginning. */
  whole?: string;
  /** Nothing of it is seen: `text` says no more than how much was left out. */
  isUnseen?: true;
};

/** Stands for the site of a frame in a sandbox, in which others' scripts may run, whatever its address says. */
export const SANDBOXED = 'about:sandboxed';

/** Whose page has an address: its origin; what has none, as files do not, is a site of its own. */
export function siteOf(url: string): string | undefined {
  const { origin, href = '' } = URL.parse(url) ?? {};
  return origin === 'null' ? href.split(/[?#]/, 1)[0] : origin;
}
