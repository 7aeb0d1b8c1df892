import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionFunctionTool,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { ModelRequest, OfferedTool, ToolCallRequest } from '../types.ts';
import { repairHistory, type SoundMessage } from './history.ts';
import { isRecord, isWholeObject } from './json.ts';

/** The body of a streamed chat completion (https://platform.openai.com/docs/api-reference/chat/create). */
export function toWireRequest(model: string, request: ModelRequest): ChatCompletionCreateParamsStreaming {
  const history = repairHistory(request.messages);
  const turnStart = history.findLastIndex((message) => message.role === 'user');
  return {
    model,
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      ...(request.system ? [{ role: 'system' as const, content: request.system }] : []),
      ...history.flatMap((message, at) => toWireMessages(message, at > turnStart)),
    ],
    // Gemini refuses an empty list.
    ...(request.tools.length > 0 && { tools: request.tools.map(toWireTool) }),
  };
}

function toWireMessages(message: SoundMessage, ofThisTurn: boolean): ChatCompletionMessageParam[] {
  if (message.role === 'user') return [{ role: 'user', content: message.content }];
  const calls = message.answers.map(({ call }) => toWireCall(call));
  const assistant: ChatCompletionAssistantMessageParam = {
    // DeepSeek wants its reasoning back within a turn's tool loop, and its older models refuse it afterwards.
    ...(ofThisTurn && message.raw),
    role: 'assistant',
    content: message.content === '' ? null : message.content,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return [
    assistant,
    ...message.answers.map(({ call, content }) => ({
      role: 'tool' as const,
      tool_call_id: call.id,
      content,
    })),
  ];
}

function toWireCall(call: ToolCallRequest): ChatCompletionMessageFunctionToolCall {
  return {
    // Gemini refuses its own calls without their thought_signature.
    ...call.raw,
    id: call.id,
    type: 'function',
    function: {
      // What a model made up must not make every later request invalid: servers check names, and parse arguments.
      name: call.name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unknown',
      arguments: isWholeObject(call.arguments) ? call.arguments : '{}',
    },
  };
}

function toWireTool(tool: OfferedTool): ChatCompletionFunctionTool {
  const { properties } = tool.inputSchema;
  return {
    type: 'function',
    function: {
      name: tool.name,
      description: tool.description,
      // OpenAI refuses an object without properties.
      parameters: {
        ...tool.inputSchema,
        type: 'object',
        properties: isRecord(properties) ? properties : {},
      },
    },
  };
}
