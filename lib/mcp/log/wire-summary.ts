import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isRecord } from '../../json.ts';
import { isText, type Raw } from '../content/raw.ts';
import { oneLine } from '../failures/one-line.ts';
import { t } from '../../../locales/texts/errors.ts';

/** What of a request's params says most, by method. */
const SUBJECTS: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['resources/subscribe', 'uri'],
  ['resources/unsubscribe', 'uri'],
  ['notifications/resources/updated', 'uri'],
  ['logging/setLevel', 'level'],
  ['elicitation/create', 'message'],
  ['notifications/cancelled', 'reason'],
]);
const MOST_SUBJECT = 200;
/** The lists that a result may have. */
const COUNTED = [
  'tools',
  'prompts',
  'resources',
  'resourceTemplates',
  'content',
  'contents',
  'messages',
] as const;
/** Counting goes no further: it must cost nothing beside the network. */
const MOST_COUNTED = 100_000;

/** A message in a few words, e.g. `tools/call search_issues`, `result, 40 tools`, `error -32602: …`. */
export function summaryOf(message: JSONRPCMessage, answers: string | undefined): string {
  if ('method' in message) return request(message.method, message.params);
  if ('error' in message) {
    return t(($) => $.errors.mcp.log.error, {
      code: message.error.code,
      why: oneLine(message.error.message),
    });
  }
  return result(message.result, answers);
}

function request(method: string, params: unknown): string {
  if (!isRecord(params)) return method;
  if (method === 'notifications/progress') {
    const { progress, total, message } = params;
    const of = typeof total === 'number' ? `/${total}` : '';
    return [method, `${String(progress)}${of}`, message].filter(isText).join(' ');
  }
  const subject = params[SUBJECTS.get(method) ?? ''];
  return isText(subject) ? `${method} ${subject.slice(0, MOST_SUBJECT)}` : method;
}

function result(value: Raw, answers: string | undefined): string {
  if (value['resultType'] === 'input_required') return t(($) => $.errors.mcp.log.asksForInput);
  if (value['isError'] === true) return t(($) => $.errors.mcp.log.reportsError);
  for (const key of COUNTED) {
    const list = value[key];
    if (Array.isArray(list)) return t(($) => $.errors.mcp.log.counted[key], { count: list.length });
  }
  return answers === undefined
    ? t(($) => $.errors.mcp.log.result)
    : t(($) => $.errors.mcp.log.resultOf, { method: answers });
}

/** About how many bytes a message has as JSON, without writing it: a huge one is counted up to a point. */
export function countOf(message: unknown): number {
  const left: unknown[] = [message];
  let bytes = 0;
  for (let parts = 0; left.length > 0 && parts < MOST_COUNTED; parts += 1) {
    const value = left.pop();
    if (isText(value)) bytes += value.length + 2;
    else if (typeof value !== 'object' || value === null) bytes += String(value).length;
    else if (Array.isArray(value)) {
      bytes += value.length + 1;
      // One at a time: a list may be too long to be passed as arguments.
      for (let at = 0; at < value.length && at < MOST_COUNTED; at += 1) left.push(value[at]);
    } else {
      bytes += 1;
      for (const key in value) {
        bytes += key.length + 4;
        left.push((value as Raw)[key]);
      }
    }
  }
  return Math.max(bytes, 2);
}
