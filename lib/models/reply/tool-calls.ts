import type { ToolCallRequest } from '../../types/message.ts';
import { MAX_CALLS } from '../../types/tools/tool-call.ts';
import { type Delta, readDelta } from './call-delta.ts';
import { isWholeObject, toJson, unquoted } from '../../json.ts';
import { createObjectScan } from './object-scan.ts';

/** What a delta added to the call at `position` (0-based, gapless, in order of first sight). */
export type CallFragment = { position: number; name: string; arguments: string };

type OpenCall = {
  position: number;
  id: string;
  name: string;
  arguments: string;
  scan: ReturnType<typeof createObjectScan>;
  /** The last piece of the arguments, and how many there were while each began with the one before; then 0. */
  piece: string;
  snapshots: number;
  /** A piece may have been its own or another's. */
  broken: boolean;
  /** The call that got pieces under this one's index before this one began. */
  rival: OpenCall | undefined;
  raw: Map<string, unknown>;
};

/** The calls so far, in order of first sight, and ways to find the one that a delta goes on with. */
type Calls = {
  open: OpenCall[];
  byId: Map<string, OpenCall>;
  lastByIndex: Map<string, OpenCall>;
  /** Those whose arguments are no whole object yet. */
  unclosed: Set<OpenCall>;
  /** Which call got the nameless pieces that came under an index of no call. */
  strays: Map<string, OpenCall>;
};

/**
 * Puts calls together from deltas, whatever the server makes of `index`, `id` and `name`
 * (several servers disagree with https://platform.openai.com/docs/api-reference/chat-streaming).
 * A name that differs from a call's own always begins another call. What a delta costs grows with neither the calls nor
 * the arguments before it.
 * @param names the offered tools, for names with junk behind them
 */
export function createCallAccumulator(newId: () => string, names: ReadonlySet<string> = new Set()) {
  const calls: Calls = {
    open: [],
    byId: new Map(),
    lastByIndex: new Map(),
    unclosed: new Set(),
    strays: new Map(),
  };
  let tooMany = false;

  const addDelta = (delta: Delta): CallFragment[] => {
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
    /** Takes `delta.tool_calls` (or `message.tool_calls`) as it came. */
    push: (deltas: unknown): CallFragment[] =>
      Array.isArray(deltas) ? deltas.flatMap((delta) => readDelta(delta, names)).flatMap(addDelta) : [],
    count: (): number => calls.open.length,
    /** True once there was one more than `MAX_CALLS`. */
    tooMany: (): boolean => tooMany,
    /** The calls as accumulated, each with an id that is unique among them, and `{}` where arguments are empty. */
    calls: (): ToolCallRequest[] => toRequests(calls, newId),
  };
}

/** The open call that a delta goes on with; undefined when it begins a new one. */
function continued(calls: Calls, delta: Delta): OpenCall | undefined {
  const { open, byId, lastByIndex, unclosed } = calls;
  if (delta.index !== undefined) {
    const same = lastByIndex.get(delta.index);
    const owner = ownerElsewhere(byId, same, delta);
    if (owner !== undefined) return owner;
    if (same === undefined) return strayOwner(calls, delta.index, delta);
    return beginsAnother(same, delta) ? undefined : same;
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
    for (const call of [...unclosed, last]) call.broken = true;
  }
  return last;
}

/**
 * The one call that waits for arguments, for a piece without id and name under an index of no call: Nebius counts up
 * before a call's last piece (https://github.com/pipecat-ai/pipecat/pull/4688).
 */
function strayOwner(calls: Calls, index: string, delta: Delta): OpenCall | undefined {
  const { open, unclosed, strays } = calls;
  if (delta.id + delta.name !== '' || delta.arguments === '') return undefined;
  // White space behind whole arguments is no call.
  if (unclosed.size === 0 && delta.arguments.trim() === '') return open.at(-1);
  const [owner] = unclosed;
  if (owner === undefined || unclosed.size > 1 || owner.name === '') return undefined;
  strays.set(index, owner);
  return owner;
}

