import type { WireError } from './error.ts';
import type { Picture } from './message.ts';

/** Where an attachment comes from. A resource can be read again; what only a prompt has, such as a picture, can't. */
export type AttachmentSource =
  | { type: 'resource'; serverId: number; serverName: string; uri: string }
  | { type: 'prompt'; serverId: number; serverName: string; name: string }
  /** `size` in bytes, of the file as it was; its text was taken out of it on the page. */
  | { type: 'file'; name: string; size: number };

/** What a message carries besides what was typed: a draft's are in a store of their own, a sent one's in its message. */
export type Attachment = {
  id: string;
  title: string;
  source: AttachmentSource;
  mimeType?: string;
  /** What the model reads; of a file that is no text, a line that says so. */
  text: string;
  pictures?: Picture[];
  /** The estimate of what it costs (lib/agent/tokens.ts). */
  tokens: number;
  /** Why it could not be read again after its server said that it changed: what it holds is the text from before. */
  stale?: WireError;
};

/** Without its content, which a page asks for when somebody wants to see it. */
export type AttachmentSummary = Omit<Attachment, 'text' | 'pictures'>;
