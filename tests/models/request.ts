import { afterEach, beforeEach, describe } from 'vitest';
import type { StreamModelOptions } from '../../lib/models/stream-model.ts';
import type { WireError } from '../../lib/types/error.ts';
import type {
  AssistantMessage,
  MessageStatus,
  ToolCallRequest,
  ToolMessage,
  UserMessage,
} from '../../lib/types/message.ts';
import { toWireRequest, type WireOptions } from '../../lib/models/request/wire-request.ts';
import {
  MODEL_APIS,
  type ModelApi,
  type ModelEvent,
  type ModelRequest,
  type ModelTurn,
  type StreamModel,
} from '../../lib/types/model.ts';
import type { OfferedTool } from '../../lib/types/tools/tool.ts';

/** Messages, tools and readers of events, for the tests of this room. */
const base = {
  id: 'm',
  conversationId: 'c',
  parentId: null,
  seq: 0,
  sub: 0,
  timestamp: '2026-11-01T00:00:00.000Z',
};

export function user(content: string): UserMessage {
  return { ...base, role: 'user', status: 'complete', content };
}

export function assistant(
  content: string,
  tool_calls: ToolCallRequest[] = [],
  status: MessageStatus = 'complete',
): AssistantMessage {
  return { ...base, role: 'assistant', runId: 'r', status, content, tool_calls };
}

export function result(tool_call_id: string, content: string): ToolMessage {
  return { ...base, role: 'tool', status: 'complete', name: 'mcp__1__echo', tool_call_id, content };
}

export const echo: OfferedTool = {
  name: 'mcp__1__echo',
  toolName: 'echo',
  serverId: 1,
  serverName: 'everything',
  description: 'Echoes a message',
  inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
  annotations: {},
};

let api: ModelApi = 'chat';
/** The API of the test that runs. */
export const apiOfTest = (): ModelApi => api;

/** The same tests over both APIs: the fake servers say by either what is scripted. */
export function overBoth(name: string, tests: () => void): void {
  describe.each(MODEL_APIS)(`${name} (%s)`, (each) => {
    beforeEach(() => void (api = each));
    afterEach(() => void (api = 'chat'));
    tests();
  });
}

/** What a model of no particular provider is made with. */
export const plain = {
  /** Tests cut replies into many pieces. */
  frameMs: 0,
  preset: 'custom',
  model: 'm',
  traits: {},
  settings: {},
  learned: {},
  learn: () => undefined,
} satisfies Partial<StreamModelOptions>;

/** The body for a plain server and a model of which nothing is known, unless told. */
export function wireBody(options: Partial<WireOptions>, request: Partial<ModelRequest> = {}) {
  return toWireRequest({ ...plain, ...options }, { messages: [], tools: [], ...request });
}

export async function collect(
  model: StreamModel,
  signal: AbortSignal = new AbortController().signal,
  seen: (event: ModelEvent) => void = () => undefined,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model({ messages: [user('Hello')], tools: [echo] }, signal)) {
    events.push(event);
    seen(event);
  }
  return events;
}

export function textOf(events: ModelEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}

/** The turn that the events end with; fails when they end otherwise or more than once. */
export function turnOf(events: ModelEvent[]): ModelTurn {
  const last = onlyLast(events);
  if (last.type !== 'end') throw new Error(`ended with ${JSON.stringify(last)}`);
  return last.turn;
}

export function errorOf(events: ModelEvent[]): WireError {
  const last = onlyLast(events);
  if (last.type !== 'error') throw new Error(`ended with ${JSON.stringify(last)}`);
  return last.error;
}

function onlyLast(events: ModelEvent[]): ModelEvent {
  const ends = events.filter((event) => event.type === 'end' || event.type === 'error');
  const last = events.at(-1);
  if (ends.length !== 1 || last === undefined || last !== ends[0]) {
    throw new Error(`not exactly one last event: ${JSON.stringify(events)}`);
  }
  return last;
}
