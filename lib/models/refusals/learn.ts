import type { Learned } from '../../types/model.ts';
import type { Failure } from './failure.ts';
import { isRecord } from '../../json.ts';
import type { Quirks } from '../request-quirks.ts';
import { innerError, readRefusal, type Refusal as Said } from './read-refusal.ts';
import {
  ABOUT_IMAGES,
  BAD_IMAGE,
  BAD_THOUGHT,
  DEMANDS,
  IN_RANGE,
  NO_IMAGES,
  NO_TOOLS,
  ONLY_DEFAULT,
  OTHER_VALUE,
  saysTooLong,
  UNSUPPORTED,
  WINDOW,
} from './refusal-patterns.ts';

/** What a refusal taught. */
export type Lesson = {
  /** All that is known now: what was, and what is new. */
  learned: Learned;
  /** True: the request, written again with `learned`, may pass. False: it has to become shorter first. */
  again: boolean;
  /** A line for the model, to go with the repetition (`WireOptions.hint`). */
  hint?: string;
  /** The pictures that were sent are to be left out from now on; others may pass. */
  withoutPictures?: true;
  /** The thoughts that were sent are to be left out from now on. */
  withoutThoughts?: true;
};

type Refusal = Said & { body: unknown };
type Sent = Record<string, unknown>;

const HINT =
  'Your last tool call could not be read. Call the tool again, by its exact name and with arguments that are one valid JSON object.';

/**
 * What a failed request teaches about its model; undefined when nothing new. A lesson changes the next request, and the
 * same refusal of that one teaches nothing, so repeating as long as there are lessons comes to an end; only a `hint` is
 * the caller's to give once.
 * @param sent the body that was refused
 */
export function learnFrom(failure: Failure, learned: Learned, sent: object): Lesson | undefined {
  if (failure.type === 'tool_use_failed') return { learned, again: true, hint: HINT };
  if (failure.type !== 'status' || !isRefusal(failure.status)) return undefined;
  const read = readRefusal(failure.status, failure.body);
  const refusal: Refusal = { ...read, message: read.message || failure.detail, body: failure.body };
  const body: Sent = { ...sent };
  return (
    windowLesson(refusal, learned, body) ??
    again(quirkLesson(refusal, learned)) ??
    pictureLesson(BAD_IMAGE.test(wordsOf(refusal)), learned, body) ??
    thoughtLesson(refusal, learned, body) ??
    again(traitLesson(refusal, learned, body)) ??
    again(parameterLesson(refusal, learned, body)) ??
    pictureLesson(failure.status === 413 || ABOUT_IMAGES.test(wordsOf(refusal)), learned, body)
  );
}

/** Statuses that speak of the request; llama.cpp says 500 and 501 where others say 400, OpenRouter 404. */
function isRefusal(status: number): boolean {
  return [400, 404, 413, 422, 500, 501].includes(status);
}

function again(learned: Learned | undefined): Lesson | undefined {
  return learned && { learned, again: true };
}

// ── Too long ──────────────────────────────────────────────────────────────────────────────────────────

const LEAST_WINDOW = 1_024;
/** Rough, and on the small side for anything but English, so that the loop makes enough room. */
const CHARACTERS_PER_TOKEN = 4;

function windowLesson(refusal: Refusal, learned: Learned, sent: Sent): Lesson | undefined {
  if (!saysTooLong(refusal) || speaksOfAnswer(refusal)) return undefined;
  const told = windowIn(refusal);
  const before = learned.traits?.contextWindow;
  const guess = Math.floor(JSON.stringify(sent).length / CHARACTERS_PER_TOKEN);
  // What we counted as fitting did not fit: count on less than what is told.
  const known =
    before !== undefined && before <= (told ?? guess) ? Math.floor(before * 0.8) : (told ?? guess);
  const contextWindow = Math.max(LEAST_WINDOW, known);
  return { learned: { ...learned, traits: { ...learned.traits, contextWindow } }, again: false };
}

/** How long an answer may be is no context window, though both count tokens. */
function speaksOfAnswer({ message, params }: Refusal): boolean {
  const words = [message, ...params].join(' ');
  return /max_(completion_)?tokens|output/i.test(words) && !/context/i.test(words);
}

function windowIn({ message, body }: Refusal): number | undefined {
  const { n_ctx } = innerError(body);
  // llama.cpp tells it in a field of its own.
  if (typeof n_ctx === 'number' && n_ctx > 0) return n_ctx;
  const digits = WINDOW.map((pattern) => pattern.exec(message)?.[1]).find((found) => found !== undefined);
  return digits === undefined ? undefined : Number(digits.replaceAll(',', '')) || undefined;
}

