import type {
  ChatCompletionMessageParam,
  ChatCompletionUserMessageParam,
} from 'openai/resources/chat/completions';
import type {
  ResponseCreateParamsStreaming,
  EasyInputMessage,
  ResponseFunctionToolCall,
  ResponseInputContent,
  ResponseInputItem,
  ResponseReasoningItem,
} from 'openai/resources/responses/responses';
import type { ChatSettings, ModelRequest, Traits } from '../../types/model.ts';
import type { OutputItem } from '../output-items.ts';
import type { Quirks } from '../request-quirks.ts';
import type { EchoedAnswer } from './wire-messages.ts';
import { type WireOptions, wireParts, withoutRefused } from './wire-request.ts';

/**
 * The body of a streamed response (https://platform.openai.com/docs/api-reference/responses/create) of what would be sent
 * as a chat completion. The server keeps nothing and runs no tools of its own: all that the model is to know is in it,
 * with its thoughts, which the server may encrypt. There is no place for sequences that stop an answer.
 * @param host of the server, which gets back what it put out
 */
export function toResponsesRequest(
  options: WireOptions,
  request: ModelRequest,
  host: string,
): ResponseCreateParamsStreaming {
  const { messages, tools, quirks } = wireParts(options, request, 'responses', host);
  const [first] = messages;
  const system = first?.role === 'system' && typeof first.content === 'string' ? first.content : undefined;
  const { tools: offered, ...choice } = tools;
  return withoutRefused(options.learned, {
    model: options.model,
    stream: true,
    store: false,
    ...(!quirks.plainThoughts && { include: ['reasoning.encrypted_content'] }),
    ...(system !== undefined && { instructions: system }),
    input: (system === undefined ? messages : messages.slice(1)).flatMap((message) =>
      inputOf(message, quirks),
    ),
    ...(offered && {
      // Unless told they are strict, which few schemas are fit for.
      tools: offered.map(({ function: { name, description = null, parameters = null } }) => ({
        type: 'function',
        name,
        description,
        parameters,
        strict: false,
      })),
    }),
    ...choice,
    ...responseSettings(request.settings ?? options.settings, options.traits, quirks),
  });
}

function responseSettings(
  { temperature, maxTokens, reasoningEffort: effort }: ChatSettings,
  { maxOutput = Infinity }: Traits,
  { summaries, noSummaries }: Quirks,
): Pick<ResponseCreateParamsStreaming, 'temperature' | 'max_output_tokens' | 'reasoning'> {
  const shows = summaries && !noSummaries && effort !== 'none';
  return {
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { max_output_tokens: Math.min(maxTokens, maxOutput) }),
    ...((effort ?? shows) && { reasoning: { ...(effort && { effort }), ...(shows && { summary: 'auto' }) } }),
  };
}

function inputOf(message: ChatCompletionMessageParam, quirks: Quirks): ResponseInputItem[] {
  switch (message.role) {
    case 'assistant':
      return outputOf(message, quirks);
    case 'tool':
      return [
        { type: 'function_call_output', call_id: message.tool_call_id, output: String(message.content) },
      ];
    case 'user':
      return [{ type: 'message', role: 'user', content: inputContent(message.content) }];
    default:
      return [{ type: 'message', role: 'system', content: String(message.content) }];
  }
}

function inputContent(content: ChatCompletionUserMessageParam['content']): EasyInputMessage['content'] {
  if (typeof content === 'string') return content;
  return content.flatMap((part): ResponseInputContent[] => {
    if (part.type === 'text') return [{ type: 'input_text', text: part.text }];
    if (part.type !== 'image_url') return [];
    return [{ type: 'input_image', image_url: part.image_url.url, detail: 'auto' }];
  });
}

/** An answer as it was put out: thoughts, texts and calls in their order; a text and calls that it does not tell of last. */
function outputOf(
  { content, tool_calls: called = [], output = [] }: EchoedAnswer,
  quirks: Quirks,
): ResponseInputItem[] {
  let text = typeof content === 'string' ? content : '';
  const calls = called.flatMap((call) => (call.type === 'function' ? [wireCall(call, quirks)] : []));
  const said = (words: string, phase?: unknown): EasyInputMessage[] => {
    text = '';
    const told: Pick<EasyInputMessage, 'phase'> =
      phase === 'commentary' || phase === 'final_answer' ? { phase } : {};
    return words === '' ? [] : [{ type: 'message', role: 'assistant', content: words, ...told }];
  };
  const items = output.flatMap((item): ResponseInputItem[] => {
    if (item.type === 'reasoning') return thought(item, quirks);
    if (item.type === 'message') return said(typeof item.text === 'string' ? item.text : text, item.phase);
    return calls.splice(0, 1);
  });
  items.push(...said(text), ...calls);
  // What a thought led to has to follow it.
  return items.slice(0, items.findLastIndex(({ type }) => type !== 'reasoning') + 1);
}

/** A thought that the server can read again: a summary alone refers to what it has not kept. */
function thought(item: OutputItem, { plainThoughts }: Quirks): ResponseInputItem[] {
  const { encrypted_content: encrypted, ...plain } = item;
  const sent = plainThoughts ? plain : item;
  const isWhole = (!plainThoughts && typeof encrypted === 'string') || Array.isArray(plain.content);
  return isWhole ? [sent as unknown as ResponseReasoningItem] : [];
}

function wireCall(
  { id, function: { name, arguments: args } }: { id: string; function: { name: string; arguments: string } },
  { itemIds }: Quirks,
): ResponseFunctionToolCall {
  return { type: 'function_call', call_id: id, name, arguments: args, ...(itemIds && { id: `fc_${id}` }) };
}