/** A known id counts more than an index: the call it names, where that is not the one at the delta's index. */
function ownerElsewhere(byId: Calls['byId'], same: OpenCall | undefined, delta: Delta): OpenCall | undefined {
  if (delta.id === '' || same?.id === delta.id) return undefined;
  const owner = byId.get(delta.id);
  if (owner === undefined || isOtherName(owner, delta)) return undefined;
  // A name at a new index opens a call, even where every call has the same id.
  return delta.name !== '' && same === undefined ? undefined : owner;
}

function begin({ open, lastByIndex, strays }: Calls, delta: Delta): OpenCall {
  const call = newCall(open.length);
  open.push(call);
  if (delta.index === undefined) return call;
  lastByIndex.set(delta.index, call);
  call.rival = strays.get(delta.index);
  return call;
}

function toRequests({ open, unclosed }: Calls, newId: () => string): ToolCallRequest[] {
  const ids = new Set<string>();
  const isEmpty = (call: OpenCall) => call.arguments.trim() === '';
  const isOrphan = (call: OpenCall) => call.name === '' && !isEmpty(call);
  const hasOrphans = open.some(isOrphan);
  // A call without arguments may lack those that came under its index before its name.
  const robbed = open.filter((call) => call.rival !== undefined && isEmpty(call));
  const mixedUp = new Set(robbed.flatMap((call) => [call, call.rival]));
  return open.map((call) => {
    const id = call.id === '' || ids.has(call.id) ? newId() : call.id;
    ids.add(id);
    // Arguments without a call are those that another one lacks.
    const lacks = hasOrphans && unclosed.has(call) && !isOrphan(call);
    const broken = call.broken || lacks || mixedUp.has(call);
    const args = argumentsOf(call);
    return {
      id,
      name: call.name,
      arguments: args.trim() === '' ? '{}' : args,
      ...(broken && { broken }),
      ...(call.raw.size > 0 && { raw: Object.fromEntries(call.raw) }),
    };
  });
}

/**
 * Qianfan sends all of the arguments so far in every piece (https://github.com/NousResearch/hermes-agent/pull/35718):
 * with three such pieces, what makes no object together is no call that was cut off.
 */
function argumentsOf({ arguments: text, piece, snapshots }: OpenCall): string {
  return unquoted(snapshots > 2 && !isWholeObject(text) && isWholeObject(piece) ? piece : text);
}

function newCall(position: number): OpenCall {
  return {
    position,
    id: '',
    name: '',
    arguments: '',
    scan: createObjectScan(),
    piece: '',
    snapshots: 0,
    broken: false,
    rival: undefined,
    raw: new Map(),
  };
}

function append(call: OpenCall, delta: Delta): CallFragment {
  // Some servers repeat the whole arguments at the end.
  const fragment = isRepeat(call, delta) ? '' : delta.arguments;
  call.id ||= delta.id;
  call.name ||= delta.name;
  // Proxies of Anthropic put `{}` before the arguments (https://github.com/BerriAI/litellm/issues/4537).
  if (call.arguments === '{}' && fragment.trim() !== '') {
    Object.assign(call, { arguments: '', scan: createObjectScan(), piece: '', snapshots: 0 });
  }
  countSnapshot(call, delta.arguments);
  call.arguments += fragment;
  call.scan.push(fragment);
  for (const [name, value] of Object.entries(delta.extra)) {
    if (toJson(value) !== undefined) call.raw.set(name, value);
  }
  return { position: call.position, name: call.name, arguments: fragment };
}

function countSnapshot(call: OpenCall, piece: string): void {
  if (piece === '' || piece === call.piece) return;
  const isFirst = call.arguments === '';
  call.snapshots = isFirst || (call.snapshots > 0 && piece.startsWith(call.piece)) ? call.snapshots + 1 : 0;
  call.piece = piece;
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
