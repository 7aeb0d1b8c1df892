import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
  ChatCompletionUserMessageParam,
} from 'openai/resources/chat/completions';
import type { AssistantMessage, ToolCallRequest } from '../../types/message.ts';
import type { Picture } from '../../types/picture.ts';
import { MAX_ARGUMENTS } from '../../types/tools/tool-call.ts';
import type { Answer, SoundMessage } from './history.ts';
import { isWholeObject } from '../../json.ts';
import { pictureParts, resultPictureParts, withPictureNote } from './picture-parts.ts';
import { OUTPUT, outputFor, type OutputItem } from '../output-items.ts';
import type { Quirks } from '../request-quirks.ts';

export type MessageOptions = {
  model: string;
  quirks: Quirks;
  /** The model sees pictures. */
  sees: boolean;
  /** False: calls and results are told as text. */
  tools: boolean;
  /** Fields that the server refused. */
  dropped: string[];
  /** What is said last, as the user's. */
  hint?: string;
  /** Responses: where it goes. What a model put out is sent back to there only. */
  host?: string;
};

/** An answer with what the model put out for it, where that goes back (`toResponsesRequest`). */
export type EchoedAnswer = ChatCompletionAssistantMessageParam & { output?: OutputItem[] };

/** What stands between a tool's message and the user's where a server allows none directly after the other. */
const BRIDGE = 'Noted.';

/** A repaired history as a server takes it: neighbours of one role are one message, call ids are its own. */
export function toWireMessages(
  system: string | undefined,
  history: SoundMessage[],
  options: MessageOptions,
): ChatCompletionMessageParam[] {
  const { systemAsUser, bridgeAfterTool } = options.quirks;
  const newId = createIdMap(options.quirks);
  const turnStart = history.findLastIndex((message) => message.role === 'user');
  const messages: ChatCompletionMessageParam[] = [];
  const add = (message: ChatCompletionMessageParam) => {
    const last = messages.at(-1);
    const merged = last && merge(last, message);
    if (merged) messages[messages.length - 1] = merged;
    else {
      const bare = bridgeAfterTool && last?.role === 'tool' && message.role === 'user';
      messages.push(...(bare ? [{ role: 'assistant' as const, content: BRIDGE }] : []), message);
    }
  };

  if (system) add({ role: systemAsUser ? 'user' : 'system', content: system });
  for (const [at, each] of history.entries()) {
    if (each.role === 'user') add(question(each, options.sees));
    else {
      const echoes = options.quirks.allReasoning || (at > turnStart && !options.quirks.noReasoning);
      const write = options.tools ? exchange : toldExchange;
      for (const message of write(each, { ...options, newId, echoes })) add(message);
    }
  }
  if (options.hint) add({ role: 'user', content: options.hint });
  return messages;
}

type Context = MessageOptions & { newId: (id: string) => string; echoes: boolean };

/** What the user says; a picture follows the words that speak of it. */
function question(
  { content, pictures }: Extract<SoundMessage, { role: 'user' }>,
  sees: boolean,
): ChatCompletionUserMessageParam {
  if (pictures.length === 0 || !sees) {
    return { role: 'user', content: withPictureNote(content, pictures.length, false) };
  }
  const words: ChatCompletionContentPart[] = content === '' ? [] : [{ type: 'text', text: content }];
  return { role: 'user', content: [...words, ...pictureParts(pictures)] };
}

