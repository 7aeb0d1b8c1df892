import type { ToolCallRequest } from '../types/message.ts';
import { isRecord, toJson } from './json.ts';
import { createObjectScan } from './object-scan.ts';

/** What a delta added to the call at `position` (0-based, gapless, in order of first sight). */
export type CallFragment = { position: number; name: string; arguments: string };

/** Nobody means more calls at once; they are neither kept nor made. */
export const MAX_CALLS = 128;

export type CallAccumulator = {
  /** Takes `delta.tool_calls` (or `message.tool_calls`) as it came. */
  push: (deltas: unknown) => CallFragment[];
  /** How many calls there are. */
  count: () => number;
  /** True once there was one more than `MAX_CALLS`. */
  tooMany: () => boolean;
  /** The calls as accumulated, each with an id that is unique among them, and `{}` where arguments are empty. */
  calls: () => ToolCallRequest[];
};

type Delta = {
  index: number | undefined;
  id: string;
  name: string;
  arguments: string;
  extra: Record<string, unknown>;
};

type OpenCall = {
  position: number;
  id: string;
  name: string;
  arguments: string;
  scan: ReturnType<typeof createObjectScan>;
  raw: Map<string, unknown>;
};

/**
 * Puts calls together from deltas, whatever the server makes of `index`, `id` and `name`
 * (several servers disagree with https://platform.openai.com/docs/api-reference/chat-streaming).
 * What a delta costs grows with neither the calls nor the arguments before it.
 */
export function createCallAccumulator(newId: () => string): CallAccumulator {
  const open: OpenCall[] = [];
  const byId = new Map<string, OpenCall>();
  const lastByIndex = new Map<number, OpenCall>();
  let tooMany = false;

  /** The open call that a delta goes on with; undefined when it begins a new one. */
  const continued = (delta: Delta): OpenCall | undefined => {
    if (delta.index === undefined) {
      if (delta.id !== '') return byId.get(delta.id);
      return delta.name === '' ? open.at(-1) : undefined;
    }
    const same = lastByIndex.get(delta.index);
    if (same === undefined) return undefined;
    const otherId = delta.id !== '' && same.id !== '' && delta.id !== same.id;
    return otherId || beginsAnother(same, delta) ? undefined : same;
  };

  const begin = (delta: Delta): OpenCall => {
    const call = {
      position: open.length,
      id: '',
      name: '',
      arguments: '',
      scan: createObjectScan(),
      raw: new Map<string, unknown>(),
    };
    open.push(call);
    if (delta.index !== undefined) lastByIndex.set(delta.index, call);
    return call;
  };

  const take = (delta: Delta): CallFragment[] => {
    const going = continued(delta);
    if (going === undefined && open.length === MAX_CALLS) tooMany = true;
    if (tooMany) return [];
    const call = going ?? begin(delta);
    // Some servers repeat the whole arguments at the end.
    const fragment = isRepeat(call, delta) ? '' : delta.arguments;
    call.id ||= delta.id;
    if (call.id !== '' && !byId.has(call.id)) byId.set(call.id, call);
    call.name ||= delta.name;
    call.arguments += fragment;
    call.scan.push(fragment);
    for (const [name, value] of Object.entries(delta.extra)) {
      if (toJson(value) !== undefined) call.raw.set(name, value);
    }
    return [{ position: call.position, name: call.name, arguments: fragment }];
  };

  return {
    push: (deltas) => (Array.isArray(deltas) ? deltas.flatMap(readDelta).flatMap(take) : []),
    count: () => open.length,
    tooMany: () => tooMany,
    calls() {
      const ids = new Set<string>();
      return open.map(({ id, name, arguments: text, raw }) => {
        const unique = id === '' || ids.has(id) ? newId() : id;
        ids.add(unique);
        const call = { id: unique, name, arguments: text.trim() === '' ? '{}' : text };
        return raw.size === 0 ? call : { ...call, raw: Object.fromEntries(raw) };
      });
    },
  };
}

/** Without ids, one index can still hold two calls: a named delta with arguments of its own after a whole object. */
function beginsAnother(call: OpenCall, delta: Delta): boolean {
  if (delta.id !== '' || delta.name === '' || delta.arguments.trim() === '') return false;
  return call.scan.isClosed() && !(delta.name === call.name && isRepeat(call, delta));
}

function isRepeat(call: OpenCall, delta: Delta): boolean {
  return call.scan.isClosed() && delta.arguments === call.arguments;
}

function readDelta(value: unknown): Delta[] {
  if (!isRecord(value)) return [];
  const { index, id, type: _type, function: called, ...extra } = value;
  const { name, arguments: args } = isRecord(called) ? called : {};
  const delta = {
    index: typeof index === 'number' ? index : undefined,
    id: textOf(id),
    name: textOf(name),
    // Some servers send the object itself; anything else must not pass for empty arguments.
    arguments:
      typeof args === 'string' ? args : args === undefined || args === null ? '' : (toJson(args) ?? '?'),
    extra,
  };
  const saysNothing = delta.id + delta.name + delta.arguments === '' && Object.keys(extra).length === 0;
  return saysNothing ? [] : [delta];
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
