import { base64Of } from '../base64.ts';
import type { Picture } from '../types/picture.ts';
import { causeOf, Unreadable } from '../unreadable.ts';
import type { FileContent } from './kind.ts';

/** Pixels of the longer edge; models scale down what is larger. */
const LONGEST_EDGE = 2048;
/** Bytes of what is sent; several have to fit into one request. */
const MOST_BYTES = 3_000_000;

/**
 * The picture, drawn anew, in a format that every model with vision takes: no more goes along than is seen, so neither
 * place nor camera. Of one that moves it is the first frame.
 */
export async function readPicture(file: File): Promise<FileContent> {
  const bitmap = await drawable(file);
  try {
    const blob = await encoded(bitmap, file.type);
    const picture: Picture = { mimeType: blob.type, data: await base64Of(blob) };
    return { text: '', pictures: [picture], mimeType: blob.type };
  } finally {
    bitmap.close();
  }
}

async function drawable(file: File): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(file);
  } catch (error) {
    throw new Unreadable({ why: 'broken', kind: 'picture', cause: causeOf(error) });
  }
}

type Try = { type: 'image/png' | 'image/jpeg'; quality?: number; scale?: number };

/** Photos stay JPEG, all else keeps its sharp lines and its transparency for as long as it is small enough. */
async function encoded(bitmap: ImageBitmap, type: string): Promise<Blob> {
  const tries: Try[] = [
    { type: type === 'image/jpeg' ? 'image/jpeg' : 'image/png', quality: 0.9 },
    { type: 'image/jpeg', quality: 0.85 },
    { type: 'image/jpeg', quality: 0.7 },
    { type: 'image/jpeg', quality: 0.7, scale: 0.5 },
  ];
  let blob = new Blob();
  for (const each of tries) {
    blob = await drawn(bitmap, each);
    if (blob.size <= MOST_BYTES) break;
  }
  return blob;
}

async function drawn(bitmap: ImageBitmap, { type, quality = 1, scale: smaller = 1 }: Try): Promise<Blob> {
  const scale = Math.min(1, LONGEST_EDGE / Math.max(bitmap.width, bitmap.height)) * smaller;
  const width = Math.max(1, Math.round(bitmap.width * scale));
  const height = Math.max(1, Math.round(bitmap.height * scale));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new Unreadable({ why: 'noCanvas' });
  if (type === 'image/jpeg') {
    context.fillStyle = 'white'; // JPEG knows no transparency
    context.fillRect(0, 0, width, height);
  }
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  return canvas.convertToBlob({ type, quality });
}
