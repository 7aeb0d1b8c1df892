import { AppError, errorForModel, fromWire } from '../errors.ts';
import type { Message, Usage } from '../types/message.ts';
import type { Picture } from '../types/picture.ts';
import type { ChatSettings, ModelRequest, ModelTurn, StreamModel } from '../types/model.ts';
import type { Sampled, SamplingContent, SamplingMessage, SamplingRequest } from '../types/request.ts';
import type { OfferedTool } from '../types/tools/tool.ts';
import { visibleDefinition, visibleOnly } from '../invisible.ts';
import { isRecord, parseJson } from '../json.ts';
import { wireName } from './request/wire-messages.ts';
import { t } from '../../locales/texts/errors.ts';

export type SamplingOptions = {
  model: StreamModel;
  /** The provider's name of the model, which the server is told. */
  modelName: string;
  /** Tokens of one answer at most, whatever the server asks for. */
  maxTokens: number;
  reasoningEffort?: ChatSettings['reasoningEffort'];
  /** What the provider counted. */
  onUsage: (usage: Usage) => void;
};

/**
 * Asks the model what a server wants to know, once, in the server's words only (spec 2025-11-25, client/sampling). None
 * of them is fenced: the user saw the request as the server's, and nothing of a chat is in it. What is invisible, which
 * they can't have meant to allow, is taken out.
 * @throws AppError the model's failure; `cancelled` when the signal aborts
 */
export async function sample(
  { model, modelName, maxTokens, reasoningEffort, onUsage }: SamplingOptions,
  { system, messages, tools, toolChoice, temperature, stopSequences, ...asked }: SamplingRequest,
  signal: AbortSignal,
): Promise<Sampled> {
  const names = namesOfCalls(messages);
  const request: ModelRequest = {
    ...(system !== undefined && { system: visibleOnly(system) }),
    messages: messages.flatMap((message, at) => toMessages(message, at, names)),
    tools: tools.map(toTool),
    ...(toolChoice && { toolChoice }),
    ...(stopSequences && { stopSequences }),
    settings: {
      maxTokens: Math.min(asked.maxTokens, maxTokens),
      ...(temperature !== undefined && { temperature: Math.min(2, Math.max(0, temperature)) }),
      ...(reasoningEffort && { reasoningEffort }),
    },
  };
  for await (const event of model(request, signal)) {
    if (event.type === 'error') throw fromWire(event.error);
    if (event.type !== 'end') continue;
    if (event.turn.usage) onUsage(event.turn.usage);
    return { model: modelName, ...sampledFrom(event.turn, tools) };
  }
  throw new Error('The model’s stream ended without a word about how.');
}

/** The server's tools are no others' and are never called here. Models take fewer characters in a name than MCP does. */
function toTool({ name: toolName, description, inputSchema }: SamplingRequest['tools'][number]): OfferedTool {
  const name = wireName(toolName);
  const tool = { name, toolName, serverId: null, serverName: '', description, inputSchema, annotations: {} };
  return visibleDefinition(tool);
}

type Block<T extends SamplingContent['type']> = Extract<SamplingContent, { type: T }>;

const only = <T extends SamplingContent['type']>(content: SamplingContent[], type: T): Block<T>[] =>
  content.filter((block): block is Block<T> => block.type === type);

function namesOfCalls(messages: SamplingMessage[]): Map<string, string> {
  const calls = messages.flatMap(({ content }) => only(content, 'tool_use'));
  return new Map(calls.map(({ id, name }) => [id, name]));
}

/** A message as the rows that `StreamModel` takes: results first, since they answer the message before. */
function toMessages({ role, content }: SamplingMessage, at: number, names: Map<string, string>): Message[] {
  const base = {
    id: `sampling.${at}`,
    conversationId: '',
    parentId: null,
    seq: at,
    sub: 0,
    timestamp: new Date(0).toISOString(),
    status: 'complete',
  } as const;
  const words = content.flatMap((block) => inWords(block, role)).join('\n');
  if (role === 'assistant') {
    const calls = only(content, 'tool_use').map(({ id, name, input }) => {
      return { id, name, arguments: JSON.stringify(input) };
    });
    return [{ ...base, role, runId: '', content: words, ...(calls.length > 0 && { tool_calls: calls }) }];
  }
  const results = only(content, 'tool_result').map(({ toolUseId, text, isError }): Message => ({
    ...base,
    role: 'tool',
    tool_call_id: toolUseId,
    name: names.get(toolUseId) ?? '',
    content: isError ? errorForModel(visibleOnly(text)) : visibleOnly(text),
  }));
  const pictures = only(content, 'image').map(({ data, mimeType }): Picture => ({ data, mimeType }));
  if (words === '' && pictures.length === 0) return results;
  return [...results, { ...base, role, content: words, ...(pictures.length > 0 && { pictures }) }];
}

/** What chat completions take as text; of a model's own pictures, and of sound, only that there was some. */
function inWords(block: SamplingContent, role: SamplingMessage['role']): string[] {
  if (block.type === 'text') return [visibleOnly(block.text)];
  if (block.type === 'audio') return ['(A sound recording, left out: it can’t be sent to this model.)'];
  if (block.type === 'image' && role === 'assistant') return ['(A picture.)'];
  return [];
}

function sampledFrom(
  { content, toolCalls, finish }: ModelTurn,
  tools: SamplingRequest['tools'],
): Omit<Sampled, 'model'> {
  const names = new Map(tools.map(({ name }) => [wireName(name), name]));
  // The last call of an answer that was cut off may be half of what was meant.
  const whole = finish === 'stop' ? toolCalls : toolCalls.slice(0, -1);
  const calls = whole.map(({ id, name, arguments: text, broken }): Block<'tool_use'> => {
    const input = text.trim() === '' ? {} : parseJson(text);
    if (broken || !isRecord(input)) throw badCall(name);
    return { type: 'tool_use', id, name: names.get(name) ?? name, input };
  });
  const stopReason = finish === 'length' ? 'maxTokens' : calls.length > 0 ? 'toolUse' : 'endTurn';
  const text = content.trim() === '' ? [] : [{ type: 'text' as const, text: content }];
  return { content: [...text, ...calls], stopReason };
}

function badCall(name: string): AppError {
  return new AppError({
    code: 'model_bad_call',
    ...t(($) => $.errors.models.unreadableCall, { name: name.slice(0, 64) }),
    retryable: true,
  });
}
