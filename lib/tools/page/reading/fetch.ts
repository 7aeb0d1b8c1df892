import { AppError } from '../../../errors.ts';
import type { Failure } from '../../../unreadable.ts';

/** What an address answered with, in full or in part. */
export type Fetched = { bytes: Uint8Array<ArrayBuffer>; mimeType: string; status: number; isCut: boolean };

/** Bytes that are read, and milliseconds that it may take. */
export const MOST_BYTES = 10_000_000;
const MOST_MS = 20_000;

/**
 * What an address has, asked without cookies. A redirect is not followed: the user was asked about this address, and by hand
 * a browser does not tell where it leads (https://fetch.spec.whatwg.org/#concept-filtered-response-opaque-redirect).
 * @throws AppError `not_fetched`
 */
export async function fetchUrl(url: string): Promise<Fetched> {
  const signal = AbortSignal.timeout(MOST_MS);
  try {
    const response = await fetch(url, {
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      redirect: 'manual',
      signal,
    });
    const { status } = response;
    // Where there is no browser, its status says so.
    if (response.type === 'opaqueredirect' || Math.floor(status / 100) === 3) throw redirected(url);
    if (!response.ok) throw failed(`${url} answered with HTTP ${status}.`);
    const mimeType = (response.headers.get('content-type') ?? '').toLowerCase();
    return { ...(await readBytes(response)), mimeType, status };
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (signal.aborted) throw failed(`${url} did not answer in full within ${MOST_MS / 1000} seconds.`);
    throw failed(
      `${url} could not be fetched: its server was not reached, broke off, or sends round in circles.`,
      'Check the address, or open it in a tab.',
    );
  }
}

/** Why there is nothing to read in what came; undefined for what is no matter of an address. */
export function unfetched({ why }: Failure, { url, mimeType }: { url: string; mimeType: string }) {
  if (why === 'noPlainText') {
    // The rest of the header is the server's words, which an error, being Portside's, must not hold.
    const [type = 'of no type'] = /^[\w.+-]{1,50}\/[\w.+-]{1,50}(?=;|$)/.exec(mimeType) ?? [];
    return failed(`What is there is no text (${type}).`);
  }
  if (why !== 'scripted') return undefined;
  return failed(`${url} shows no text without its scripts.`, 'Open it in a tab, and read that.');
}

const redirected = (url: string): AppError =>
  failed(
    `${url} redirects, and a browser does not tell where to.`,
    'Fetch the address that it leads to: often the same with https:// or www., or with or without a slash at its end. ' +
      'Or open it with open_tab, which tells where it led.',
  );

async function readBytes(response: Response): Promise<Pick<Fetched, 'bytes' | 'isCut'>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    parts.push(part);
    size += part.length;
    if (size > MOST_BYTES) break; // which also ends the request
  }
  const bytes = new Uint8Array(await new Blob(parts).slice(0, MOST_BYTES).arrayBuffer());
  return { bytes, isCut: size > MOST_BYTES };
}

const failed = (message: string, fix?: string): AppError =>
  new AppError({ code: 'not_fetched', message, ...(fix !== undefined && { fix }) });
