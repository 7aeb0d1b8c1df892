import type { WireError } from './error.ts';
import type { Picture } from './picture.ts';
import type { PagePart } from './page.ts';

/** Where an attachment comes from. A resource can be read again; what only a prompt has, such as a picture, can't. */
export type AttachmentSource =
  | { type: 'resource'; serverId: number; serverName: string; uri: string }
  /** `isTyped`: the text was put into the composer, and goes as what the user sends; this keeps whose words they were. */
  | { type: 'prompt'; serverId: number; serverName: string; name: string; isTyped?: true }
  /** The user loaded it; it is its server's text all the same, and is not read again. */
  | { type: 'skill'; serverId: number; serverName: string; name: string; uri: string }
  /** What the app of a call says: it takes the place of what it said before. */
  | { type: 'app'; serverId: number; serverName: string; callId: string }
  /** `size` in bytes, of the file as it was; its text was taken out of it on the page. */
  | { type: 'file'; name: string; size: number }
  /** Read when it was attached, and anew when it was sent, as long as the tab showed the same page. `at`: ISO 8601. */
  | {
      type: 'page';
      part: PagePart;
      /** -1: it was chosen by a click, and is not read again. */
      tabId: number;
      url: string;
      at: string;
      /** Of a whole page: what its title and text were (lib/tools/page/reading/fingerprint.ts). */
      print?: string;
      /** By which the page knows the form field, until it is left. */
      fieldId?: string;
    };

/** What a message carries besides what was typed: a draft's are in a store of their own, a sent one's in its message. */
export type Attachment = {
  id: string;
  title: string;
  source: AttachmentSource;
  mimeType?: string;
  /** Of a file that is kept as it was: under which it is. Copies of the attachment share it. */
  fileId?: string;
  /** What the model reads; of a file that is no text, a line that says so. */
  text: string;
  pictures?: Picture[];
  /** All of it where `text` is only the beginning, under the id by which `read_more` reads on. */
  whole?: { readId: string; text: string };
  /** The estimate of what it costs (lib/agent/context/tokens.ts). */
  tokens: number;
  /** Why it could not be read again after its server said that it changed: what it holds is the text from before. */
  stale?: WireError;
};

/**
 * Without its content, which a page asks for when the user wants to see it. `beginning`: of a selection, whose title is only
 * its page's, how it begins. `share`: of what is sent in part, how much of it, from 0 to 1.
 */
export type AttachmentSummary = Omit<Attachment, 'text' | 'pictures' | 'whole'> & {
  beginning?: string;
  share?: number;
};

/** Whether its text stands in the message itself. */
export const isTyped = ({ source }: { source: AttachmentSource }): boolean =>
  source.type === 'prompt' && source.isTyped === true;

/** Characters of a selection that stand for it. */
const BEGINNING = 80;

/** What stands in a summary for the content. */
export const summed = (row: Attachment): Pick<AttachmentSummary, 'beginning' | 'share'> => ({
  ...beginningOf(row),
  // A share of nothing is no number, which the panel could not show.
  ...(row.whole?.text && { share: Math.min(row.text.length / row.whole.text.length, 0.99) }),
});

/** How a selection begins, without the marks of its Markdown. */
function beginningOf({
  source,
  text,
}: Pick<Attachment, 'source' | 'text'>): Pick<AttachmentSummary, 'beginning'> {
  if (source.type !== 'page' || source.part !== 'selection') return {};
  const plain = text
    .slice(0, 20 * BEGINNING)
    // oxlint-disable-next-line portside/linear-regex -- cut above
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    // oxlint-disable-next-line portside/linear-regex -- cut above
    .replaceAll(/[#>*`|]+|^\s*[-+] /gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (plain === '') return {};
  return { beginning: plain.length > BEGINNING ? `${plain.slice(0, BEGINNING).trimEnd()}…` : plain };
}
