import { isRecord } from './json.ts';

/** What gives the replies of other APIs away; none of them has `choices`. */
const SIGNS: readonly { api: string; fits: (body: Record<string, unknown>) => boolean }[] = [
  {
    // https://platform.openai.com/docs/api-reference/responses-streaming
    api: 'the Responses API of OpenAI',
    fits: ({ type, object }) => String(type).startsWith('response.') || object === 'response',
  },
  {
    // https://docs.claude.com/en/docs/build-with-claude/streaming
    api: 'Anthropic’s Messages API',
    fits: ({ type }) => /^(message|message_(start|delta|stop)|content_block_\w+)$/.test(String(type)),
  },
  {
    // https://ai.google.dev/api/generate-content#generatecontentresponse
    api: 'Google’s Gemini API',
    fits: ({ candidates }) => Array.isArray(candidates),
  },
  {
    // https://github.com/ollama/ollama/blob/main/docs/api.md#generate-a-chat-completion
    api: 'Ollama’s own API',
    fits: ({ done, message, response }) =>
      typeof done === 'boolean' && (isRecord(message) || typeof response === 'string'),
  },
];

/** The API that a reply, or a piece of it, belongs to when it is not that of chat completions. */
export function otherApiOf(body: Record<string, unknown>): string | undefined {
  if ('choices' in body) return undefined;
  return SIGNS.find(({ fits }) => fits(body))?.api;
}
