import { visible } from '../../../lib/state/shown-text.ts';
import type { AttachmentSummary } from '../../../lib/types/attachment.ts';
import { t } from '../../../locales/texts/panel.ts';
import { phrases } from '../../../locales/phrases.ts';

/** Its name; of a part of a page which part it is, too; of a selection how it begins. */
export function titleOf({
  title,
  source,
  beginning,
}: Pick<AttachmentSummary, 'title' | 'source' | 'beginning'>): string {
  if (beginning !== undefined) return visible(t(($) => $.quoted, { text: beginning }));
  return visible(source.type === 'page' ? phrases.page(source.part, title) : title);
}
