import { imageDimensionsFromData } from 'image-dimensions';

/** Enough of a file for its header: in JPEG, pictures of the picture and colour profiles come before. */
const HEADER = 400_000;

/**
 * Width and height of a picture, out of its header: a small file may unpack to gigabytes, which a browser tells only when
 * it has. Undefined where the header says nothing.
 * @param base64 the file
 */
export function dimensionsOf(base64: string): { width: number; height: number } | undefined {
  try {
    return imageDimensionsFromData(
      Uint8Array.from(atob(base64.slice(0, HEADER)), (byte) => byte.charCodeAt(0)),
    );
  } catch {
    return undefined; // no base64
  }
}

/** Whether it has at most so many pixels, and says so. */
export function isDrawn(base64: string, mostPixels: number): boolean {
  const size = dimensionsOf(base64);
  return size !== undefined && size.width * size.height <= mostPixels;
}
