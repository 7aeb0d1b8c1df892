import { visible } from '../../lib/state/shown-text.ts';
import type { AttachmentSummary } from '../../lib/types/attachment.ts';
import { phrases } from '../../locales/phrases.ts';

/** Its name; of a part of a page which part it is, too. */
export const titleOf = ({ title, source }: Pick<AttachmentSummary, 'title' | 'source'>): string =>
  visible(source.type === 'page' ? phrases.page(source.part, title) : title);
