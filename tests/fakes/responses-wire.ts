import type { ResponseStreamEvent } from 'openai/resources/responses/responses';

/**
 * What lets the fake servers speak the Responses API too: the same scripts of chat completions are written as its events,
 * and its requests are read as chat completions, so that the same tests run over both.
 */

type Json = Record<string, unknown>;
type Type = ResponseStreamEvent['type'];
/** Without what every event has and nothing reads, and of a whole response only what is read. */
type Fields<T extends Type> = Partial<
  Omit<Extract<ResponseStreamEvent, { type: T }>, 'type' | 'response' | 'item'>
> & {
  item?: Json;
  response?: Json;
};

const line = <T extends Type>(type: T, fields: Fields<T>): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

type Open = { index: number; item: Json & { id: string }; text: string };

/** Writes pieces of a streamed chat completion, each a whole event, as those of a response; what is neither stays. */
export function createResponsesWriter(): (piece: string | Uint8Array) => string | Uint8Array {
  const open = new Map<string, Open>();
  const output: Json[] = [];
  let usage: Json | undefined;
  let isOver = false;

  const begin = (key: string, item: Json): [Open, string] => {
    const before = open.get(key);
    if (before) return [before, ''];
    const index = open.size;
    const prefix = { reasoning: 'rs', message: 'msg', function_call: 'fc' }[String(item.type)] ?? 'item';
    const begun: Open = { index, item: { id: `${prefix}_${index}`, ...item }, text: '' };
    open.set(key, begun);
    return [
      begun,
      line('response.output_item.added', {
        output_index: index,
        item: { ...begun.item, status: 'in_progress' },
      }),
    ];
  };
  const say = (
    key: string,
    item: Json,
    type:
      | 'response.output_text.delta'
      | 'response.refusal.delta'
      | 'response.reasoning_text.delta'
      | 'response.function_call_arguments.delta',
    piece: string,
  ): string => {
    const [{ index, item: own }, added] = begin(key, item);
    const begun = open.get(key);
    if (begun) begun.text += piece;
    return added + (piece === '' ? '' : line(type, { item_id: own.id, output_index: index, delta: piece }));
  };
  const done = ({ index, item, text }: Open): string => {
    const whole: Json = { ...item, status: 'completed' };
    if (item.type === 'message') whole.content = [{ type: 'output_text', text, annotations: [] }];
    if (item.type === 'function_call') whole.arguments = text;
    if (item.type === 'reasoning') {
      whole.content = [{ type: 'reasoning_text', text }];
      whole.encrypted_content = `encrypted(${text})`;
    }
    output.push(whole);
    return line('response.output_item.done', { output_index: index, item: whole });
  };
  const end = (reason: unknown): string => {
    if (isOver) return '';
    isOver = true;
    const cut = { length: 'max_output_tokens', content_filter: 'content_filter' }[String(reason)];
    const items = [...open.values()].map(done).join('');
    const response = {
      object: 'response',
      status: cut ? 'incomplete' : 'completed',
      incomplete_details: cut ? { reason: cut } : null,
      error: null,
      output,
      usage: usage && {
        input_tokens: usage.prompt_tokens,
        output_tokens: usage.completion_tokens,
        input_tokens_details: usage.prompt_tokens_details ?? {},
      },
    };
    return items + line(cut ? 'response.incomplete' : 'response.completed', { response });
  };
  const chunk = (data: { choices: Json[]; usage?: Json }): string => {
    usage = data.usage ?? usage;
    return data.choices
      .map((choice) => {
        const delta = (choice.delta ?? choice.message ?? {}) as Json;
        const thought = ['reasoning_content', 'reasoning', 'reasoning_text']
          .map((name) => delta[name])
          .find((value) => typeof value === 'string');
        const called = Array.isArray(delta.tool_calls) ? (delta.tool_calls as Json[]) : [];
        return [
          typeof thought === 'string'
            ? say('reasoning', { type: 'reasoning', summary: [] }, 'response.reasoning_text.delta', thought)
            : '',
          ...(['content', 'refusal'] as const).map((name) =>
            typeof delta[name] === 'string'
              ? say(
                  'message',
                  { type: 'message', role: 'assistant', content: [] },
                  name === 'content' ? 'response.output_text.delta' : 'response.refusal.delta',
                  delta[name],
                )
              : '',
          ),
          ...called.map(({ index, id, function: made }) => {
            const { name, arguments: args = '' } = (made ?? {}) as { name?: string; arguments?: string };
            const item = { type: 'function_call', call_id: id, name, arguments: '' };
            return say(`call ${String(index ?? id)}`, item, 'response.function_call_arguments.delta', args);
          }),
          choice.finish_reason || choice.message ? end(choice.finish_reason) : '',
        ].join('');
      })
      .join('');
  };

  return (piece) => {
    if (typeof piece !== 'string' || !/^data: .*\n\n$/.test(piece)) return piece;
    const data = piece.slice('data: '.length).trim();
    if (data === '[DONE]') return end('stop');
    const parsed = parse(data);
    return Array.isArray(parsed?.choices) ? chunk(parsed as { choices: Json[] }) : piece;
  };
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** A chat completion that came as a whole, as a response; any other body as it is. */
export function asResponseBody(body: string): string {
  const parsed = parse(body);
  if (!Array.isArray(parsed?.choices)) return body;
  const events = String(createResponsesWriter()(`data: ${body}\n\n`));
  const last = parse(events.trim().split('\n').at(-1)?.slice('data: '.length) ?? '');
  return JSON.stringify(last?.response);
}

/** A request as the chat completion that asks for the same. Thoughts are `reasoning_content`. */
export function asChatBody(body: Json): Json {
  const { instructions, input, tools, max_output_tokens: maxTokens, reasoning, ...rest } = body;
  const { store: _store, include: _include, ...same } = rest;
  const { effort } = (reasoning ?? {}) as { effort?: string };
  return {
    ...same,
    messages: [
      ...(instructions === undefined ? [] : [{ role: 'system', content: instructions }]),
      ...messagesOf(input as Json[]),
    ],
    ...(Array.isArray(tools) && {
      tools: (tools as Json[]).map(({ type, strict: _strict, ...called }) => ({ type, function: called })),
    }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(effort !== undefined && { reasoning_effort: effort }),
  };
}

type Said = { role: string; content: unknown; tool_calls?: Json[] } & Json;

function messagesOf(items: Json[]): Said[] {
  const messages: Said[] = [];
  const answer = (): Said => {
    const last = messages.at(-1);
    if (last?.role === 'assistant') return last;
    const next: Said = { role: 'assistant', content: null };
    messages.push(next);
    return next;
  };
  for (const item of items) {
    if (item.type === 'reasoning') {
      answer().reasoning_content = ((item.content ?? []) as Json[]).map(({ text }) => text).join('');
    } else if (item.type === 'function_call') {
      const { call_id: id, name, arguments: args } = item;
      const last = answer();
      last.tool_calls = [
        ...(last.tool_calls ?? []),
        { id, type: 'function', function: { name, arguments: args } },
      ];
    } else if (item.type === 'function_call_output') {
      messages.push({ role: 'tool', tool_call_id: item.call_id, content: item.output });
    } else if (item.role === 'assistant') {
      const last = answer();
      last.content =
        last.content === null ? item.content : `${String(last.content)}\n\n${String(item.content)}`;
    } else {
      messages.push({ role: String(item.role), content: partsOf(item.content) });
    }
  }
  return messages;
}

function partsOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return (content as Json[]).map((part) =>
    part.type === 'input_image'
      ? { type: 'image_url', image_url: { url: part.image_url } }
      : { type: 'text', text: part.text },
  );
}
