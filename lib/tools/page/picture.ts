import type { Picture } from '../../types/message.ts';

/** Bytes; a message of the browser's holds no more in base64 than 64 MiB. */
const MOST_BYTES = 20_000_000;
const TYPES = /^image\/(png|jpeg|gif|webp)$/;

/** The picture of that address, if this frame may have it; null when it may not, or when it is none that models take. */
export async function readPicture(src: string): Promise<Picture | null> {
  if (!/^(https?|data|blob):/.test(src)) return null;
  const response = await fetch(src).catch(() => null);
  if (!response?.ok) return null;
  const blob = await response.blob();
  if (!TYPES.test(blob.type) || blob.size > MOST_BYTES) return null;
  return { mimeType: blob.type, data: await base64(blob) };
}

/** A blob's bytes. */
export async function base64(blob: Blob): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.addEventListener('error', () => reject(reader.error ?? new Error()));
    reader.readAsDataURL(blob);
  });
  return url.slice(url.indexOf(',') + 1);
}
