import type { ModelApi } from '../../types/model.ts';
import { isRecord } from '../../json.ts';
import { t } from '../../../locales/texts/errors.ts';

/** What gives the replies of other APIs away; none of them has `choices`. */
const SIGNS: readonly {
  api: keyof Texts.Errors['errors']['models']['apis'];
  fits: (body: Record<string, unknown>) => boolean;
}[] = [
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

/** Which of the two APIs of OpenAI a reply, or a piece of it, belongs to (https://platform.openai.com/docs/api-reference). */
export function apiOfReply(body: Record<string, unknown>): ModelApi | undefined {
  if ('choices' in body) return 'chat';
  return String(body.type).startsWith('response.') || body.object === 'response' ? 'responses' : undefined;
}

/** The API that a reply, or a piece of it, belongs to when it is neither of them. */
export function otherApiOf(body: Record<string, unknown>): string | undefined {
  if ('choices' in body) return undefined;
  const found = SIGNS.find(({ fits }) => fits(body));
  return found && t(($) => $.errors.models.apis[found.api]);
}
