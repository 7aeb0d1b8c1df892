import { en } from '../../locales/en-late.ts';
import { visible } from '../../lib/state/shown-text.ts';
import type { AttachmentSource, AttachmentSummary } from '../../lib/types/attachment.ts';

/** Where it comes from: of a part of a page its address and when it was read. */
export const fromWords = (source: AttachmentSource): string =>
  source.type === 'page' ? en.pages.from(source) : en.attachments.from(source);

/** Its name; of a part of a page which part it is, too. */
export const titleOf = ({ title, source }: Pick<AttachmentSummary, 'title' | 'source'>): string =>
  visible(source.type === 'page' ? en.pages.titled(source.part, title) : title);
