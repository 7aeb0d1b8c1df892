import { Client, SseError } from '@modelcontextprotocol/client';
import type { FetchLike, StandardSchemaV1, Tool, Transport } from '@modelcontextprotocol/client';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/client/validators/cf-worker';
import type { CallOptions, ToolAnnotations } from '../types/tool.ts';
import { connectFailure, redirected, timedOut } from './failures.ts';
import type { ConnectionConfig } from './settings.ts';
import { createTransport } from './transports.ts';
import { finalAddress, watchWire } from './wire.ts';

/** A tool as its server lists it. */
export type RemoteTool = {
  name: string;
  title?: string;
  description: string;
  inputSchema: Record<string, unknown>;
  annotations: ToolAnnotations;
  /** True when it refuses plain calls: it wants to be run as a task, which Portside cannot do. */
  taskOnly: boolean;
};

/** One handshake with one server, until it is closed or lost. */
export type Session = {
  tools: RemoteTool[];
  /** Sends `tools/call`; resolves with the raw result; rejects with the client's error. Aborting cancels on the server. */
  call(
    toolName: string,
    args: Record<string, unknown>,
    options: Pick<CallOptions, 'signal' | 'progress'>,
  ): Promise<Record<string, unknown>>;
  /** Ends the session on the server too, if the server answers within a second. */
  close(): Promise<void>;
};

export type SessionDeps = {
  fetch: FetchLike;
  /** Milliseconds for the handshake and the list of tools together. */
  timeout: number;
  /** Portside's own version, told to servers. */
  version: string;
  /** The server says that its tools changed. */
  onTools: (tools: RemoteTool[], session: Session) => void;
  /** The server ended the connection. */
  onLost: (error: Error, session: Session) => void;
};

/** The client's own timers are off: connecting and calls keep their own clocks. */
const NO_TIMEOUT = 2 ** 31 - 1;

/**
 * Connects and lists the tools.
 * @throws AppError in words for a person (failures.ts); `signal.reason` when aborted.
 */
export async function openSession(
  config: ConnectionConfig,
  deps: SessionDeps,
  signal: AbortSignal,
): Promise<Session> {
  const wire = watchWire(deps.fetch, config.transport);
  const transport = createTransport(config, wire.fetch);
  let session: Session | undefined;
  // A failed refresh keeps the old list; a dead server is found out by the next call.
  const client = createClient(deps.version, (tools) => session && deps.onTools(tools, session));
  const stop = Promise.withResolvers<never>();
  const timer = setTimeout(() => stop.reject(timedOut(config, deps.timeout)), deps.timeout);
  const abort = (): void => stop.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    const tools = await Promise.race([connectAndList(client, transport), stop.promise]);
    signal.throwIfAborted();
    const opened = sessionOf(client, transport, tools);
    session = opened;
    watchForLoss(client, (error) => deps.onLost(error, opened));
    return opened;
  } catch (error) {
    await transport.close();
    if (signal.aborted) throw signal.reason;
    const seen = wire.last();
    if (seen?.type === 'redirect') {
      throw redirected(config, seen.to ?? (await finalAddress(config.url, deps.fetch, deps.timeout)));
    }
    throw connectFailure(config, error, seen);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

function createClient(version: string, onTools: (tools: RemoteTool[]) => void): Client {
  return new Client(
    { name: 'Portside', version },
    {
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: NO_TIMEOUT } },
      // Ajv, the default outside browsers, needs eval.
      jsonSchemaValidator: new CfWorkerJsonSchemaValidator(),
      listChanged: {
        tools: { onChanged: (_error, tools) => tools && onTools(tools.map(toRemoteTool)) },
      },
    },
  );
}

async function connectAndList(client: Client, transport: Transport): Promise<RemoteTool[]> {
  await client.connect(transport, { timeout: NO_TIMEOUT });
  const { tools } = await client.listTools(undefined, { timeout: NO_TIMEOUT });
  return tools.map(toRemoteTool);
}

/** An SSE stream is the session: when it drops, the transport would reconnect to a server that forgot us. */
function watchForLoss(client: Client, onLost: (error: Error) => void): void {
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the client is no EventTarget
  client.onerror = (error) => {
    if (error instanceof SseError) onLost(error);
  };
}

function sessionOf(client: Client, transport: Transport, tools: RemoteTool[]): Session {
  return {
    tools,
    call: (name, args, { signal, progress }) =>
      client.request({ method: 'tools/call', params: { name, arguments: args } }, anyObject, {
        signal,
        timeout: NO_TIMEOUT,
        onprogress: ({ progress: done, total, message }) =>
          progress({
            progress: done,
            ...(total !== undefined && { total }),
            ...(message !== undefined && { message }),
          }),
      }),
    async close() {
      if ('terminateSession' in transport && typeof transport.terminateSession === 'function') {
        const ended: unknown = transport.terminateSession();
        await Promise.race([
          Promise.allSettled([ended]),
          new Promise((resolve) => setTimeout(resolve, 1000)),
        ]);
      }
      await client.close();
    },
  };
}

/** Results are read by results.ts, which keeps what it does not know; the client's schema would refuse all of it. */
const anyObject: StandardSchemaV1<unknown, Record<string, unknown>> = {
  '~standard': {
    version: 1,
    vendor: 'portside',
    validate: (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? { value: value as Record<string, unknown> }
        : { issues: [{ message: 'not an object' }] },
  },
};

function toRemoteTool(tool: Tool): RemoteTool {
  const title = tool.title ?? tool.annotations?.title;
  return {
    name: tool.name,
    ...(title !== undefined && { title }),
    description: tool.description ?? '',
    inputSchema: tool.inputSchema,
    annotations: toAnnotations(tool.annotations),
    taskOnly: tool.execution?.taskSupport === 'required',
  };
}

function toAnnotations(hints: Tool['annotations']): ToolAnnotations {
  const { title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = hints ?? {};
  return {
    ...(title !== undefined && { title }),
    ...(readOnlyHint !== undefined && { readOnlyHint }),
    ...(destructiveHint !== undefined && { destructiveHint }),
    ...(idempotentHint !== undefined && { idempotentHint }),
    ...(openWorldHint !== undefined && { openWorldHint }),
  };
}
