import type { ToolCallRequest } from '../types/message.ts';
import { MAX_CALLS } from '../types/tool.ts';
import { type Delta, readDelta } from './call-delta.ts';
import { toJson } from './json.ts';
import { createObjectScan } from './object-scan.ts';

/** What a delta added to the call at `position` (0-based, gapless, in order of first sight). */
export type CallFragment = { position: number; name: string; arguments: string };

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

type OpenCall = {
  position: number;
  id: string;
  name: string;
  arguments: string;
  scan: ReturnType<typeof createObjectScan>;
  /** A piece may have been its own or another's. */
  broken: boolean;
  raw: Map<string, unknown>;
};

/** The calls so far, in order of first sight, and ways to find the one that a delta goes on with. */
type Calls = {
  open: OpenCall[];
  byId: Map<string, OpenCall>;
  lastByIndex: Map<string, OpenCall>;
  /** Those whose arguments are no whole object yet. */
  unclosed: Set<OpenCall>;
};

/**
 * Puts calls together from deltas, whatever the server makes of `index`, `id` and `name`
 * (several servers disagree with https://platform.openai.com/docs/api-reference/chat-streaming).
 * A name that differs from a call's own always begins another call. What a delta costs grows with neither the calls nor
 * the arguments before it.
 * @param names the offered tools, for names with junk behind them
 */
export function createCallAccumulator(
  newId: () => string,
  names: ReadonlySet<string> = new Set(),
): CallAccumulator {
  const calls: Calls = { open: [], byId: new Map(), lastByIndex: new Map(), unclosed: new Set() };
  let tooMany = false;

  const take = (delta: Delta): CallFragment[] => {
    const going = continued(calls, delta);
    if (going === undefined && calls.open.length === MAX_CALLS) tooMany = true;
    if (tooMany) return [];
    const call = going ?? begin(calls, delta);
    const fragment = append(call, delta);
    if (call.id !== '') calls.byId.set(call.id, call);
    if (call.scan.isClosed()) calls.unclosed.delete(call);
    else calls.unclosed.add(call);
    return [fragment];
  };

  return {
    push: (deltas) =>
      Array.isArray(deltas) ? deltas.flatMap((delta) => readDelta(delta, names)).flatMap(take) : [],
    count: () => calls.open.length,
    tooMany: () => tooMany,
    calls: () => toRequests(calls, newId),
  };
}

/** The open call that a delta goes on with; undefined when it begins a new one. */
function continued({ open, byId, lastByIndex, unclosed }: Calls, delta: Delta): OpenCall | undefined {
  if (delta.index !== undefined) {
    const same = lastByIndex.get(delta.index);
    const owner = ownerElsewhere(byId, same, delta);
    if (owner !== undefined) return owner;
    return same === undefined || beginsAnother(same, delta) ? undefined : same;
  }
  if (delta.id !== '') {
    const same = byId.get(delta.id);
    return same === undefined || isOtherName(same, delta) ? undefined : same;
  }
  const last = open.at(-1);
  if (delta.name !== '' || last === undefined) return undefined;
  // It says nothing of whose it is: it may belong to any call that still waits for arguments.
  const others = unclosed.size - (unclosed.has(last) ? 1 : 0);
  if (others > 0 && delta.arguments !== '' && !isRepeat(last, delta)) {
    for (const call of unclosed) call.broken = true;
  }
  return last;
}

/** A known id counts more than an index: the call it names, where that is not the one at the delta's index. */
function ownerElsewhere(byId: Calls['byId'], same: OpenCall | undefined, delta: Delta): OpenCall | undefined {
  if (delta.id === '' || same?.id === delta.id) return undefined;
  const owner = byId.get(delta.id);
  if (owner === undefined || isOtherName(owner, delta)) return undefined;
  // A name at a new index opens a call, even where every call has the same id.
  return delta.name !== '' && same === undefined ? undefined : owner;
}

function begin({ open, lastByIndex }: Calls, delta: Delta): OpenCall {
  const call = newCall(open.length);
  open.push(call);
  if (delta.index !== undefined) lastByIndex.set(delta.index, call);
  return call;
}

function toRequests({ open, unclosed }: Calls, newId: () => string): ToolCallRequest[] {
  const ids = new Set<string>();
  const isOrphan = (call: OpenCall) => call.name === '' && call.arguments.trim() !== '';
  const hasOrphans = open.some(isOrphan);
  return open.map((call) => {
    const id = call.id === '' || ids.has(call.id) ? newId() : call.id;
    ids.add(id);
    // Arguments without a call are those that another one lacks.
    const broken = call.broken || (hasOrphans && unclosed.has(call) && !isOrphan(call));
    return {
      id,
      name: call.name,
      arguments: call.arguments.trim() === '' ? '{}' : call.arguments,
      ...(broken && { broken }),
      ...(call.raw.size > 0 && { raw: Object.fromEntries(call.raw) }),
    };
  });
}

function newCall(position: number): OpenCall {
  return {
    position,
    id: '',
    name: '',
    arguments: '',
    scan: createObjectScan(),
    broken: false,
    raw: new Map(),
  };
}

function append(call: OpenCall, delta: Delta): CallFragment {
  // Some servers repeat the whole arguments at the end.
  const fragment = isRepeat(call, delta) ? '' : delta.arguments;
  call.id ||= delta.id;
  call.name ||= delta.name;
  call.arguments += fragment;
  call.scan.push(fragment);
  for (const [name, value] of Object.entries(delta.extra)) {
    if (toJson(value) !== undefined) call.raw.set(name, value);
  }
  return { position: call.position, name: call.name, arguments: fragment };
}

/**
 * Whether a delta at a call's index is another call's, by its name or id. Some servers make up a new id for every piece:
 * without a name it counts only behind a whole object. Without ids, one index can still hold two calls of one name: a
 * named delta with arguments of its own after a whole object.
 */
function beginsAnother(call: OpenCall, delta: Delta): boolean {
  if (isOtherName(call, delta)) return true;
  const isClosed = call.scan.isClosed();
  if (delta.id !== '' && call.id !== '' && delta.id !== call.id) return delta.name !== '' || isClosed;
  if (delta.id !== '' || delta.name === '' || delta.arguments.trim() === '') return false;
  return isClosed && !isRepeat(call, delta);
}

function isOtherName(call: OpenCall, delta: Delta): boolean {
  return delta.name !== '' && call.name !== '' && delta.name !== call.name;
}

function isRepeat(call: OpenCall, delta: Delta): boolean {
  return call.scan.isClosed() && delta.arguments === call.arguments;
}
