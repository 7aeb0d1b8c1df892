import type { Picture } from './message.ts';

/** Where an attachment comes from, so that it can be read again. */
export type AttachmentSource = { type: 'resource'; serverId: number; serverName: string; uri: string };

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
};

/** Without its content, which a page asks for when somebody wants to see it. */
export type AttachmentSummary = Omit<Attachment, 'text' | 'pictures'>;
