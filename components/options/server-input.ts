import { en } from '../../locales/en.ts';
import type { ServerInput } from '../../lib/protocol.ts';
import type { Server, Transport } from '../../lib/types.ts';

/** The form as it is typed. */
export type ServerDraft = {
  name: string;
  transport: Transport;
  url: string;
  headers: string;
  forgetHeaders: boolean;
  toolTimeout: string;
  enabled: boolean;
};

export type ServerFaults = { name?: string; url?: string; headers?: string; toolTimeout?: string };

export function draftOf(server: Server | null): ServerDraft {
  return {
    name: server?.name ?? '',
    transport: server?.transport ?? 'streamable-http',
    url: server?.url ?? '',
    headers: '',
    forgetHeaders: false,
    toolTimeout: String(server?.toolTimeout ?? 30_000),
    enabled: server?.enabled ?? true,
  };
}

/** Why `url` is no address to save; undefined when it is one. */
export function urlFault(url: string, missing: string): string | undefined {
  if (url === '') return missing;
  if (!/^https?:\/\//i.test(url)) return en.servers.invalid.scheme;
  // The browser would take a space for a part of the address, and drop a tab without a word.
  if (/\s/.test(url)) return en.servers.invalid.space;
  return URL.canParse(url) ? undefined : en.servers.invalid.address;
}

/** RFC 9110 field names; values as `Headers` takes them. */
const headerLine = /^([!#$%&'*+.^_`|~\w-]+)\s*:\s*(.*)$/;

/** `Name: value` lines as a map, or the number (from 1) of the first line that is none. Empty lines are skipped. */
export function parseHeaders(text: string): { headers: Record<string, string> } | { badLine: number } {
  const headers: Record<string, string> = {};
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const match = headerLine.exec(line.trim());
    if (!match) return { badLine: index + 1 };
    headers[match[1] ?? ''] = match[2] ?? '';
  }
  return { headers };
}

/** The draft as a command, or what is wrong with it, by field. */
export function checkServer(
  draft: ServerDraft,
  id: number | undefined,
): { input: ServerInput } | { faults: ServerFaults } {
  const faults: ServerFaults = {};
  const [name, url] = [draft.name.trim(), draft.url.trim()];
  const toolTimeout = Number(draft.toolTimeout);
  const parsed = parseHeaders(draft.headers);
  const wrongUrl = urlFault(url, en.servers.invalid.url);
  if (name === '') faults.name = en.servers.invalid.name;
  if (wrongUrl !== undefined) faults.url = wrongUrl;
  if ('badLine' in parsed) faults.headers = en.servers.invalid.header(parsed.badLine);
  if (!Number.isInteger(toolTimeout) || toolTimeout < 1) faults.toolTimeout = en.servers.invalid.timeout;
  if ('badLine' in parsed || Object.keys(faults).length > 0) return { faults };
  const { headers } = parsed;
  const sent = Object.keys(headers).length > 0 || draft.forgetHeaders;
  return {
    input: {
      ...(id !== undefined && { id }),
      name,
      transport: draft.transport,
      url,
      enabled: draft.enabled,
      toolTimeout,
      ...(sent && { headers }),
    },
  };
}
