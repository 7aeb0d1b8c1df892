import { en } from '../../locales/en.ts';
import type { ServerInput } from '../../lib/protocol.ts';
import type { Server, Transport } from '../../lib/types/setup.ts';
import { urlFault } from './address-input.ts';
import { checkHeaders, type HeadersDraft } from './headers-input.ts';

/** The form as it is typed. */
export type ServerDraft = HeadersDraft & {
  name: string;
  transport: Transport;
  url: string;
  toolTimeout: string;
  trusted: boolean;
  oneAtATime: boolean;
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
    trusted: server?.trusted ?? false,
    oneAtATime: server?.oneAtATime ?? false,
    enabled: server?.enabled ?? true,
  };
}

/** The draft as a command, or what is wrong with it, by field. */
export function checkServer(
  draft: ServerDraft,
  id: number | undefined,
): { input: ServerInput } | { faults: ServerFaults } {
  const faults: ServerFaults = {};
  const [name, url] = [draft.name.trim(), draft.url.trim()];
  const toolTimeout = Number(draft.toolTimeout);
  const headers = checkHeaders(draft);
  const wrongUrl = urlFault(url, en.servers.invalid.url);
  if (name === '') faults.name = en.servers.invalid.name;
  if (wrongUrl !== undefined) faults.url = wrongUrl;
  if ('fault' in headers) faults.headers = headers.fault;
  if (!Number.isInteger(toolTimeout) || toolTimeout < 1) faults.toolTimeout = en.servers.invalid.timeout;
  if ('fault' in headers || Object.keys(faults).length > 0) return { faults };
  return {
    input: {
      ...(id !== undefined && { id }),
      name,
      transport: draft.transport,
      url,
      enabled: draft.enabled,
      toolTimeout,
      trusted: draft.trusted,
      oneAtATime: draft.oneAtATime,
      ...headers.sent,
    },
  };
}
