import { readDocx } from '../../lib/files/docx.ts';
import type { FileContent } from '../../lib/files/kind.ts';
import { readPdf } from '../../lib/files/pdf.ts';
import { readPicture } from '../../lib/files/picture.ts';
import { readFile as readWith } from '../../lib/files/read-file.ts';

/** As the reader's frame reads a file, without a frame. */
export const readFile = (file: File): Promise<FileContent> =>
  readWith(file, { picture: readPicture, pdf: readPdf, docx: readDocx });
