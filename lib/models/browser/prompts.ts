import type { Prompt, PromptPart } from '../../language-model.ts';
import { isRecord, parseJson, recordOf, stringOf } from '../../json.ts';
import { callPart, type ChatTool, resultPart } from './own-tools.ts';

export type ChatRequest = { messages: ChatMessage[]; tools: ChatTool[]; toolChoice: string };

type ChatMessage = {
  role: string;
  content?: unknown;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
};

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
 * offered and the browser has none of its own (own-tools.ts), the model writes JSON (constraint.ts), so what it said before
 * is given back as that.
 */
export function toPrompts(request: ChatRequest, hasOwnTools: boolean): { initial: Prompt[]; last: Prompt[] } {
  const { messages } = request;
  const writesJson = request.tools.length > 0 && !hasOwnTools;
  const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? []);
  const names = new Map(calls.map((call) => [call.id, call.function.name]));
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => textOf(content));
  if (writesJson) system.push(toolWords(request));
  const rest: Prompt[] = [];
  for (const { role, content, tool_calls, tool_call_id: id = '' } of messages) {
    const text = textOf(content);
    const name = names.get(id) ?? 'the tool';
    const before = rest.at(-1)?.content;
    if (role === 'assistant')
      rest.push({
        role,
        content: writesJson ? asJson(text, tool_calls) : hasOwnTools ? asParts(text, tool_calls) : text,
      });
    else if (role !== 'tool') {
      if (role !== 'system') rest.push({ role: 'user', content: text });
    } else if (!hasOwnTools) rest.push({ role: 'user', content: `Result of ${name}:\n${text}` });
    // The results of one answer's calls are one message.
    else if (rest.at(-1)?.role === 'user' && Array.isArray(before)) before.push(resultPart(id, name, text));
    else rest.push({ role: 'user', content: [resultPart(id, name, text)] });
  }
  const initial: Prompt[] = system.length > 0 ? [{ role: 'system', content: system.join('\n\n') }] : [];
  return { initial: [...initial, ...rest.slice(0, -1)], last: rest.slice(-1) };
}

function asParts(text: string, calls: ChatMessage['tool_calls'] = []): string | PromptPart[] {
  if (calls.length === 0) return text;
  const called = calls.map(({ id, function: { name, arguments: args } }) =>
    callPart(id, name, parseJson(args) ?? {}),
  );
  return [...(text.trim() === '' ? [] : [{ type: 'text' as const, value: text }]), ...called];
}

function asJson(text: string, calls: ChatMessage['tool_calls'] = []): string {
  const said = text.trim() === '' ? [] : [{ answer: text }];
  const called = calls.map((call) => ({
    tool: call.function.name,
    arguments: parseJson(call.function.arguments) ?? {},
  }));
  return [...said, ...called].map((part) => JSON.stringify(part)).join('\n');
}

/**
 * The form of an answer and the tools, each on a line: what one says of itself, a server's or a page's words, is no part of the
 * system prompt around it. The schema need not be sent as well then, which would take more of the context.
 */
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
      return `- ${name}: ${JSON.stringify(description)} Arguments: ${JSON.stringify(takes)}`;
    }),
  ].join('\n');
}

/** Pictures are never sent: the model's traits say that it sees none. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: unknown) => stringOf(recordOf(part).text)).join('\n');
}
