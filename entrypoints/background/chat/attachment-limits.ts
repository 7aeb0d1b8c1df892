import { AppError } from '../../../lib/errors.ts';
import type { Attachment } from '../../../lib/types/attachment.ts';
import type { ErrorWords } from '../../../lib/types/error.ts';
import type { Picture } from '../../../lib/types/picture.ts';

import { t } from '../../../locales/texts/errors.ts';

/** Characters of one attachment's text. No model reads more. */
const MAX_TEXT = 1_000_000;
/** Bytes of all pictures of one draft; providers refuse larger requests. */
const MAX_PICTURE_BYTES = 10_000_000;

/**
 * Makes sure that an attachment can be sent at all.
 * @param others the draft's other attachments
 * @throws AppError `attachment_too_large`
 */
export function requireFitting(
  { title, text, pictures = [] }: Pick<Attachment, 'title' | 'text' | 'pictures'>,
  others: Pick<Attachment, 'pictures'>[],
): void {
  if (text.length > MAX_TEXT) {
    throw tooLarge(t(($) => $.errors.input.longAttachment, { title, length: text.length, most: MAX_TEXT }));
  }
  const all = [...pictures, ...others.flatMap((other) => other.pictures ?? [])];
  const bytes = all.reduce((sum, picture) => sum + bytesOf(picture), 0);
  if (pictures.length > 0 && bytes > MAX_PICTURE_BYTES) {
    throw tooLarge(t(($) => $.errors.input.largePictures, { bytes, most: MAX_PICTURE_BYTES }));
  }
}

/** Of base64, four characters hold three bytes. */
const bytesOf = ({ data }: Picture): number => Math.floor((data.length * 3) / 4);

const tooLarge = (words: ErrorWords): AppError => new AppError({ code: 'attachment_too_large', ...words });