/** An assistant message and the results of its calls; their pictures follow as the user's. */
function exchange(
  { message, answers }: Extract<SoundMessage, { role: 'assistant' }>,
  context: Context,
): ChatCompletionMessageParam[] {
  const { quirks, sees } = context;
  const echoed = writtenBy(message, context.model);
  const calls = answers.map(({ call }) => wireCall(call, echoed, context));
  const assistant: EchoedAnswer = {
    ...(context.echoes && reasoningOf(message, echoed, context)),
    role: 'assistant',
    content: message.content.trim() !== '' ? message.content : quirks.textWithCalls ? '' : null,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const results = answers.map(({ content, pictures }, at) => ({
    role: 'tool' as const,
    tool_call_id: calls[at]?.id ?? '',
    content: withPictureNote(content, pictures.length, sees),
  }));
  return [assistant, ...results, ...pictureMessage(answers, sees)];
}

/** The same for a model that knows no tools. */
function toldExchange(
  { message, answers }: Extract<SoundMessage, { role: 'assistant' }>,
  { sees }: Context,
): ChatCompletionMessageParam[] {
  const calls = answers.map(({ call }) => `(Called ${wireName(call.name)} with ${wireArguments(call)})`);
  const results = answers.map(
    ({ call, content, pictures }) =>
      `(Result of ${wireName(call.name)})\n${withPictureNote(content, pictures.length, sees)}`,
  );
  return [
    {
      role: 'assistant',
      content: [message.content, ...calls].filter((text) => text.trim() !== '').join('\n'),
    },
    ...results.map((content) => ({ role: 'user' as const, content })),
    ...pictureMessage(answers, sees),
  ];
}

function pictureMessage(answers: Answer[], sees: boolean): ChatCompletionUserMessageParam[] {
  const pictures: Picture[] = sees ? answers.flatMap((answer) => answer.pictures) : [];
  return pictures.length === 0 ? [] : [{ role: 'user', content: resultPictureParts(pictures) }];
}

/** Only its own words make sense to a model; an unnamed message is taken for its own. */
function writtenBy(message: AssistantMessage, model: string): boolean {
  return message.model === undefined || message.model === model;
}

function reasoningOf(message: AssistantMessage, echoed: boolean, { quirks, dropped, host }: Context): object {
  if (host !== undefined) return echoed ? { output: outputFor(host, message.raw) } : {};
  const raw = echoed ? without(message.raw, [...dropped, OUTPUT]) : {};
  // A server that insists wants the field on every message, be it empty.
  return quirks.allReasoning ? { reasoning_content: message.reasoning ?? '', ...raw } : raw;
}

function wireCall(
  call: ToolCallRequest,
  echoed: boolean,
  { newId, dropped }: Context,
): ChatCompletionMessageFunctionToolCall {
  return {
    // Gemini refuses its own calls without their thought_signature; others refuse fields that are not theirs.
    ...(echoed && without(call.raw, dropped)),
    id: newId(call.id),
    type: 'function',
    function: { name: wireName(call.name), arguments: wireArguments(call) },
  };
}

/**
 * What a model made up must not make every later request invalid (servers parse arguments), nor as long as what was
 * refused for its length. The call's result says what was wrong.
 */
function wireArguments({ arguments: text }: ToolCallRequest): string {
  return text.length <= MAX_ARGUMENTS && isWholeObject(text) ? text : '{}';
}

/** A called name as servers take it, whatever the model made up. */
export function wireName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unknown';
}

function without(raw: Record<string, unknown> | undefined, dropped: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(raw ?? {}).filter(([name]) => !dropped.includes(name)));
}

/** Two neighbours as one message: many chat templates insist that the roles take turns. */
function merge(
  first: ChatCompletionMessageParam,
  second: ChatCompletionMessageParam,
): ChatCompletionMessageParam | undefined {
  if (first.role === 'user' && second.role === 'user') {
    return { role: 'user', content: joined(first.content, second.content) };
  }
  if (first.role === 'assistant' && second.role === 'assistant' && !first.tool_calls) {
    const texts = [first.content, second.content].filter((text) => typeof text === 'string' && text !== '');
    return { ...second, content: texts.join('\n\n') };
  }
  return undefined;
}

type UserContent = ChatCompletionUserMessageParam['content'];

function joined(first: UserContent, second: UserContent): UserContent {
  if (typeof first === 'string' && typeof second === 'string') return `${first}\n\n${second}`;
  const parts = (content: UserContent): ChatCompletionContentPart[] =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return [...parts(first), ...parts(second)];
}

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/**
 * Makes call ids fit a server, each unique within one request: servers use their ids again in every answer, and others
 * refuse the same id twice. The same history gives the same ids every time, so that prompt caches hit.
 */
function createIdMap({ nineCharIds, shortIds }: Quirks): (id: string) => string {
  const fits = nineCharIds ? /^[a-zA-Z0-9]{9}$/ : shortIds ? /^[a-zA-Z0-9_-]{1,40}$/ : /./s;
  const given = new Set<string>();
  let made = 0;
  return (id) => {
    let unique = id;
    while (!fits.test(unique) || given.has(unique)) unique = nineOf(made++);
    given.add(unique);
    return unique;
  };
}

/** Nine letters and digits, different for each of the first million numbers. */
function nineOf(number: number): string {
  const digits = Array.from({ length: 5 }, (_, at) => ALPHABET[Math.floor(number / 62 ** at) % 62]);
  return `call${digits.toReversed().join('')}`;
}
