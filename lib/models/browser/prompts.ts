import type { Prompt } from '../../language-model.ts';
import { isRecord, parseJson } from '../../json.ts';

/** What is read of a chat completion request. */
export type ChatRequest = { messages: ChatMessage[]; tools: ChatTool[]; toolChoice: string };

type ChatMessage = {
  role: string;
  content?: unknown;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
};

export type ChatTool = { name: string; description: string; parameters: Record<string, unknown> };

/** @throws Error that names the part of the request that is not as the API has it */
export function readChat({
  messages,
  tools = [],
  tool_choice,
  stream,
}: Record<string, unknown>): ChatRequest {
  if (!Array.isArray(messages) || messages.length === 0)
    throw new Error('messages: a list with at least one message.');
  if (stream !== true) throw new Error('stream: the browser’s model only streams; send true.');
  if (!Array.isArray(tools)) throw new Error('tools: a list.');
  return {
    messages: messages as ChatMessage[],
    tools: tools.map((tool: { function: Partial<ChatTool> }) => {
      const { name = '', description = '', parameters = {} } = tool.function;
      return { name, description, parameters };
    }),
    toolChoice: typeof tool_choice === 'string' ? tool_choice : 'auto',
  };
}

/**
 * A request as the Prompt API takes it: all that a session begins with, and what it is then prompted with. Where tools are
 * offered the model writes JSON (constraint.ts), so what it said before is given back as that.
 */
export function toPrompts(request: ChatRequest): { initial: Prompt[]; last: Prompt[] } {
  const { messages, tools } = request;
  const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? []);
  const names = new Map(calls.map((call) => [call.id, call.function.name]));
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => textOf(content));
  if (tools.length > 0) system.push(toolWords(request));
  const rest = messages
    .filter(({ role }) => role !== 'system')
    .map((message): Prompt => {
      const text = textOf(message.content);
      if (message.role === 'assistant')
        return { role: 'assistant', content: tools.length > 0 ? asJson(text, message.tool_calls) : text };
      if (message.role !== 'tool') return { role: 'user', content: text };
      const name = names.get(message.tool_call_id ?? '') ?? 'the tool';
      return { role: 'user', content: `Result of ${name}:\n${text}` };
    });
  const initial: Prompt[] = system.length > 0 ? [{ role: 'system', content: system.join('\n\n') }] : [];
  return { initial: [...initial, ...rest.slice(0, -1)], last: rest.slice(-1) };
}

function asJson(text: string, calls: ChatMessage['tool_calls'] = []): string {
  const said = text.trim() === '' ? [] : [{ answer: text }];
  const called = calls.map((call) => ({
    tool: call.function.name,
    arguments: parseJson(call.function.arguments) ?? {},
  }));
  return [...said, ...called].map((part) => JSON.stringify(part)).join('\n');
}

/** The form of an answer and the tools. The schema need not be sent as well then, which would take more of the context. */
function toolWords({ tools, toolChoice }: ChatRequest): string {
  const answer = 'Write JSON: {"answer": "what you say to the user, in Markdown"}';
  if (toolChoice === 'none') return `${answer}.`;
  const call = '{"tool": "its name", "arguments": {…}}';
  return [
    toolChoice === 'required'
      ? `Write JSON that calls a tool: ${call}. Its result comes as the next message. The tools:`
      : `${answer}, or, only where you need a tool: ${call}. Its result comes as the next message. The tools:`,
    ...tools.map(({ name, description, parameters }) => {
      const { properties } = parameters;
      const takes = isRecord(properties) && Object.keys(properties).length > 0 ? properties : {};
      return `- ${name}: ${description} Arguments: ${JSON.stringify(takes)}`;
    }),
  ].join('\n');
}

/** Pictures are never sent: the model's traits say that it sees none. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => (isRecord(part) && typeof part.text === 'string' ? part.text : ''))
    .join('\n');
}