// ── Quirks, abilities ─────────────────────────────────────────────────────────────────────────────────

function quirkLesson({ message }: Refusal, learned: Learned): Learned | undefined {
  const demand = DEMANDS.find(({ words, quirks }) => words.test(message) && isNew(quirks, learned));
  return demand && { ...learned, quirks: { ...learned.quirks, ...demand.quirks } };
}

function isNew(quirks: Quirks, learned: Learned): boolean {
  return Object.entries(quirks).some(([name, value]) => learned.quirks?.[name] !== value);
}

function traitLesson(refusal: Refusal, learned: Learned, sent: Sent): Learned | undefined {
  const { message, params } = refusal;
  const traits = learned.traits ?? {};
  const refusesTools = NO_TOOLS.test(message) || (params.includes('tools') && isUnsupported(refusal));
  if (sent.tools !== undefined && traits.tools !== false && refusesTools) {
    return { ...learned, traits: { ...traits, tools: false } };
  }
  if (hasPictures(sent) && traits.vision !== false && NO_IMAGES.test(message)) {
    return { ...learned, traits: { ...traits, vision: false } };
  }
  return undefined;
}

/** One picture that a server can't read must not end a chat, of whose history it is a part. */
function pictureLesson(isAtFault: boolean, learned: Learned, sent: Sent): Lesson | undefined {
  return isAtFault && hasPictures(sent) ? { learned, again: true, withoutPictures: true } : undefined;
}

/** Thoughts that were encrypted by another account's key, or that their server no longer knows, must not end a chat. */
function thoughtLesson(refusal: Refusal, learned: Learned, { input }: Sent): Lesson | undefined {
  const hasThoughts =
    Array.isArray(input) && input.some((item) => isRecord(item) && item.type === 'reasoning');
  if (!hasThoughts || !BAD_THOUGHT.test(wordsOf(refusal))) return undefined;
  return { learned, again: true, withoutThoughts: true };
}

function wordsOf({ code, message }: Refusal): string {
  return `${code} ${message}`;
}

function hasPictures({ messages, input = messages }: Sent): boolean {
  return (
    Array.isArray(input) &&
    input.some((message: unknown) => isRecord(message) && Array.isArray(message.content))
  );
}

// ── Parameters ────────────────────────────────────────────────────────────────────────────────────────

/** Without these a request is none. */
const VITAL = new Set(['model', 'messages', 'input', 'stream', 'tools']);
/** Either name is refused somewhere; each is the other's way out. */
const TWINS: Record<string, string> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
};

function parameterLesson(refusal: Refusal, learned: Learned, sent: Sent): Learned | undefined {
  const { message } = refusal;
  if (!isUnsupported(refusal)) return undefined;
  const name = namedParameter(refusal, sent);
  if (name === undefined) return undefined;
  const twin = TWINS[name];
  if (twin !== undefined && message.includes(twin) && !learned.renamed?.[twin] && !learned.renamed?.[name]) {
    return { ...learned, renamed: { ...learned.renamed, [name]: twin } };
  }
  const entry = isValueOnly(refusal, sent[name]) ? `${name}=${String(sent[name])}` : name;
  if (learned.dropped?.includes(entry)) return undefined;
  return { ...learned, dropped: [...(learned.dropped ?? []), entry] };
}

/** One value that is refused says nothing about the others, unless the server wants none at all. */
function isValueOnly({ code, message }: Refusal, value: unknown): boolean {
  if (value === undefined || typeof value === 'object' || ONLY_DEFAULT.test(message)) return false;
  return code === 'unsupported_value' || OTHER_VALUE.test(message) || IN_RANGE.test(message);
}

function isUnsupported({ code, message }: Refusal): boolean {
  return UNSUPPORTED.test(code) || UNSUPPORTED.test(message);
}

/** The refused parameter: as the server names it (`body.stream_options.include_usage`), else one of ours in its words. */
function namedParameter({ params, message }: Refusal, sent: Sent): string | undefined {
  const named = params.map((path) => {
    const parts = path.split(/[^A-Za-z_]+/).filter((part) => part !== '' && part !== 'body');
    return VITAL.has(parts[0] ?? '') ? parts.at(-1) : parts[0];
  });
  const mentioned = Object.keys(sent).filter((name) => new RegExp(`\\b${name}\\b`).test(message));
  return [...named, ...mentioned].find((name) => name !== undefined && !VITAL.has(name));
}
