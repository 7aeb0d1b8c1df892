import { readCommandLines } from '../../../lib/config-file/command-line.ts';
import type { ServerDraft } from './input.ts';

const isText = (value: unknown): value is string => typeof value === 'string';
const linesOf = (pairs: unknown, between: string): string =>
  Object.entries(Object(pairs) as Record<string, unknown>)
    .map(([name, value]) => `${name}${between}${String(value)}`)
    .join('\n');

/** What a pasted command line says of one server, as its form has it; undefined for any other text. */
export function pastedServer(text: string): Partial<ServerDraft> | undefined {
  const [found, ...more] = readCommandLines(text)?.mcpServers ?? [];
  if (!found || more.length > 0) return undefined;
  const { name, command, args, env, type, url, headers } = found as Record<string, unknown>;
  const named = isText(name) && name !== '' && { name };
  if (isText(command)) {
    const given = Array.isArray(args) ? args.filter(isText) : [];
    return { transport: 'stdio', url: '', ...named, command, args: given.join('\n'), env: linesOf(env, '=') };
  }
  if (!isText(url)) return undefined;
  const transport = type === 'sse' ? 'sse' : 'streamable-http';
  return { transport, ...named, url, headers: linesOf(headers, ': ') };
}
