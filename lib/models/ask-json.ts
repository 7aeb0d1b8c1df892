import { parseJson } from '../json.ts';
import { bounded } from './bounded.ts';

export type AskOptions = {
  headers: Record<string, string>;
  fetch: typeof fetch;
  timeoutMs: number;
  /** Makes it a POST. */
  body?: unknown;
};

/** The JSON that an address answers with; undefined when it does not, for whatever reason: the answer is optional. */
export async function askJson(url: string, options: AskOptions): Promise<unknown> {
  const { headers, fetch, timeoutMs, body } = options;
  try {
    const response = await fetch(url, {
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
      credentials: 'omit',
    });
    return response.ok ? parseJson(await bounded(response).text()) : undefined;
  } catch {
    return undefined;
  }
}
