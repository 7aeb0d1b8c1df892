/** Bytes a chunk: a call takes only so many arguments, and a chunk of base64 ends where three bytes end. */
const CHUNK = 3 * 8192;

/** The bytes of a blob in base64. */
export async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK)
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  return text;
}

/** The other way. @throws DOMException where it is no base64 */
export const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
