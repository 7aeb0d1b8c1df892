import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionFunctionTool,
} from 'openai/resources/chat/completions';
import type { ChatSettings, Learned, ModelApi, ModelRequest, PresetId, Traits } from '../../types/model.ts';
import type { OfferedTool } from '../../types/tools/tool.ts';
import { repairHistory, type SoundMessage } from './history.ts';
import { isRecord } from '../../json.ts';
import { type Quirks, quirksFor } from '../request-quirks.ts';
import { type Dialect, toolSchema } from './schema.ts';
import { toWireMessages, wireName } from './wire-messages.ts';

export type WireOptions = {
  preset: PresetId;
  model: string;
  traits: Traits;
  settings: ChatSettings;
  /** Without what the user says otherwise (`withoutSaid`), but with what has been refused since. */
  learned: Learned;
  /** A line for the model at the end: why its last answer is asked for again. */
  hint?: string;
};

/** More are refused (https://platform.openai.com/docs/api-reference/chat/create#chat-create-stop). */
const MAX_STOPS = 4;

/**
 * The body of a streamed chat completion (https://platform.openai.com/docs/api-reference/chat/create), as this model of
 * this provider takes it: after the table of request-quirks.ts and what its refusals taught.
 */
export function toWireRequest(
  options: WireOptions,
  request: ModelRequest,
): ChatCompletionCreateParamsStreaming {
  const { model, traits, settings, learned } = options;
  const { messages, tools, quirks } = wireParts(options, request, 'chat');
  return withoutRefused(learned, {
    model,
    stream: true,
    ...(!quirks.noStreamOptions && { stream_options: { include_usage: true } }),
    messages,
    ...tools,
    ...wireSettings(request.settings ?? settings, traits, quirks),
    ...(request.stopSequences?.length && { stop: request.stopSequences.slice(0, MAX_STOPS) }),
  });
}

/** What both APIs are sent, as chat completions have it. @param host where it goes, by the Responses API */
export function wireParts(
  { preset, model, traits, learned, hint }: WireOptions,
  request: ModelRequest,
  api: ModelApi,
  host?: string,
) {
  const quirks = quirksFor(preset, model, learned, api);
  const able = { ...traits, ...falseOf(learned.traits) };
  const history = repairHistory(request.messages);
  const messages = toWireMessages(request.system, history, {
    model,
    quirks,
    sees: able.vision === true,
    tools: able.tools !== false,
    dropped: learned.dropped ?? [],
    ...(hint !== undefined && { hint }),
    ...(host !== undefined && { host }),
  });
  return { messages, tools: able.tools === false ? {} : wireTools(request, history, quirks), quirks };
}

/** Tools that no server takes; requests go without them. */
export function unfitTools(tools: OfferedTool[]): OfferedTool[] {
  return tools.filter((tool) => !isFit(tool));
}

function isFit({ name, inputSchema }: OfferedTool): boolean {
  return /^[a-zA-Z0-9_-]{1,64}$/.test(name) && isRecord(inputSchema) && takesObject(inputSchema.type);
}

/** A call's arguments are an object; a schema of anything else can't be met. */
function takesObject(type: unknown): boolean {
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
}

/** What was refused weighs more than what is known of the model otherwise. */
function falseOf(learned: Learned['traits'] = {}): Traits {
  return {
    ...(learned.tools === false && { tools: false }),
    ...(learned.vision === false && { vision: false }),
  };
}

/** The tools offered; where a history has calls but nothing is offered, the tools it speaks of, not to be called. */
function wireTools(
  request: ModelRequest,
  history: SoundMessage[],
  quirks: Quirks,
): { tools?: ChatCompletionFunctionTool[]; tool_choice?: 'none' | 'required' } {
  const dialect: Dialect = quirks.geminiSchemas ? 'gemini' : 'plain';
  const offered = request.tools.filter(isFit).map((tool) => wireTool(tool, dialect));
  const tools = offered.length > 0 ? offered : toolsOf(history);
  // Gemini refuses an empty list.
  if (tools.length === 0) return {};
  const choice = offered.length === 0 ? 'none' : (request.toolChoice ?? 'auto');
  return { tools, ...(choice !== 'auto' && { tool_choice: choice }) };
}

function wireTool(tool: OfferedTool, dialect: Dialect): ChatCompletionFunctionTool {
  const parameters = toolSchema(tool.inputSchema, dialect);
  return { type: 'function', function: { name: tool.name, description: tool.description, parameters } };
}

function toolsOf(history: SoundMessage[]): ChatCompletionFunctionTool[] {
  const names = history.flatMap((message) =>
    message.role === 'assistant' ? message.answers.map(({ call }) => wireName(call.name)) : [],
  );
  return [...new Set(names)].map((name) => ({
    type: 'function',
    function: {
      name,
      description: 'No longer available.',
      parameters: { type: 'object', properties: {} },
    },
  }));
}

function wireSettings(
  { temperature, maxTokens, reasoningEffort }: ChatSettings,
  { maxOutput = Infinity }: Traits,
  quirks: Quirks,
): object {
  return {
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && {
      [quirks.maxCompletionTokens ? 'max_completion_tokens' : 'max_tokens']: Math.min(maxTokens, maxOutput),
    }),
    ...(reasoningEffort !== undefined &&
      (quirks.nestedEffort
        ? { reasoning: { effort: reasoningEffort } }
        : { reasoning_effort: reasoningEffort })),
  };
}

/** Without these a request is none. */
const VITAL = new Set(['model', 'messages', 'input', 'stream']);

/** Leaves out and renames what the server refused; `name=value` stands for that value only. */
export function withoutRefused<Body extends object>(
  { dropped = [], renamed = {} }: Learned,
  body: Body,
): Body {
  const kept = Object.entries(body)
    .map(([name, value]): [string, unknown] => [renamed[name] ?? name, value])
    .filter(([name, value]) => !dropped.includes(`${name}=${String(value)}`))
    .filter(([name]) => VITAL.has(name) || !dropped.includes(name));
  return Object.fromEntries(kept) as Body;
}
