import { isRecord, parseJson, recordOf, stringOf } from '../../json.ts';
import { choose, plainName, type ChosenCall, type ModelTool } from './choose.ts';

/** A message of a chat completion request, as far as the demo model reads it. */
export type ChatMessage = {
  role: string;
  content?: unknown;
  tool_calls?: { id: string; function: { name: string } }[];
  tool_call_id?: string;
};

export type Turn = { text: string; calls: ChosenCall[] };

const introduction = 'I am Portside’s demo model, a scripted stand-in for a real one.';
const openQuestion = 'I still need ';
const longestResult = 1500;
/** Characters of a question that are read: what takes it apart looks at each word beside each other. */
const longestQuestion = 4000;

/**
 * The demo model's whole mind: tool results are reported, a question is matched with a tool, anything else gets an
 * honest "I cannot". Pure.
 */
export function answer(asked: ChatMessage[], tools: ModelTool[]): Turn {
  const messages = isWordToCall(asked) ? asked.slice(0, -1) : asked;
  const last = messages.at(-1);
  if (last?.role === 'tool') return { text: `${introduction} ${reportResults(messages)}`, calls: [] };
  const meant = withoutOwn(tools, currentQuestion(messages, []));
  const question = currentQuestion(messages, meant);
  const choice = choose(question, meant);
  if (choice.type === 'calls' && choice.calls.some(({ name }) => plainName(name) !== name))
    return { text: '', calls: choice.calls };
  const attached = attachedTo(textOf(last?.content));
  if (attached !== undefined) return { text: `${introduction} ${attached}`, calls: [] };
  const own = meantOwnTool(question, meant);
  if (own !== undefined) return { text: '', calls: [{ name: own, arguments: {} }] };
  switch (choice.type) {
    case 'calls':
      return { text: '', calls: choice.calls };
    case 'ask': {
      const missing = choice.missing
        .map(({ name, hint }) => (hint ? `${name} (${hint})` : name))
        .join(' and ');
      return { text: `${introduction} ${openQuestion}${missing} to use ${choice.tool}.`, calls: [] };
    }
    case 'none':
      return { text: `${introduction} ${nothingFits(meant)}`, calls: [] };
  }
}

/** What the user said when they refused a call (lib/agent/context/for-model.ts) is no question to match with a tool. */
const isWordToCall = (messages: ChatMessage[]): boolean =>
  messages.at(-2)?.role === 'tool' && textOf(messages.at(-1)?.content).startsWith('To the call of ');

/** Portside's own tools are there for models that plan; here they are meant only when the question names them. */
function withoutOwn(tools: ModelTool[], question: string): ModelTool[] {
  return tools.filter(
    ({ name }) => !/^(?:read_more|search_tools|use_skill)$/.test(name) || question.includes(name),
  );
}

/** What people say where they mean one of Portside's own tools that needs no arguments. */
const sayings: readonly [saying: RegExp, tool: string][] = [
  [/\bselect(ed|ion)\b/i, 'read_selection'],
  [/\btabs\b/i, 'list_tabs'],
  [/\bpage\b/i, 'read_page'],
];

function meantOwnTool(question: string, tools: ModelTool[]): string | undefined {
  const isDeclined = /\b(?:not|don['’]t|never|without)\b/i.test(question);
  if (isDeclined || tools.some(({ name }) => question.includes(name))) return undefined;
  const offered = (tool: string): boolean => tools.some(({ name }) => name === tool);
  return sayings.find(([saying, tool]) => saying.test(question) && offered(tool))?.[1];
}

/** What others wrote stands in blocks (lib/agent/context/fence.ts), and what is attached before the question. */
const block = /<(external-\w+)(?: title="([^"]*)")?[^>]*>\n([^]*?)\n<\/\1>/g;

function attachedTo(content: string): string | undefined {
  const [first, ...more] = content.matchAll(block);
  if (!first) return undefined;
  const [, , title = '', text = ''] = first;
  const others = more.length > 0 ? ` and ${more.length} more` : '';
  return (
    `You attached “${title}”${others}. It begins: ${shortened(plain(text), 300)}\n\n` +
    'A real model would answer from it. Add one in Settings, under Models.'
  );
}

/** The last user message; together with the one before it when that one was answered with a question. */
function currentQuestion(messages: ChatMessage[], tools: ModelTool[]): string {
  const asked = messages
    .filter((message) => message.role === 'user')
    .map((message) =>
      textOf(message.content)
        .replace(/^[^]*<\/external-\w+>/, '')
        .slice(0, longestQuestion),
    );
  const question = asked.at(-1) ?? '';
  const before = messages.at(-2);
  const wasOpen = before?.role === 'assistant' && textOf(before.content).includes(openQuestion);
  return wasOpen && choose(question, tools).type === 'none' ? `${asked.at(-2) ?? ''} ${question}` : question;
}

function nothingFits(tools: ModelTool[]): string {
  if (tools.length === 0) return 'I was offered no tools, and without one I know nothing.';
  const names = tools.slice(0, 5).map((tool) => plainName(tool.name));
  const more = tools.length > names.length ? `, and ${tools.length - names.length} more` : '';
  const tries = tools.some(({ name }) => name === 'read_page')
    ? 'Ask “What time is it?” or “What is on this page?” to see one at work. '
    : '';
  return (
    `None of the ${tools.length} tools I was offered fits this question, and without one I know nothing. ` +
    `I can try: ${names.join(', ')}${more}. ${tries}For real answers add a model in Settings, under Models.`
  );
}

function reportResults(messages: ChatMessage[]): string {
  const first = messages.findLastIndex((message) => message.role !== 'tool') + 1;
  const calls = messages[first - 1]?.tool_calls ?? [];
  return messages
    .slice(first)
    .map((result) => {
      const name = calls.find((call) => call.id === result.tool_call_id)?.function.name ?? 'The tool';
      return reportResult(plainName(name), textOf(result.content).replaceAll(block, '$3'));
    })
    .join('\n\n');
}

function reportResult(tool: string, text: string): string {
  const error = errorOf(text);
  if (error !== undefined) return `${tool} failed: ${error}`;
  return text === ''
    ? `${tool} answered with nothing.`
    : `${tool} answered: ${shortened(text, longestResult)}`;
}

/** Of Markdown its words in one paragraph. */
const plain = (text: string): string =>
  text
    .replaceAll(/^\[[^\]]*\]$|^\s*(?:#+|[-*]|\d+\.)\s+/gm, '')
    .replaceAll(/[*_`]|\]\([^)]*\)|!?\[/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

const shortened = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}…` : text;

/** The text of a failed call, which reaches a model as `{"isError":true,"error":"…"}`. */
function errorOf(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined;
  const value = parseJson(text);
  if (!isRecord(value) || value['isError'] !== true) return undefined;
  return String('error' in value ? value['error'] : 'no reason given');
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: unknown) => stringOf(recordOf(part)['text'])).join('\n');
}
