import type { WireError } from './error.ts';
import type { Message, ToolCallRequest, Usage } from './message.ts';
import type { OfferedTool } from './tools/tool.ts';

/** Providers that Portside knows; `custom` is any other address that speaks the OpenAI API. */
export type PresetId =
  | 'openai'
  | 'anthropic'
  | 'google'
  | 'openrouter'
  | 'mistral'
  | 'deepseek'
  | 'groq'
  | 'xai'
  | 'together'
  | 'fireworks'
  | 'azure'
  | 'ollama'
  | 'lmstudio'
  | 'llamacpp'
  | 'vllm'
  | 'browser'
  | 'gguf'
  | 'demo'
  | 'custom';

/** How a provider is asked: the two APIs of OpenAI that others have, too. */
export const MODEL_APIS = ['chat', 'responses'] as const;
export type ModelApi = (typeof MODEL_APIS)[number];

/** US dollars for a million tokens. */
export type Price = { input: number; output: number; cached?: number };

/** What a model can do. What is absent is not known. */
export type Traits = {
  tools?: boolean;
  vision?: boolean;
  reasoning?: boolean;
  /** False for what a provider lists beside its chat models: embeddings, speech, pictures, moderation, reranking. */
  chat?: boolean;
  /** Tokens of request and answer together. */
  contextWindow?: number;
  /** What `contextWindow` could be, where its server gives the model less than it can read. */
  largestContext?: number;
  /** Tokens of one answer. */
  maxOutput?: number;
  price?: Price;
};

/** What can be said of a model's tokens, and of its dollars for a million of them. */
export const TOKEN_LIMITS: readonly [lowest: number, highest: number] = [1, 1_000_000_000];
export const PRICE_LIMITS: readonly [lowest: number, highest: number] = [0, 1_000_000];

/** What a model's refusals have taught, so that no request is refused twice for the same reason. */
export type Learned = {
  /** Request parameters that it does not take. */
  dropped?: string[];
  /** Parameters that it wants under another name, e.g. `max_tokens` as `max_completion_tokens`. */
  renamed?: Record<string, string>;
  /** Switches of the quirks table that its refusals turned on, by name. */
  quirks?: Record<string, boolean>;
  /** What it turned out not to be able to do, or how much it reads. */
  traits?: Pick<Traits, 'tools' | 'vision' | 'contextWindow'>;
};

/** A model of a provider. The key is both ids. */
export type ModelRow = {
  providerId: number;
  /** The provider's own name of it. */
  id: string;
  /** What the provider tells, or Portside's table knows. */
  found: Traits;
  /** What the user says instead. */
  chosen: Traits;
  learned: Learned;
  /** Whether the model picker lists it; absent: as Portside sees fit. */
  shown?: boolean;
  /** False when the provider no longer lists it. */
  present: boolean;
};

/** Least first. */
export const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high'] as const;
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

/** How a conversation's model is asked. What is absent is left to the model. */
export type ChatSettings = {
  system?: string;
  temperature?: number;
  /** Tokens of one answer at most. */
  maxTokens?: number;
  reasoningEffort?: ReasoningEffort;
  /** Whether the user's notes go along; absent: as they do in all chats. */
  memory?: boolean;
};

/** One request to a model: the whole history, oldest first, and the tools offered. */
export type ModelRequest = {
  system?: string;
  messages: Message[];
  tools: OfferedTool[];
  /** `none`: the answer must be text, whatever tools the history speaks of; `required`: it must be calls. */
  toolChoice?: 'auto' | 'required' | 'none';
  /** The answer ends where one of these would come. Most servers take four at most. */
  stopSequences?: string[];
  /** Asked with these instead of the conversation's: a request of Portside's own. */
  settings?: Omit<ChatSettings, 'system'>;
};

/** What a model streams. Exactly one `end` or `error` comes last; a model's failure is data, never a throw. */
export type ModelEvent =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /** A fragment of the arguments of the call at `position` (0-based, gapless, in order of first sight). */
  | { type: 'call'; position: number; name: string; arguments: string }
  | { type: 'end'; turn: ModelTurn }
  | { type: 'error'; error: WireError };

/** A whole assistant turn as accumulated from the deltas. */
export type ModelTurn = {
  content: string;
  reasoning?: string;
  toolCalls: ToolCallRequest[];
  usage?: Usage;
  raw?: Record<string, unknown>;
  /** Hosts of what the provider itself searched. */
  cited?: string[];
  /** What was left out of the request because the server refused it, each a sentence for the user. */
  notes?: string[];
  /** `length`: cut off at the output limit; the last call, which may be cut, is then not executed. */
  finish: 'stop' | 'length' | 'filtered';
};

/** A model bound to its provider. Aborting `signal` ends the stream with an `error` event of code `cancelled`. */
export type StreamModel = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;

/** A model as a provider lists it. */
export type FoundModel = { id: string; traits: Traits };

/** A model server that was looked for on this computer. */
export type LocalServer = {
  preset: 'ollama' | 'lmstudio' | 'llamacpp';
  baseUrl: string;
  /** `locked`: something answers there, but the browser does not let Portside read it yet. */
  state: 'found' | 'locked' | 'absent';
  models: FoundModel[];
};

/** What one tiny request with a tool showed. */
export type ModelTest = {
  totalMs: number;
  streams: boolean;
  /** It called the test tool as it was told. */
  calledTool: boolean;
  reasoned: boolean;
  usage?: Usage;
  traits: Traits;
  /** Why there is no answer; the rest then tells nothing. */
  error?: WireError;
};
