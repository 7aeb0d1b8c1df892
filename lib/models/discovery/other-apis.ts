import { isRecord } from '../json.ts';
import { t } from '../../../locales/texts/errors.ts';

/** What gives the replies of other APIs away; none of them has `choices`. */
const SIGNS: readonly {
  api: keyof Texts.Errors['errors']['models']['apis'];
  fits: (body: Record<string, unknown>) => boolean;
}[] = [
  {
    // https://platform.openai.com/docs/api-reference/responses-streaming
    api: 'responses',
    fits: ({ type, object }) => String(type).startsWith('response.') || object === 'response',
  },
  {
    // https://docs.claude.com/en/docs/build-with-claude/streaming
    api: 'anthropic',
    fits: ({ type }) => /^(message|message_(start|delta|stop)|content_block_\w+)$/.test(String(type)),
  },
  {
    // https://ai.google.dev/api/generate-content#generatecontentresponse
    api: 'gemini',
    fits: ({ candidates }) => Array.isArray(candidates),
  },
  {
    // https://github.com/ollama/ollama/blob/main/docs/api.md#generate-a-chat-completion
    api: 'ollama',
    fits: ({ done, message, response }) =>
      typeof done === 'boolean' && (isRecord(message) || typeof response === 'string'),
  },
];

/** The API that a reply, or a piece of it, belongs to when it is not that of chat completions. */
export function otherApiOf(body: Record<string, unknown>): string | undefined {
  if ('choices' in body) return undefined;
  const found = SIGNS.find(({ fits }) => fits(body));
  return found && t(($) => $.errors.models.apis[found.api]);
}
