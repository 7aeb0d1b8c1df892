import { base64Of, bytesOf } from '../../../lib/base64.ts';
import type { Picture } from '../../../lib/types/picture.ts';

/** Pixels. */
const WIDTH = 320;
const QUALITY = 0.6;

/** The picture in a few kB, for the user to see what happened, not to read. */
export async function smaller({ data, mimeType }: Picture): Promise<Picture> {
  const bytes = bytesOf(data);
  const bitmap = await createImageBitmap(new Blob([bytes], { type: mimeType }), {
    resizeWidth: WIDTH,
    resizeQuality: 'medium',
  });
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  const small = await canvas.convertToBlob({ type: 'image/webp', quality: QUALITY });
  return { data: await base64Of(small), mimeType: small.type };
}
