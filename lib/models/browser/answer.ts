import {
  type Availability,
  BROWSER_MODEL,
  type Expectations,
  type LanguageModelApi,
  type LanguageModelSession,
  lookUpModel,
  type Prompt,
} from '../../language-model.ts';
import { newChunkBase } from '../reply/write-reply.ts';
import { constraintsOf, createConstrainedReader } from './constraint.ts';
import type { Asked, Told } from './messages.ts';
import { withOwnTools } from './own-tools.ts';
import { type ChatRequest, readChat, toPrompts } from './prompts.ts';

/** A session has no place for these; a refusal makes Portside leave them out, and say so where the user chose them. */
const UNSUPPORTED = ['temperature', 'max_tokens', 'reasoning_effort', 'stop'];

type Refused = Extract<Told, { type: 'refused' }>;

/** Creates a session that begins with these messages, with tools of the browser's own where it has them. */
type Create = (initialPrompts: Prompt[], own?: Expectations) => Promise<LanguageModelSession>;

/** Has the browser's model answer. Call it in a window. @throws once aborted */
export async function* answerAsked(
  api: LanguageModelApi | undefined,
  asked: Asked,
  signal: AbortSignal,
): AsyncGenerator<Told> {
  const { availability, expected } = await lookUpModel(api);
  if (!api || availability !== 'available') return yield missing(availability);
  const create: Create = async (initialPrompts, own = expected) =>
    api.create({ ...own, initialPrompts, signal });
  if (asked.type === 'list') return yield { type: 'models', list: [await listed(create)] };
  const name = UNSUPPORTED.find((parameter) => parameter in asked.body);
  if (name !== undefined) return yield unsupported(name);
  const request = readChat(asked.body);
  yield* answerChat(create, request, await withOwnTools(api, expected, request), signal);
}

/** How much it reads only a session tells. */
async function listed(create: Create): Promise<object> {
  const session = await create([]).catch(() => undefined);
  const window = session && windowOf(session);
  session?.destroy();
  return {
    id: BROWSER_MODEL,
    object: 'model',
    owned_by: 'browser',
    capabilities: { function_calling: true, vision: false, reasoning: false },
    ...(window !== undefined && { context_window: window }),
  };
}

async function* answerChat(
  create: Create,
  request: ChatRequest,
  own: Expectations | undefined,
  signal: AbortSignal,
): AsyncGenerator<Told> {
  const { initial, last } = toPrompts(request, own !== undefined);
  const base = newChunkBase(BROWSER_MODEL);
  const chunk = (delta: object, finish_reason: string | null = null): Told => ({
    type: 'chunk',
    chunk: { ...base, choices: [{ index: 0, delta, finish_reason }] },
  });
  let session: LanguageModelSession | undefined;
  let said = false;
  try {
    session = await create(initial, own);
    const asked = usedOf(session) + ((await session.measureContextUsage?.(last)) ?? NaN);
    const deltas = own ? plainDeltas(session, last, signal) : deltasOf(session, request, last, signal);
    let next = await deltas.next();
    for (; next.done !== true; next = await deltas.next()) {
      said = true;
      yield chunk(next.value);
    }
    yield chunk({}, next.value);
    const answered = Math.max(0, usedOf(session) - asked);
    const usage = { prompt_tokens: asked, completion_tokens: answered };
    if (!Number.isNaN(answered)) yield { type: 'chunk', chunk: { ...base, choices: [], usage } };
  } catch (error) {
    if (signal.aborted) throw error;
    const { name } = nameAndWords(error);
    if (name === 'NotReadableError') yield chunk({}, 'content_filter');
    // It had begun: the answer filled what was left.
    else if (said && name === 'QuotaExceededError') yield chunk({}, 'length');
    else yield refusalOf(error, session && windowOf(session));
  } finally {
    session?.destroy();
  }
}

