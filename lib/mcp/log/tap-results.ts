import type { Transport } from '@modelcontextprotocol/client';
import { isRecord } from '../../json.ts';
import { KEPT, type Raw } from '../content/raw.ts';
import { tap } from './tap.ts';

const cache = { ttlMs: 0, cacheScope: 'private' };

/** The emptiest result that the client's schema of the 2026-07-28 revision takes, by method. */
const EMPTY: ReadonlyMap<string, Raw> = new Map<string, Raw>([
  ['tools/list', { tools: [], ...cache }],
  ['prompts/list', { prompts: [], ...cache }],
  ['resources/list', { resources: [], ...cache }],
  ['resources/templates/list', { resourceTemplates: [], ...cache }],
  ['resources/read', { contents: [], ...cache }],
  ['tools/call', { content: [] }],
  ['tasks/get', {}],
  ['prompts/get', { messages: [] }],
  ['completion/complete', { completion: { values: [] } }],
]);

/** Whose results may be a task, which the client does not know. Of any other it refuses one, as it must (SEP-2663). */
const TASKS: ReadonlySet<string> = new Set(['tools/call', 'tasks/get']);

/**
 * On the 2026-07-28 revision the client checks results against its schemas even where a request names a lenient one: a
 * single broken tool, or a block of a new kind, would cost the whole result. So the client gets an empty result and
 * hands the real one on untouched, which `anyObject` (raw.ts) gives out. The results of earlier revisions have no
 * `resultType` and are left alone. To be called before the client connects.
 */
export function keepResults(transport: Transport): void {
  const methods = new Map<unknown, string>();
  tap(transport, {
    sent(message) {
      if ('method' in message && 'id' in message && EMPTY.has(message.method)) {
        methods.set(message.id, message.method);
      }
    },
    received(message) {
      if ('method' in message || message.id === undefined) return;
      const method = methods.get(message.id) ?? '';
      const empty = EMPTY.get(method);
      methods.delete(message.id);
      if (!empty || !('result' in message)) return;
      const result: unknown = message.result;
      if (!isRecord(result)) return;
      const isTask = result['resultType'] === 'task' && TASKS.has(method);
      if (!isTask && result['resultType'] !== 'complete') return;
      message.result = { resultType: 'complete', ...empty, [KEPT]: result };
    },
    failed(message) {
      if ('id' in message) methods.delete(message.id);
    },
  });
}
