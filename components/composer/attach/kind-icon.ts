import {
  AppWindow,
  BookOpen,
  Braces,
  Camera,
  Captions,
  FileCode,
  FileImage,
  FileSpreadsheet,
  FileText,
  FileType,
  Globe,
  Link,
  SquareSlash,
  TextCursorInput,
  TextSelect,
  type IconNode,
} from 'lucide';
import { type AttachmentSummary, isTyped } from '../../../lib/types/attachment.ts';
import type { PagePart } from '../../../lib/types/page.ts';

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

export const partIcons: Record<PagePart, IconNode> = {
  page: Globe,
  transcript: Captions,
  selection: TextSelect,
  field: TextCursorInput,
  screenshot: Camera,
  image: FileImage,
  link: Link,
};

/** What stands for an attachment's kind. */
export function kindIcon({
  title,
  source,
  mimeType = '',
}: Pick<AttachmentSummary, 'title' | 'mimeType' | 'source'>): IconNode {
  if (source.type === 'page') return partIcons[source.part];
  if (source.type === 'app') return AppWindow;
  if (isTyped({ source })) return SquareSlash;
  if (source.type === 'skill') return BookOpen;
  const found = icons.find(([pattern]) => pattern.test(mimeType))?.[1];
  return found ?? (CODE.test(title) ? FileCode : FileText);
}
