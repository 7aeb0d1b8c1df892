import { t } from '../../../locales/texts/settings.ts';

/** Headers as they are typed. Their saved values are not shown; empty text keeps them. */
export type HeadersDraft = { headers: string; forgetHeaders: boolean };

/** RFC 9110 field names; values as `Headers` takes them. */
const headerLine = /^([!#$%&'*+.^_`|~\w-]+)\s*:(.*)$/;

/**
 * `Name: value` lines as a map, or the number (from 1) of the first line that is none, or that names again (`twice`) what
 * is there already. Empty lines are skipped.
 */
export function parseHeaders(
  text: string,
): { headers: Record<string, string> } | { badLine: number; twice?: string } {
  const headers: Record<string, string> = {};
  const names = new Set<string>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const match = headerLine.exec(line.trim());
    if (!match) return { badLine: index + 1 };
    const [, name = '', value = ''] = match;
    // Whatever their case, one would go out with the other, or instead of it.
    if (names.has(name.toLowerCase())) return { badLine: index + 1, twice: name };
    names.add(name.toLowerCase());
    headers[name] = value.trim();
  }
  return { headers };
}

/** The headers to send: absent keeps the stored ones; or what is wrong with them. */
export function checkHeaders(
  draft: HeadersDraft,
): { sent: { headers?: Record<string, string> } } | { fault: string } {
  const parsed = parseHeaders(draft.headers);
  if ('badLine' in parsed)
    return {
      fault: t(($) => $.options.headers.badLine, { line: parsed.badLine, twice: parsed.twice ?? 'none' }),
    };
  const typed = Object.keys(parsed.headers).length > 0;
  return { sent: typed || draft.forgetHeaders ? { headers: parsed.headers } : {} };
}