/** The deltas where nothing constrains the answer: its text, and calls by the browser's own means. */
async function* plainDeltas(
  session: LanguageModelSession,
  last: Prompt[],
  signal: AbortSignal,
): AsyncGenerator<object, string> {
  let index = 0;
  for await (const piece of session.promptStreaming(last, { signal }))
    for (const part of [piece].flat()) {
      if (typeof part === 'string') yield { content: part };
      else if (part.type === 'text') yield { content: String(part.value) };
      else {
        const { name, arguments: args } = part.value as { name: string; arguments: unknown };
        yield callDelta(index++, name, JSON.stringify(args ?? {}));
      }
    }
  return index > 0 ? 'tool_calls' : 'stop';
}

const callDelta = (index: number, name: string, args: string): object => ({
  tool_calls: [
    { index, id: `call_${crypto.randomUUID()}`, type: 'function', function: { name, arguments: args } },
  ],
});

/** The deltas of a streamed completion; returns its `finish_reason`. */
async function* deltasOf(
  session: LanguageModelSession,
  request: ChatRequest,
  last: Prompt[],
  signal: AbortSignal,
): AsyncGenerator<object, string> {
  const constraints = constraintsOf(request);
  if (constraints.length === 0) return yield* plainDeltas(session, last, signal);
  const reader = createConstrainedReader();
  for await (const piece of constrained(session, last, constraints, signal)) {
    const content = reader.push(piece);
    if (content !== '') yield { content };
  }
  const ended = reader.end();
  if (ended.type === 'cut') return 'length';
  if (ended.type === 'answer') return 'stop';
  yield callDelta(0, ended.name, ended.arguments);
  return 'tool_calls';
}

/** The answer under the first of the constraints that the browser knows how to apply. */
async function* constrained(
  session: LanguageModelSession,
  last: Prompt[],
  [constraint, ...others]: object[],
  signal: AbortSignal,
): AsyncGenerator<string> {
  let came = false;
  try {
    const options = { signal, responseConstraint: constraint!, omitResponseConstraintInput: true };
    for await (const piece of session.promptStreaming(last, options)) {
      came = true;
      yield String(piece); // held to JSON it is text
    }
  } catch (error) {
    const mayPass = !came && others.length > 0 && nameAndWords(error).name === 'NotSupportedError';
    if (!mayPass) throw error;
    yield* constrained(session, last, others, signal);
  }
}

const missing = (availability: Availability): Refused => ({
  type: 'refused',
  status: 503,
  error: {
    code: availability === 'unavailable' ? 'browser_model_unavailable' : 'browser_model_not_downloaded',
    message: `LanguageModel.availability() is “${availability}”.`,
  },
});

const unsupported = (param: string): Refused => ({
  type: 'refused',
  status: 400,
  error: { code: 'unsupported_parameter', param, message: `“${param}” is not supported.` },
});

/** What a failure would be as a server's (https://webmachinelearning.github.io/prompt-api/#language-model-errors). */
function refusalOf(error: unknown, sessionWindow: number | undefined): Refused {
  const { name, words } = nameAndWords(error);
  const told = (status: number, code: string | null, message = words): Refused => ({
    type: 'refused',
    status,
    error: { code, message },
  });
  switch (name) {
    case 'QuotaExceededError': {
      const window = sessionWindow ?? (error as { quota?: number | null }).quota;
      const message = window ? `The maximum context length is ${window} tokens.` : words;
      return told(400, 'context_length_exceeded', message);
    }
    case 'NotAllowedError':
      return told(403, 'browser_model_unavailable');
    // A language that it does not know. That is no matter of a parameter, as a 400 would be.
    case 'NotSupportedError':
      return told(406, null);
    default:
      return told(503, null);
  }
}

function nameAndWords(error: unknown): { name: string; words: string } {
  if (!(error instanceof Error)) return { name: '', words: String(error) };
  return { name: error.name, words: error.message || error.name };
}

const windowOf = ({ contextWindow, inputQuota }: LanguageModelSession): number | undefined =>
  contextWindow ?? inputQuota;

const usedOf = ({ contextUsage, inputUsage }: LanguageModelSession): number =>
  contextUsage ?? inputUsage ?? NaN;
