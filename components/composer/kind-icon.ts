import { Braces, FileCode, FileImage, FileSpreadsheet, FileText, FileType, type IconNode } from 'lucide';
import type { AttachmentSummary } from '../../lib/types/attachment.ts';

/** By what it is, as far as its type or the end of its name tells. */
const icons: [RegExp, IconNode][] = [
  [/^image\/(?!svg)/, FileImage],
  [/^application\/pdf\b|wordprocessingml/, FileType],
  [/^text\/(csv|tab-separated-values)\b/, FileSpreadsheet],
  [/\bjson\b/, Braces],
  [/\b(xml|html|javascript)\b/, FileCode],
];

/** Names of code: files of it call themselves plain text. */
const CODE =
  /\.(m?[jt]sx?|c|h|cc|cpp|hpp|cs|css|scss|go|java|kt|lua|php|pl|py|rb|rs|sh|sql|swift|toml|ya?ml|vue)$/i;

/** What stands for an attachment's kind. */
export function kindIcon({ title, mimeType = '' }: Pick<AttachmentSummary, 'title' | 'mimeType'>): IconNode {
  const found = icons.find(([pattern]) => pattern.test(mimeType))?.[1];
  return found ?? (CODE.test(title) ? FileCode : FileText);
}
