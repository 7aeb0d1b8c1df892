import { AppError } from '../../lib/errors.ts';
import type { Attachment } from '../../lib/types/attachment.ts';
import type { Picture } from '../../lib/types/message.ts';

/** Characters of one attachment's text. No model reads more. */
const MAX_TEXT = 1_000_000;
/** Bytes of all pictures of one draft; providers refuse larger requests. */
const MAX_PICTURES = 10_000_000;

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
    throw tooLarge(`${title} is too long to attach.`, {
      cause: `It has ${grouped(text.length)} characters; Portside attaches up to ${grouped(MAX_TEXT)}.`,
      fix: 'Attach a part of it, or have a tool look into it.',
    });
  }
  const all = [...pictures, ...others.flatMap((other) => other.pictures ?? [])];
  const bytes = all.reduce((sum, picture) => sum + bytesOf(picture), 0);
  if (pictures.length > 0 && bytes > MAX_PICTURES) {
    throw tooLarge('The pictures are too large to attach.', {
      cause: `Together they have ${grouped(bytes)} bytes; a message takes ${grouped(MAX_PICTURES)}.`,
      fix: 'Take another picture out, or attach a smaller one.',
    });
  }
}

/** Of base64, four characters hold three bytes. */
const bytesOf = ({ data }: Picture): number => Math.floor((data.length * 3) / 4);

const grouped = (count: number): string => count.toLocaleString('en');

function tooLarge(message: string, why: { cause: string; fix: string }): AppError {
  return new AppError({ code: 'attachment_too_large', message, ...why });
}
