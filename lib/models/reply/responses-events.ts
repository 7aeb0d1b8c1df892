import { keptOutput, textOf } from '../output-items.ts';
import { failureInReply } from '../refusals/classify.ts';
import { ModelFailure } from '../refusals/failure.ts';
import { isRecord, listOf, recordOf, toJson } from '../../json.ts';

type Event = Record<string, unknown>;

const THOUGHT = /^response\.reasoning(_summary)?(_text)?\.delta$/;
const END = /^response\.(completed|incomplete|failed|cancelled|done)$/;

/**
 * Events (https://platform.openai.com/docs/api-reference/responses-streaming) as the chunks that `createTurnAccumulator` takes,
 * so that whatever servers do is dealt with in one place. What is no text, thought or call is passed over: tools of the
 * server's own are never asked for.
 * @param host of the server
 */
export function createResponseReader(host: string) {
  const items = new Map<unknown, unknown>();
  const streamed = new Set<unknown>();
  let size = 0;
  let source: string | undefined;
  let hasText = false;
  let gap = false;

  const keep = (key: unknown, item: unknown): void => {
    items.set(key, item);
    size += toJson(item)?.length ?? 0;
  };
  /** Of a summary and the thought itself the one that comes first is shown. */
  const think = (type: string, piece: unknown): Event[] => {
    source ??= type;
    if (source !== type || typeof piece !== 'string') return [];
    const between = gap ? '\n\n' : '';
    gap = false;
    return [deltaOf({ reasoning: between + piece })];
  };
  const say = (delta: Event): Event[] => {
    hasText = true;
    return [deltaOf(delta)];
  };
  /** An item of which nothing was said before it was done. */
  const atOnce = (item: Event, key: unknown): Event[] => {
    const words = item.type === 'message' ? textOf(item) : item.type === 'reasoning' ? thoughtOf(item) : '';
    if (item.type === 'function_call')
      return [deltaOf({ tool_calls: [callOf(item, key ?? item.id, item.arguments)] })];
    if (words === '') return [];
    return item.type === 'message'
      ? say({ content: words })
      : source === undefined
        ? think('item', words)
        : [];
  };
  const end = (response: Event): Event[] => {
    const given = listOf(response.output);
    if (items.size === 0) for (const [at, item] of given.entries()) keep(at, item);
    const list = [...items.values()].filter(isRecord);
    const message = {
      content: list
        .filter(({ type }) => type === 'message')
        .map(textOf)
        .join('\n\n'),
      annotations: list.map(({ action, content }) => [
        action, // of a search of the server's own
        ...listOf(content).map((part) => recordOf(part).annotations),
      ]),
      ...(source === undefined && {
        reasoning: list
          .filter(({ type }) => type === 'reasoning')
          .map(thoughtOf)
          .join('\n\n'),
      }),
      tool_calls: list
        .filter(({ type }) => type === 'function_call')
        .map((item, index) => callOf(item, index, item.arguments)),
    };
    return [{ choices: [{ message, finish_reason: reasonOf(response) }], usage: usageOf(response.usage) }];
  };

  return {
    /** An event of it, or all of it as one `response`, as chunks of a chat completion. @throws ModelFailure */
    read(event: unknown): unknown[] {
      // `DONE` is one of both.
      if (!isRecord(event)) return [event];
      const type = String(event.type);
      const key = event.output_index ?? event.item_id;
      const item = isRecord(event.item) ? event.item : undefined;
      // Some events of one item name it by its index, others by its id.
      const names = [event.output_index, event.item_id, item?.id].filter((name) => name !== undefined);
      if (event.object === 'response') return end(checked(event));
      if (END.test(type)) return end(checked({ status: type.split('.')[1], ...responseOf(event) }));
      if (type.endsWith('.delta')) for (const name of names) streamed.add(name);
      if (THOUGHT.test(type)) return think(type, event.delta);
      switch (type) {
        case 'response.output_text.delta':
          return say({ content: event.delta });
        case 'response.refusal.delta':
          return say({ refusal: event.delta });
        case 'response.reasoning_summary_part.added':
          gap = source !== undefined;
          return [];
        case 'response.function_call_arguments.delta':
          return [deltaOf({ tool_calls: [{ index: key, function: { arguments: event.delta } }] })];
        case 'response.output_item.added':
          gap = source !== undefined;
          if (item?.type === 'message' && hasText) return say({ content: '\n\n' });
          return item?.type === 'function_call'
            ? [deltaOf({ tool_calls: [callOf(item, key ?? item.id, '')] })]
            : [];
        case 'response.output_item.done':
          keep(key ?? item?.id ?? items.size, item);
          return item === undefined || names.some((name) => streamed.has(name)) ? [] : atOnce(item, key);
        default:
          return [];
      }
    },
    /** What is to be sent back of it (`keptOutput`). */
    raw: (): Record<string, unknown> | undefined => keptOutput(host, [...items.values()]),
    /** Characters of what is kept of it so far. */
    size: (): number => size,
  };
}

const responseOf = ({ response }: Event): Event => recordOf(response);

const deltaOf = (delta: Event): Event => ({ choices: [{ delta }] });

const callOf = ({ call_id: id, name }: Event, index: unknown, args: unknown): Event => ({
  index,
  id,
  type: 'function',
  function: { name, arguments: args },
});

function thoughtOf({ summary, content }: Event): string {
  const parts = [summary, content].find((list) => Array.isArray(list) && list.length > 0);
  return textOf({ content: parts });
}

/** As chat completions say why an answer ended. */
function reasonOf({ status, incomplete_details: details }: Event): unknown {
  if (status === 'incomplete') return (isRecord(details) && details.reason) || 'length';
  return status === 'cancelled' ? status : 'stop';
}

function usageOf(usage: unknown): Event {
  if (!isRecord(usage)) return {};
  const { input_tokens: input, output_tokens: output, input_tokens_details: details } = usage;
  return { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: details };
}

/** @throws ModelFailure for one that failed: its codes are those that a refusal would have had as a status */
function checked(response: Event): Event {
  const error = isRecord(response.error) ? response.error : undefined;
  if (response.status !== 'failed' && error === undefined) return response;
  const code = String(error?.code ?? '');
  const status =
    code === 'rate_limit_exceeded' ? 429 : /^$|server_error|timeout/.test(code) ? undefined : 400;
  throw new ModelFailure(failureInReply({ error: error ? { ...error, status } : response.status }));
}
