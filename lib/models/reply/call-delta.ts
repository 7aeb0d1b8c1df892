import { isRecord, recordOf, toJson } from '../../json.ts';

/** What a server says of a call at one time; texts are empty where it says nothing. */
export type Delta = {
  /** A number, or the same as a text. */
  index: string | undefined;
  id: string;
  name: string;
  arguments: string;
  extra: Record<string, unknown>;
};

/** Characters of a tool's name: no API takes as many. */
const MOST_NAME = 1_000;

/**
 * A delta of a call as it came; none for what is no call, or says nothing.
 * @param names the offered tools, for names with junk behind them
 */
export function readDelta(value: unknown, names: ReadonlySet<string>): Delta[] {
  if (!isRecord(value)) return [];
  const { index, id, type: _type, function: called, ...extra } = value;
  const { name, arguments: args } = recordOf(called);
  const delta = {
    index: textOf(index) || undefined,
    id: textOf(id),
    name: offeredName(textOf(name), names),
    // Some servers send the object itself; anything else must not pass for empty arguments.
    arguments:
      typeof args === 'string' ? args : args === undefined || args === null ? '' : (toJson(args) ?? '?'),
    extra,
  };
  const saysNothing = delta.id + delta.name + delta.arguments === '' && Object.keys(extra).length === 0;
  return saysNothing ? [] : [delta];
}

/** Without what some chat templates leave behind a name (`echo<|channel|>commentary`), if what is left is offered. */
function offeredName(name: string, names: ReadonlySet<string>): string {
  if (name === '' || names.has(name)) return name;
  const [head = ''] = /^[a-zA-Z0-9_-]+/.exec(name.trim()) ?? [];
  return names.has(head) ? head : name.slice(0, MOST_NAME);
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
