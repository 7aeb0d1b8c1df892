import { type Client, SdkHttpError } from '@modelcontextprotocol/client';
import { SKILLS_EXTENSION_ID } from '@modelcontextprotocol/client/ext/skills';
import type { Offer, ServerInfo } from '../../types/offer.ts';
import { isConnectionLost } from '../failures/sdk-errors.ts';
import { listAll, type ListOptions } from './pages.ts';
import { secretsOf } from '../failures/failures.ts';
import { createRedaction } from '../log/redact.ts';
import type { ConnectionConfig } from '../settings.ts';
import { isRecord, recordOf } from '../../json.ts';
import { cut } from '../content/raw.ts';
import { readIcons, readPrompts, readResources, readTemplates } from './read-offer.ts';
import { readTools, type RemoteTool } from './read-tools.ts';
import { t } from '../../../locales/texts/errors.ts';

/** How the server was reached, and what it said of itself. */
export type About = {
  transport: ServerInfo['transport'];
  protocolVersion: string;
  capabilities: Record<string, unknown>;
  serverInfo: unknown;
  instructions: unknown;
};

const MOST_INSTRUCTIONS = 50_000;

/**
 * The tools of a connected server; none where it declares none. A tool that can't be called is there with its
 * `problem`. The transport must have got `keepResults` (tap-results.ts) before it was connected. Calls are to be made by
 * `client.request` with `anyObject` and, on the 2026-07-28 revision, with the headers of `paramHeaders`
 * (param-headers.ts); an error of code -32020 says that the listed schema is out of date.
 * @throws what the request rejects with
 */
export async function listTools(client: Client, options: ListOptions): Promise<RemoteTool[]> {
  if (!client.getServerCapabilities()?.tools) return [];
  const entries = await listAll(client, 'tools/list', options);
  return readTools(entries, { mirrorsArguments: client.getProtocolEra() === 'modern', ...options });
}

/**
 * What it offers besides. A list that fails is as it was `before`, else empty, and costs nothing else; `onProblem` is
 * told. Only an abort rejects.
 */
export async function listOffer(
  client: Client,
  about: About,
  options: ListOptions,
  before?: Offer,
): Promise<Offer> {
  const declared = (capability: string): boolean => isRecord(about.capabilities[capability]);
  const list = async <T>(
    capability: string,
    method: Parameters<typeof listAll>[1],
    read: (entries: unknown[], options: ListOptions) => T[],
    last: T[] = [],
  ): Promise<T[]> => {
    if (!declared(capability)) return [];
    try {
      return read(await listAll(client, method, options), options);
    } catch (error) {
      options.signal?.throwIfAborted();
      // What HTTP or the network refused stands in the log already.
      if (!(error instanceof SdkHttpError) && !isConnectionLost(error)) {
        const why = error instanceof Error ? error.message : String(error);
        options.onProblem?.(t(($) => $.errors.mcp.log.failed, { method, why }));
      }
      return last;
    }
  };
  const [prompts, resources, templates] = await Promise.all([
    list('prompts', 'prompts/list', readPrompts, before?.prompts),
    list('resources', 'resources/list', readResources, before?.resources),
    list('resources', 'resources/templates/list', readTemplates, before?.templates),
  ]);
  return { info: readInfo(about), prompts, resources, templates };
}

function readInfo({ transport, protocolVersion, capabilities, serverInfo, instructions }: About): ServerInfo {
  const info = recordOf(serverInfo);
  const title = cut(info['title'], 200);
  const website = cut(info['websiteUrl'], 2000);
  const icons = readIcons(info['icons']);
  const told = cut(instructions, MOST_INSTRUCTIONS);
  const { completions, resources, logging, extensions } = capabilities;
  return {
    name: cut(info['name'], 200),
    ...(title && { title }),
    version: cut(info['version'], 100),
    ...(/^https?:\/\//i.test(website) && { websiteUrl: website }),
    ...(icons && { icons }),
    protocolVersion,
    transport,
    ...(told && { instructions: told }),
    can: [
      ...(isRecord(completions) ? (['complete'] as const) : []),
      ...(isRecord(resources) && resources['subscribe'] === true ? (['subscribe'] as const) : []),
      ...(isRecord(logging) ? (['log'] as const) : []),
      ...(isRecord(extensions) && isRecord(extensions[SKILLS_EXTENSION_ID]) ? (['skills'] as const) : []),
    ],
  };
}

/** What a server says of itself in words of its own. */
const SAID = ['name', 'title', 'version', 'websiteUrl', 'instructions'] as const;

/** An offer as pages may show it: a server may repeat the secrets that it was given. */
export function shownOffer(offer: Offer, config: ConnectionConfig): Offer {
  const { text } = createRedaction(secretsOf(config));
  const info = { ...offer.info };
  for (const key of SAID) if (info[key] !== undefined) info[key] = text(info[key], Infinity);
  return { ...offer, info };
}
