import { BROWSER_URL, DEMO_URL, GGUF_URL } from './origins.ts';
import type { ModelApi, PresetId } from './types/model.ts';
import { t } from '../locales/texts/shared.ts';

/** A provider that Portside knows: what to fill in for the user. How its wire differs stands in lib/models/request-quirks.ts. */
export type Preset = {
  id: PresetId;
  name: string;
  /** Up to and including the version; what stands in braces is the user's to replace. */
  baseUrl: string;
  /** Whether it answers only to a key. */
  key: 'required' | 'optional';
  /** Where the user gets one. */
  keyPage?: string;
  /** It runs on the user's own computer. */
  local?: true;
  /** How its keys begin, where no other provider's do. */
  keyPrefix?: RegExp;
  /** The models to begin with, of those it lists; the newest counts. */
  prefer?: RegExp;
  /** How it is asked unless the user chose otherwise; absent: by chat completions. */
  api?: ModelApi;
  /** It lists its models to anyone: that it does says nothing of a key. */
  listIsPublic?: true;
};

/** In the order in which they are offered. */
export const presets: readonly Preset[] = [
  { id: 'ollama', name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', key: 'optional', local: true },
  { id: 'lmstudio', name: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1', key: 'optional', local: true },
  { id: 'llamacpp', name: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1', key: 'optional', local: true },
  { id: 'vllm', name: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1', key: 'optional', local: true },
  {
    id: 'openai',
    name: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    key: 'required',
    keyPage: 'https://platform.openai.com/api-keys',
    keyPrefix: /^sk-(proj|svcacct|admin)-/,
    // Only there its models think on from one tool call to the next.
    api: 'responses',
    prefer: /^gpt-\d+(\.\d+)?$/,
  },
  {
    id: 'anthropic',
    name: 'Anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    key: 'required',
    keyPage: 'https://console.anthropic.com/settings/keys',
    keyPrefix: /^sk-ant-/,
    prefer: /sonnet/,
  },
  {
    id: 'google',
    name: 'Google',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    key: 'required',
    keyPage: 'https://aistudio.google.com/apikey',
    keyPrefix: /^AIza/,
    prefer: /^gemini-\d+(\.\d+)?-flash$/,
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    key: 'required',
    keyPage: 'https://openrouter.ai/keys',
    keyPrefix: /^sk-or-/,
    // A router over its free models, which every account can use (https://openrouter.ai/openrouter/free).
    prefer: /^openrouter\/free$/,
    listIsPublic: true,
  },
  {
    id: 'mistral',
    name: 'Mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    key: 'required',
    keyPage: 'https://console.mistral.ai/api-keys',
    prefer: /^mistral-medium-latest$/,
  },
  {
    id: 'deepseek',
    name: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com/v1',
    key: 'required',
    keyPage: 'https://platform.deepseek.com/api_keys',
  },
  {
    id: 'groq',
    name: 'Groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    key: 'required',
    keyPage: 'https://console.groq.com/keys',
    keyPrefix: /^gsk_/,
    prefer: /gpt-oss-120b$/,
  },
  {
    id: 'xai',
    name: 'xAI',
    baseUrl: 'https://api.x.ai/v1',
    key: 'required',
    keyPage: 'https://console.x.ai',
    keyPrefix: /^xai-/,
    prefer: /^grok-\d/,
  },
  {
    id: 'together',
    name: 'Together',
    baseUrl: 'https://api.together.xyz/v1',
    key: 'required',
    keyPage: 'https://api.together.ai/settings/api-keys',
  },
  {
    id: 'fireworks',
    name: 'Fireworks',
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    key: 'required',
    keyPage: 'https://app.fireworks.ai/settings/users/api-keys',
    keyPrefix: /^fw_/,
  },
  {
    id: 'azure',
    name: 'Azure OpenAI',
    baseUrl: 'https://{resource}.openai.azure.com/openai/v1',
    key: 'required',
    keyPage: 'https://portal.azure.com',
  },
  {
    id: 'browser',
    get name() {
      return t(($) => $.names.browserProvider);
    },
    baseUrl: BROWSER_URL,
    key: 'optional',
    local: true,
  },
  {
    id: 'gguf',
    get name() {
      return t(($) => $.names.ggufProvider);
    },
    baseUrl: GGUF_URL,
    key: 'optional',
    local: true,
  },
  {
    id: 'demo',
    get name() {
      return t(($) => $.names.demoProvider);
    },
    baseUrl: DEMO_URL,
    key: 'optional',
    local: true,
  },
  {
    id: 'custom',
    get name() {
      return t(($) => $.names.otherProvider);
    },
    baseUrl: '',
    key: 'optional',
  },
];

/** The provider that a key says it belongs to, by how it begins. */
export const presetOfKey = (key: string): Preset | undefined =>
  presets.find(({ keyPrefix }) => keyPrefix?.test(key));

/** How a provider is asked: as the user chose, else as its preset says. */
export const apiOf = ({ preset, api }: { preset: PresetId; api?: ModelApi | undefined }): ModelApi =>
  api ?? presets.find(({ id }) => id === preset)?.api ?? 'chat';

/** Names, which are the same in every language. */
export const API_NAMES: Record<ModelApi, string> = { chat: 'Chat Completions', responses: 'Responses' };
