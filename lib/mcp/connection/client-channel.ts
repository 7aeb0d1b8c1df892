import {
  type AuthProvider,
  Client,
  type FetchLike,
  type jsonSchemaValidator,
  type Transport,
} from '@modelcontextprotocol/client';
import { createElicitations, type Elicitations } from '../elicitation/elicitations.ts';
import type { Elicit } from '../../types/request.ts';
import type { About } from '../offer/listing.ts';
import { recordOf } from '../../json.ts';
import type { Remembered } from './remembered.ts';
import { answerServerRequests, REQUEST_CAPABILITIES } from '../elicitation/server-requests.ts';
import { limitRequests } from '../elicitation/request-limits.ts';
import { type ConnectionConfig, endpointOf, originOf, type StdioConfig } from '../settings.ts';
import { isPlain, type OriginLimits } from '../transport/origin-limits.ts';
import { keepResults } from '../log/tap-results.ts';
import { CallTransport, createTransport, type TransportOptions } from '../transport/streamable-http.ts';
import type { NativeLink } from '../transport/native-link.ts';
import { createNativeTransport, type NativeTransport } from '../transport/native-transport.ts';
import { noWire, observeFetch, type Wire } from '../transport/observed-fetch.ts';
import type { WireLog } from '../log/wire-log.ts';

/** A client on a transport, connected or not yet. */
export type ClientChannel = {
  kind: Remembered['transport'];
  client: Client;
  transport: Transport;
  wire: Wire;
  elicitations: Elicitations;
  /** Whether the server answered the request of this `Elicit` by `input_required` last (2026-07-28). */
  awaitsInput: (elicit: Elicit) => boolean;
  /** Of a program on this computer. */
  program?: NativeTransport;
  /** What the server spoke before. */
  known: Remembered | undefined;
  /** It begins by a probe for the newest revision. */
  probes: boolean;
  /** Its origin has few connections: lists are read one after another. */
  isPlain: boolean;
  /** Called when a stream that was cut could not be opened again at once. */
  onStreamFailing?: () => void;
};

export type ChannelDeps = {
  fetch: FetchLike;
  /** Portside's own version, told to servers. */
  version: string;
  authProvider: AuthProvider | undefined;
  /** Of all connections together. */
  limits: OriginLimits;
  native: NativeLink;
  log: Pick<WireLog, 'watch' | 'note' | 'problem' | 'logged'>;
};

/** The client's own timers are off: connecting and calls keep their own clocks. */
export const NO_TIMEOUT = 2 ** 31 - 1;

type ChannelOptions = {
  /** What the server spoke before. */
  known?: Remembered;
  /** Milliseconds for a probe for the newest revision; none unless given. */
  probeTime?: number;
};

export function createChannel(
  config: ConnectionConfig,
  kind: Remembered['transport'],
  deps: ChannelDeps,
  { known, probeTime }: ChannelOptions = {},
): ClientChannel {
  const { wire, transport, ...program } = reach(config, kind, deps, {
    resume: sessionIn(known),
    onStreamFailing: () => channel.onStreamFailing?.(),
  });
  const elicitations = createElicitations();
  const client = createClient(deps.version, config.showsApps === true, probeTime);
  answerServerRequests(client, (ctx) => elicitations.of(ctx));
  client.setNotificationHandler('notifications/message', ({ params: { level, data, logger } }) =>
    deps.log.logged(level, data, logger),
  );
  keepResults(transport);
  deps.log.watch(transport);
  const awaitsInput = limitRequests(transport, elicitations);
  const channel: ClientChannel = {
    kind,
    client,
    transport,
    wire,
    ...program,
    elicitations,
    awaitsInput,
    known,
    isPlain: isPlain(originOf(config)),
    probes: probeTime !== undefined,
  };
  return channel;
}

