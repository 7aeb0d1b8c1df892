import { onTestFinished, type TestContext, vi } from 'vitest';
import type { Elicit } from '../../lib/types/request.ts';
import {
  type Connections,
  type ConnectionsDeps,
  createConnections,
  type RemoteTool,
} from '../../lib/mcp/connections.ts';
import type { ServerStatus } from '../../lib/types/server.ts';
import type { McpCallOptions } from '../../lib/mcp/calls/call.ts';
import type { RemoteConfig } from '../../lib/mcp/settings.ts';
import type { Remembered } from '../../lib/mcp/connection/remembered.ts';
import { type McpServerOptions, startMcpServer, type TestMcpServer } from '../fakes/mcp-server.ts';

export type Rig = Connections & { statuses: ServerStatus[]; tools: RemoteTool[][] };

/** The test at whose end something is closed; one of several that run at once has to say which it is. */
type Ending = Pick<TestContext, 'onTestFinished'>;

/** Connections that write down what they report. */
export function createRig(deps: Partial<ConnectionsDeps> = {}, test: Ending = { onTestFinished }): Rig {
  const statuses: ServerStatus[] = [];
  const tools: RemoteTool[][] = [];
  const connections = createConnections({
    onStatus: (_id, status) => statuses.push(status),
    onTools: (_id, list) => tools.push(list),
    ...deps,
  });
  const used = new Set<number>();
  test.onTestFinished(
    async () => void (await Promise.all([...used].map((id) => connections.disconnect(id)))),
  );
  return {
    ...connections,
    connect: (server, isQuiet) => {
      used.add(server.id);
      return connections.connect(server, isQuiet);
    },
    statuses,
    tools,
  };
}

export function config(url: string, more: Partial<RemoteConfig> = {}): RemoteConfig {
  return {
    id: 1,
    name: 'Notes',
    transport: 'streamable-http',
    url,
    toolTimeout: 30_000,
    headers: {},
    ...more,
  };
}

export async function startServer(
  behaviour?: McpServerOptions,
  test: Ending = { onTestFinished },
): Promise<TestMcpServer> {
  const server = await startMcpServer(behaviour);
  test.onTestFinished(() => server.close());
  return server;
}

/** A server and a rig that is connected to it as number 1. */
export async function connected(
  more: Partial<RemoteConfig> = {},
  deps: Partial<ConnectionsDeps> = {},
  test: Ending = { onTestFinished },
): Promise<{ server: TestMcpServer; rig: Rig }> {
  const server = await startServer(undefined, test);
  const rig = createRig(deps, test);
  await rig.connect(config(more.transport === 'sse' ? server.sseUrl : server.url, more));
  return { server, rig };
}

export function options(more: Partial<McpCallOptions> = {}): McpCallOptions {
  const signal = new AbortController().signal;
  return {
    signal,
    started: async () => {},
    accepted: async () => {},
    progress: () => {},
    mayRun: async () => {},
    elicit: noUser,
    idempotent: false,
    ...more,
  };
}

/** What is remembered of servers, as it is kept for the next worker. */
export function createMemory() {
  const kept = new Map<number, Remembered>();
  const memory: NonNullable<ConnectionsDeps['memory']> = {
    load: async (id) => structuredClone(kept.get(id)),
    async save(id, remembered) {
      if (remembered) kept.set(id, structuredClone(remembered));
      else kept.delete(id);
    },
  };
  return { kept, memory };
}

/** The wall clock goes on, by `ms`, while everything else stands still. */
export function silence(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  onTestFinished(() => void vi.useRealTimers());
}

/** Answers for a user who is not there. */
export const noUser: Elicit = async () => ({ action: 'cancel' });

/** A body that comes in these pieces. */
export function streamOf(pieces: Uint8Array<ArrayBuffer>[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

/** The fetch of a browser in which one method is answered otherwise; `times` counts how often it was asked. */
export function answering(method: string, answer: () => Promise<Response>) {
  const asked = { times: 0 };
  const answered: typeof fetch = (input, init) => {
    if (!String(init?.body).includes(`"${method}"`)) return fetch(input, init);
    asked.times += 1;
    return answer();
  };
  return { asked, fetch: answered };
}
