import { Client } from '@modelcontextprotocol/client';
import type { AuthProvider, FetchLike, jsonSchemaValidator, Transport } from '@modelcontextprotocol/client';
import { createAsks } from './asks.ts';
import type { Asks } from './asks.ts';
import type { Ask } from '../types/request.ts';
import type { About } from './offer/listing.ts';
import { isRecord } from './content/raw.ts';
import type { Remembered } from './remembered.ts';
import { answerServerRequests, REQUEST_CAPABILITIES } from './requests/server-requests.ts';
import { watchRefusals } from './requests/watch-refusals.ts';
import { endpointOf, originOf } from './settings.ts';
import type { ConnectionConfig, StdioConfig } from './settings.ts';
import { isPlain } from './origin-limits.ts';
import type { OriginLimits } from './origin-limits.ts';
import { keepResults } from './log/tap-results.ts';
import { CallTransport, createTransport } from './transports.ts';
import type { TransportOptions } from './transports.ts';
import type { NativeLink } from './native-link.ts';
import { createNativeTransport } from './native-transport.ts';
import type { NativeTransport } from './native-transport.ts';
import { noWire, watchWire } from './wire.ts';
import type { Wire } from './wire.ts';
import type { WireLog } from './log/wire-log.ts';

/** A client on a transport, connected or not yet. */
export type Line = {
  kind: Remembered['transport'];
  client: Client;
  transport: Transport;
  wire: Wire;
  asks: Asks;
  /** Whether the server's last word to the request of this ask was a question (2026-07-28). */
  isAsking: (ask: Ask) => boolean;
  /** Of a program on this computer. */
  program?: NativeTransport;
  /** What it is to speak, as it was learnt before. */
  known: Remembered | undefined;
  /** It is asked for the newest revision first. */
  probes: boolean;
  /** Its origin has few connections: what it offers is asked for one list after another. */
  isPlain: boolean;
  /** Called when a stream that was cut could not be opened again at once. */
  onStreamFailing?: () => void;
};

export type LineDeps = {
  fetch: FetchLike;
  /** Portside's own version, told to servers. */
  version: string;
  authProvider: AuthProvider | undefined;
  /** Of all connections together. */
  limits: OriginLimits;
  native: NativeLink;
  log: Pick<WireLog, 'watch' | 'note' | 'logged'>;
};

/** The client's own timers are off: connecting and calls keep their own clocks. */
export const NO_TIMEOUT = 2 ** 31 - 1;

type LineOptions = {
  /** What it is to speak, as it was learnt before. */
  known?: Remembered;
  /** Asks for the newest revision first, which may take so long, in milliseconds. */
  probeTime?: number;
};

export function createLine(
  config: ConnectionConfig,
  kind: Remembered['transport'],
  deps: LineDeps,
  { known, probeTime }: LineOptions = {},
): Line {
  const { wire, transport, ...program } = reach(config, kind, deps, {
    resume: sessionIn(known),
    onStreamFailing: () => line.onStreamFailing?.(),
  });
  const asks = createAsks();
  const client = createClient(deps.version, probeTime);
  answerServerRequests(client, (ctx) => asks.of(ctx));
  client.setNotificationHandler('notifications/message', ({ params: { level, data, logger } }) =>
    deps.log.logged(level, data, logger),
  );
  keepResults(transport);
  deps.log.watch(transport);
  const isAsking = watchRefusals(transport, asks);
  const line: Line = {
    kind,
    client,
    transport,
    wire,
    ...program,
    asks,
    isAsking,
    known,
    isPlain: isPlain(originOf(config)),
    probes: probeTime !== undefined,
  };
  return line;
}

function reach(
  config: ConnectionConfig,
  kind: Line['kind'],
  { fetch, authProvider, limits, native, log }: LineDeps,
  session: Pick<TransportOptions, 'resume' | 'onStreamFailing'>,
): Pick<Line, 'wire' | 'transport' | 'program'> {
  if (config.transport === 'stdio' || kind === 'stdio') {
    const program = createNativeTransport(config as StdioConfig, native, log);
    return { wire: noWire, transport: program, program };
  }
  const origin = originOf(config);
  const wire = watchWire(fetch, kind, authProvider !== undefined, { limits, origin });
  return { wire, transport: createTransport(config, { kind, fetch: wire.fetch, authProvider, ...session }) };
}

/** The client checks the results of its `callTool`; calls of this room are plain requests (sending.ts). */
const unasked: jsonSchemaValidator = {
  getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
};

function createClient(version: string, probeTime = NO_TIMEOUT): Client {
  return new Client(
    { name: 'Portside', version },
    {
      capabilities: REQUEST_CAPABILITIES,
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
export async function connectLine({ client, transport, known, probes }: Line): Promise<void> {
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
    _serverCapabilities: isRecord(capabilities) ? capabilities : {},
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
export function aboutOf({ client, kind }: Line): About {
  return {
    transport: kind,
    protocolVersion: client.getNegotiatedProtocolVersion() ?? '',
    capabilities: { ...client.getServerCapabilities() },
    serverInfo: client.getServerVersion(),
    instructions: client.getInstructions(),
  };
}

/** What is worth remembering of a connected line. */
export function rememberedOf(config: ConnectionConfig, line: Line): Remembered {
  const { client, transport, kind } = line;
  const base = { endpoint: endpointOf(config), transport: kind };
  const discover = client.getProtocolEra() === 'modern' ? client.getDiscoverResult() : undefined;
  if (discover) return { ...base, era: 'modern', discover };
  const { protocolVersion, ...initialized } = aboutOf(line);
  const session = transport.sessionId;
  return { ...base, era: 'legacy', protocolVersion, ...(session !== undefined && { session }), initialized };
}