function reach(
  config: ConnectionConfig,
  kind: ClientChannel['kind'],
  { fetch, authProvider, limits, native, log }: ChannelDeps,
  session: Pick<TransportOptions, 'resume' | 'onStreamFailing'>,
): Pick<ClientChannel, 'wire' | 'transport' | 'program'> {
  if (config.transport === 'stdio' || kind === 'stdio') {
    const program = createNativeTransport(config as StdioConfig, native, log);
    return { wire: noWire, transport: program, program };
  }
  const origin = originOf(config);
  const wire = observeFetch(fetch, kind, authProvider !== undefined, { limits, origin });
  return { wire, transport: createTransport(config, { kind, fetch: wire.fetch, authProvider, ...session }) };
}

/** The client checks the results of its `callTool`; calls here are plain requests (calls/request-sender.ts). */
const unasked: jsonSchemaValidator = {
  getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
};

/** What Portside shows of MCP Apps (SEP-1865, "Capability Negotiation"). */
export const APPS = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };

function createClient(version: string, showsApps: boolean, probeTime = NO_TIMEOUT): Client {
  return new Client(
    { name: 'Portside', version },
    {
      capabilities: {
        ...REQUEST_CAPABILITIES,
        ...(showsApps && { extensions: { ...REQUEST_CAPABILITIES.extensions, ...APPS } }),
      },
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeTime } },
      jsonSchemaValidator: unasked,
    },
  );
}

function sessionIn(known: Remembered | undefined) {
  if (known?.era !== 'legacy' || known.session === undefined) return undefined;
  return { sessionId: known.session, protocolVersion: known.protocolVersion };
}

/**
 * Connects: with nothing sent where the server's revision and session are known, else with its handshake, before
 * which the client asks for the 2026-07-28 revision if it is to.
 */
export async function connectChannel({ client, transport, known, probes }: ClientChannel): Promise<void> {
  const options = { timeout: NO_TIMEOUT };
  if (known?.era === 'modern') {
    return client.connect(transport, { ...options, prior: { kind: 'modern', discover: known.discover } });
  }
  if (probes) return client.connect(transport, options);
  await client.connect(transport, { ...options, prior: { kind: 'legacy' } });
  if (known && sessionIn(known) && transport instanceof CallTransport) resume(client, transport, known);
}

/** The client does not know what was said in a handshake that another made; it has no public way to be told. */
function resume(client: Client, transport: CallTransport, known: Remembered & { era: 'legacy' }): void {
  const { capabilities, serverInfo, instructions } = known.initialized;
  Object.assign(client, {
    _serverCapabilities: recordOf(capabilities),
    _serverVersion: serverInfo,
    _instructions: instructions,
    _negotiatedProtocolVersion: known.protocolVersion,
    // The server may still work on requests of the worker before. Their replies must not pass for those of new ones.
    _requestMessageId: 1 + Math.floor(Math.random() * 2 ** 30),
  });
  // The server's own stream, which the client opens after a handshake. It is optional: a failure goes to `onerror`.
  transport.resumeStream('').catch(() => undefined);
}

/** How the server was reached and what it says of itself, once connected. */
export function aboutOf({ client, kind }: ClientChannel): About {
  return {
    transport: kind,
    protocolVersion: client.getNegotiatedProtocolVersion() ?? '',
    capabilities: { ...client.getServerCapabilities() },
    serverInfo: client.getServerVersion(),
    instructions: client.getInstructions(),
  };
}

export function rememberedOf(config: ConnectionConfig, channel: ClientChannel): Remembered {
  const { client, transport, kind } = channel;
  const base = { endpoint: endpointOf(config), transport: kind };
  const discover = client.getProtocolEra() === 'modern' ? client.getDiscoverResult() : undefined;
  if (discover) return { ...base, era: 'modern', discover };
  const { protocolVersion, ...initialized } = aboutOf(channel);
  const session = transport.sessionId;
  return { ...base, era: 'legacy', protocolVersion, ...(session !== undefined && { session }), initialized };
}
