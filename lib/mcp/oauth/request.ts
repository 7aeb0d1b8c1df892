import { type FetchLike, OAuthErrorCode } from '@modelcontextprotocol/client';
import { isNearer, nearnessOf } from '../../origins.ts';
import type { OAuthDeps, OAuthServer } from './deps.ts';
import { t } from '../../../locales/texts/errors.ts';

const TIMEOUT_MS = 15_000;
/** Each line of a server's log is looked through for its tokens. */
const MAX_BYTES = 100_000;

/** Nothing was sent: the user has not granted this origin yet. */
export class OriginNeededError extends Error {
  override readonly name = 'OriginNeededError';
  readonly origin: string;

  constructor(origin: string) {
    super(t(($) => $.errors.signIn.notGranted, { origin }));
    this.origin = origin;
  }
}

/** Nothing was sent, or its answer was not taken. The words are for the user. */
export class UnsafeError extends Error {
  override readonly name = 'UnsafeError';
}

/**
 * The words for what never gets a request of a sign-in: anything but https, and http on this computer; and what is nearer to
 * this computer than the server that names it (SSRF by metadata: 2026-07-28, basic/security_best_practices).
 */
export function requireSafe(url: URL, server: Pick<OAuthServer, 'url'>): void {
  const { protocol, hostname, host } = url;
  if (protocol !== 'https:' && !(protocol === 'http:' && nearnessOf(hostname) === 'loopback'))
    throw new UnsafeError(t(($) => $.errors.signIn.unencrypted, { host, scheme: protocol }));
  if (isNearer(hostname, new URL(server.url).hostname))
    throw new UnsafeError(t(($) => $.errors.signIn.inward, { host }));
}

/**
 * The fetch of everything that belongs to signing in. It asks granted origins only, sends no cookies, and takes at most
 * MAX_BYTES within 15 s. The client follows redirects within an origin where it can see them; a browser hides where they
 * lead, and there all are refused.
 */
export function oauthFetch(
  { fetch, isGranted }: Pick<OAuthDeps, 'fetch' | 'isGranted'>,
  server: Pick<OAuthServer, 'url'>,
): FetchLike {
  return async (address, init) => {
    const url = new URL(address);
    requireSafe(url, server);
    if (!(await isGranted(url.origin))) throw new OriginNeededError(url.origin);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { ...init, redirect: 'manual', credentials: 'omit', signal });
    if (response.type === 'opaqueredirect') {
      throw new UnsafeError(t(($) => $.errors.signIn.redirect, { host: url.host }));
    }
    const body = await readBounded(response, url.host);
    const { status, statusText, headers } = response;
    return new Response(body.length > 0 ? body : null, { status, statusText, headers });
  };
}

/**
 * The same for the token endpoint. Of a refusal that is not in OAuth's form, most often a web page, only the status is
 * told: the client would quote it whole. `answered` gets every answer's status.
 */
export function tokenFetch(
  deps: Parameters<typeof oauthFetch>[0],
  server: Pick<OAuthServer, 'url'>,
  answered?: (status: number) => void,
): FetchLike {
  const ask = oauthFetch(deps, server);
  return async (address, init) => {
    const response = await ask(address, init);
    const { status, ok } = response;
    answered?.(status);
    if (ok || (await isOAuthRefusal(response.clone()))) return response;
    const refusal = { error: OAuthErrorCode.ServerError, error_description: `HTTP ${status}` };
    return Response.json(refusal, { status });
  };
}

async function isOAuthRefusal(response: Response): Promise<boolean> {
  const body: unknown = await response.json().catch(() => null); // what is no JSON is none
  return typeof Object(body).error === 'string';
}

async function readBounded(response: Response, host: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new UnsafeError(t(($) => $.errors.signIn.tooMuch, { host }));
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
