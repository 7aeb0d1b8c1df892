import { AppError } from '../../../lib/errors.ts';
import { limitBody } from '../../../lib/mcp/transport/body-limit.ts';
import type { Reply, Request } from '../../../lib/protocol/commands.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { loadSetting } from '../../../lib/storage/configuration/settings.ts';
import { isRegistryPage } from '../../../lib/types/registry.ts';
import { requireOrigin } from '../browser/permissions.ts';
import { requireHttpUrl } from '../input.ts';
import { t } from '../../../locales/texts/errors.ts';

/** The official one takes up to a quarter of a minute for a search. */
const TIMEOUT_MS = 40_000;
const MAX_BYTES = 5_000_000;
const LIMIT = 30;
const LONGEST_QUERY = 200;

/**
 * Asks the registry of the settings for servers (API v0.1). What it gets is the search alone: no cookie, no key.
 * @throws AppError `origin_not_granted`, `registry_unreachable`, `registry_bad_answer`
 */
export async function searchRegistry(
  db: Database,
  { query, cursor }: Request<'searchRegistry'>,
): Promise<Reply<'searchRegistry'>> {
  const base = requireHttpUrl(await loadSetting(db, 'registryUrl'), 'address');
  await requireOrigin(base);
  const { host } = new URL(base);
  const url = new URL('v0.1/servers', base.endsWith('/') ? base : `${base}/`);
  url.searchParams.set('version', 'latest');
  url.searchParams.set('limit', String(LIMIT));
  const search = String(query).trim().slice(0, LONGEST_QUERY);
  if (search !== '') url.searchParams.set('search', search);
  if (cursor !== undefined) url.searchParams.set('cursor', String(cursor));
  const found = await ask(url, host);
  if (!isRegistryPage(found)) throw badAnswer(host);
  return found;
}

async function ask(url: URL, host: string): Promise<unknown> {
  const unreachable = (cause: string): AppError =>
    new AppError({
      code: 'registry_unreachable',
      ...t(($) => $.errors.setup.registryUnreachable, { host }),
      cause,
      retryable: true,
    });
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
    credentials: 'omit',
  }).catch((error: unknown) => {
    throw unreachable(String(error));
  });
  if (!response.ok) throw unreachable(`HTTP ${response.status}`);
  try {
    return await limitBody(response, () => undefined, MAX_BYTES).json();
  } catch {
    throw badAnswer(host);
  }
}

const badAnswer = (host: string): AppError =>
  new AppError({
    code: 'registry_bad_answer',
    ...t(($) => $.errors.setup.registryBadAnswer, { host }),
    retryable: false,
  });
