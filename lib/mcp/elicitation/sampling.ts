import type { Sampled, SamplingContent, SamplingMessage, SamplingRequest } from '../../types/request.ts';
import { blockList, inWords, toBlocks } from '../content/blocks.ts';
import { isRecord, listOf, recordOf } from '../../json.ts';
import { cut, isText, type Raw } from '../content/raw.ts';

const MOST_TOOLS = 200;
const MOST_STOPS = 16;
const DEFAULT_TOKENS = 1_024;
/** A character of a model's answer is more than that many tokens nowhere. */
const MOST_TOKENS = 1_000_000;

/** The params of `sampling/createMessage`, hostile data of bounded size (bounds.ts), as what the conversation's model is asked (MCP 2025-11-25, client/sampling). */
export function toSamplingRequest(params: Raw): SamplingRequest {
  const { systemPrompt, messages, tools, maxTokens, temperature, stopSequences } = params;
  const toolChoice = isRecord(params['toolChoice']) ? params['toolChoice']['mode'] : undefined;
  return {
    ...(isText(systemPrompt) && systemPrompt !== '' && { system: systemPrompt }),
    messages: listOf(messages).filter(isRecord).map(toMessage),
    tools: listOf(tools).slice(0, MOST_TOOLS).filter(isRecord).flatMap(toTool),
    ...((toolChoice === 'auto' || toolChoice === 'required' || toolChoice === 'none') && { toolChoice }),
    maxTokens: isCount(maxTokens) ? Math.min(maxTokens, MOST_TOKENS) : DEFAULT_TOKENS,
    ...(typeof temperature === 'number' && Number.isFinite(temperature) && { temperature }),
    ...(Array.isArray(stopSequences) && {
      stopSequences: stopSequences.filter((stop) => isText(stop) && stop !== '').slice(0, MOST_STOPS),
    }),
  };
}

/** `CreateMessageResult`. Without tools the specification has exactly one block of content. */
export function toSamplingResult({ model, content, stopReason }: Sampled, hasTools: boolean): Raw {
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  return {
    role: 'assistant',
    model,
    content: hasTools && content.length > 0 ? content : { type: 'text', text },
    stopReason,
  };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function toMessage(message: Raw): SamplingMessage {
  const role = message['role'] === 'assistant' ? 'assistant' : 'user';
  return { role, content: [message['content']].flat().map(toContent) };
}

function toContent(part: unknown): SamplingContent {
  if (isRecord(part) && part['type'] === 'tool_use' && isText(part['id']) && isText(part['name'])) {
    const input = recordOf(part['input']);
    return { type: 'tool_use', id: part['id'], name: part['name'], input };
  }
  if (isRecord(part) && part['type'] === 'tool_result' && isText(part['toolUseId'])) {
    const words = toBlocks(blockList(part['content'])).map((block) => inWords(block));
    if (words.length === 0 && part['structuredContent'] !== undefined) {
      words.push(JSON.stringify(part['structuredContent']));
    }
    return {
      type: 'tool_result',
      toolUseId: part['toolUseId'],
      text: words.join('\n'),
      isError: part['isError'] === true,
    };
  }
  const [block] = toBlocks([part]);
  if (block?.type === 'image' || block?.type === 'audio') return block;
  return { type: 'text', text: block ? inWords(block) : '' };
}

function toTool(tool: Raw): SamplingRequest['tools'] {
  const { name, description, inputSchema } = tool;
  if (!isText(name) || name === '') return [];
  return [
    {
      name,
      description: cut(description, 50_000),
      inputSchema: isRecord(inputSchema) ? inputSchema : { type: 'object' },
    },
  ];
}
