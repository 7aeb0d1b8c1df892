import { redirected } from '../../../lib/mcp/failures/failures.ts';
import { isNearer, nearnessOf, withoutSlashes } from '../../../lib/origins.ts';
import type { RemoteServer } from '../../../lib/types/server.ts';
import { isGranted } from '../browser/permissions.ts';

const TIMEOUT_MS = 5_000;

/**
 * Where the address of a server that redirects leads, asked without secrets. From then on a redirect is an error.
 * A server that is not on this computer is asked by HEAD, which changes nothing at a place nearby that it leads to; since
 * it may answer that otherwise, it is followed only to the same path.
 * @returns undefined when that can't be seen
 * @throws AppError `server_redirect` naming the place, when the user has to say first that it is right: its origin is
 * not granted, it is nearer to this computer than the server or at another path, or something secret was given for the address that was
 * typed, which goes to no other place by itself
 */
export async function finalUrl(server: RemoteServer): Promise<string | undefined> {
  const { url, transport, headerNames, oauthClient } = server;
  const from = new URL(url);
  const isHere = nearnessOf(from.hostname) === 'loopback';
  const final = await finalAddress(url, isHere ? asMcp(transport) : { method: 'HEAD' });
  // A redirect keeps the fragment, which is no part of what is asked.
  if (final === undefined || final === from.href) return undefined;
  const hasSecrets = headerNames.length > 0 || oauthClient !== undefined;
  const to = new URL(final);
  const isOtherPath =
    withoutSlashes(to.pathname) !== withoutSlashes(from.pathname) || to.search !== from.search;
  if (!isHere && isOtherPath) throw redirected({ ...server, headers: {} }, final);
  const isElsewhere = to.origin !== from.origin;
  if (isElsewhere && (hasSecrets || isNearer(to.hostname, from.hostname) || !(await isGranted(final)))) {
    throw redirected({ ...server, headers: {} }, final);
  }
  return final;
}

/** As the transport itself asks: many servers send a browser's plain GET on to a web page. */
const asMcp = (transport: RemoteServer['transport']): RequestInit =>
  transport === 'sse'
    ? { headers: { accept: 'text/event-stream' } }
    : {
        method: 'POST',
        headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'ping' }),
      };

/**
 * Where an address finally leads, asked without cookies or referrer; undefined when that cannot be seen (in a browser: the
 * target's origin is not granted) or takes too long.
 */
async function finalAddress(url: string, asked: RequestInit): Promise<string | undefined> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      ...asked,
      redirect: 'follow',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: stop.signal,
    });
    return response.url || undefined;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    // A GET to an MCP address may open a stream; its body is not needed.
    stop.abort();
  }
}
