import type { ToolCallRequest } from '../types.ts';
import { isRecord, isWholeObject } from './json.ts';

/** What a delta added to the call at `position` (0-based, gapless, in order of first sight). */
export type CallFragment = { position: number; name: string; arguments: string };

export type CallAccumulator = {
  /** Takes `delta.tool_calls` (or `message.tool_calls`) as it came. */
  push: (deltas: unknown) => CallFragment[];
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
type OpenCall = { index: number | undefined } & Required<ToolCallRequest>;

/**
 * Puts calls together from deltas, whatever the server makes of `index`, `id` and `name`
 * (several servers disagree with https://platform.openai.com/docs/api-reference/chat-streaming).
 */
export function createCallAccumulator(newId: () => string): CallAccumulator {
  const open: OpenCall[] = [];

  const take = (delta: Delta): CallFragment => {
    const continued = findContinued(open, delta);
    const call = continued ?? { index: delta.index, id: '', name: '', arguments: '', raw: {} };
    if (continued === undefined) open.push(call);
    // Some servers repeat the whole arguments at the end; a whole object takes nothing more.
    const repeated = delta.arguments === call.arguments && isWholeObject(call.arguments);
    const fragment = repeated ? '' : delta.arguments;
    call.id ||= delta.id;
    call.name ||= delta.name;
    call.arguments += fragment;
    call.raw = { ...call.raw, ...delta.extra };
    return { position: open.indexOf(call), name: call.name, arguments: fragment };
  };

  return {
    push: (deltas) => (Array.isArray(deltas) ? deltas.flatMap(readDelta).map(take) : []),
    calls() {
      const ids = new Set<string>();
      return open.map(({ id, name, arguments: text, raw }) => {
        const unique = id === '' || ids.has(id) ? newId() : id;
        ids.add(unique);
        const call = { id: unique, name, arguments: text.trim() === '' ? '{}' : text };
        return Object.keys(raw).length === 0 ? call : { ...call, raw };
      });
    },
  };
}

/** The open call that a delta goes on with; undefined when it begins a new one. */
function findContinued(open: OpenCall[], delta: Delta): OpenCall | undefined {
  if (delta.index === undefined) {
    if (delta.id !== '') return open.find((call) => call.id === delta.id);
    return delta.name === '' ? open.at(-1) : undefined;
  }
  const same = open.findLast((call) => call.index === delta.index);
  if (same === undefined) return undefined;
  const otherId = delta.id !== '' && same.id !== '' && delta.id !== same.id;
  return otherId || beginsAnother(same, delta) ? undefined : same;
}

/** Without ids, one index can still hold two calls: a named delta with arguments of its own after a whole object. */
function beginsAnother(call: OpenCall, delta: Delta): boolean {
  if (delta.id !== '' || delta.name === '' || delta.arguments.trim() === '') return false;
  const isRepeat = delta.name === call.name && delta.arguments === call.arguments;
  return !isRepeat && isWholeObject(call.arguments);
}

function readDelta(value: unknown): Delta[] {
  if (!isRecord(value)) return [];
  const { index, id, type: _type, function: called, ...extra } = value;
  const { name, arguments: args } = isRecord(called) ? called : {};
  const delta = {
    index: typeof index === 'number' ? index : undefined,
    id: textOf(id),
    name: textOf(name),
    // Some servers send the object itself.
    arguments: isRecord(args) ? JSON.stringify(args) : textOf(args),
    extra,
  };
  const saysNothing = delta.id + delta.name + delta.arguments === '' && Object.keys(extra).length === 0;
  return saysNothing ? [] : [delta];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
