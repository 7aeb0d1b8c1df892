import { SyncError } from './store.ts';

const IV = 12;

/** AES-GCM, bound to the file's name: no file stands for another one. */
const cipher = (name: string, iv: Uint8Array<ArrayBuffer>): AesGcmParams => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(`portside-sync/1/${name}`),
});

/** A file of the log: the IV, then the text, compressed and encrypted. */
export async function seal(key: CryptoKey, name: string, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const iv = crypto.getRandomValues(new Uint8Array(IV));
  const small = await through(new Blob([text]), new CompressionStream('gzip'));
  const sealed = await crypto.subtle.encrypt(cipher(name, iv), key, small);
  const file = new Uint8Array(IV + sealed.byteLength);
  file.set(iv);
  file.set(new Uint8Array(sealed), IV);
  return file;
}

/** @throws SyncError `tampered` where it is not what was sealed under this name with this key */
export async function unseal(key: CryptoKey, name: string, file: Uint8Array<ArrayBuffer>): Promise<string> {
  const small = await crypto.subtle
    .decrypt(cipher(name, file.slice(0, IV)), key, file.slice(IV))
    .catch(() => undefined);
  if (!small) throw new SyncError({ code: 'tampered' });
  return new TextDecoder().decode(await through(new Blob([small]), new DecompressionStream('gzip')));
}

const through = (blob: Blob, stream: CompressionStream | DecompressionStream): Promise<ArrayBuffer> =>
  new Response(blob.stream().pipeThrough(stream)).arrayBuffer();
