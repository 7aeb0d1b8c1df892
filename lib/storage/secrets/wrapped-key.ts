/** Of PBKDF2-HMAC-SHA-256, the OWASP's figure (Password Storage Cheat Sheet). */
export const ITERATIONS = 600_000;

/** The bytes of a key, encrypted with one that is derived from a passphrase. */
export type WrappedKey = {
  id: string;
  salt: Uint8Array<ArrayBuffer>;
  iterations: number;
  iv: Uint8Array<ArrayBuffer>;
  wrapped: ArrayBuffer;
};

export async function wrapKey(bytes: Uint8Array<ArrayBuffer>, passphrase: string): Promise<WrappedKey> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const wrapping = await derived(passphrase, salt, ITERATIONS);
  const wrapped = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, wrapping, bytes);
  return { id: crypto.randomUUID(), salt, iterations: ITERATIONS, iv, wrapped };
}

/** @returns undefined when this is not its passphrase */
export async function unwrapKey(
  { salt, iterations, iv, wrapped }: WrappedKey,
  passphrase: string,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const wrapping = await derived(passphrase, salt, iterations);
  const bytes = await crypto.subtle
    .decrypt({ name: 'AES-GCM', iv }, wrapping, wrapped)
    .catch(() => undefined);
  return bytes && new Uint8Array(bytes);
}

/** However its letters were composed, on whichever keyboard. */
async function derived(
  passphrase: string,
  salt: Uint8Array<ArrayBuffer>,
  iterations: number,
): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(passphrase.normalize('NFKC'));
  const base = await crypto.subtle.importKey('raw', bytes, 'PBKDF2', false, ['deriveKey']);
  const from = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations };
  return crypto.subtle.deriveKey(from, base, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

export const keyOf = (bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
