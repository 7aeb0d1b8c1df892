/** What chat templates mark turns, roles, calls and thoughts with, by how it begins and what has to follow. */
const CONTROL_TOKENS = [
  // <|im_start|>, <|turn>, <turn|>, <｜User｜>: ChatML, Llama, Phi, Granite, Harmony, DeepSeek, Gemma
  '<(?=[|｜][^\\s<>]{1,64}>|[^\\s<>|｜]{1,64}[|｜]>)',
  // Llama 2, Gemma, Qwen, GLM, Seed, Nemotron, Ling, Reka, SmolVLM, Baichuan, TeleChat, MiniCPM, InternLM
  '<(?=<?/?(?:s|bos|eos|pad|unk|sop|eop|SYS|start_of_turn|end_of_turn|think|tool_call|tool_response|role|AI|用户|eo[hac]|start_of_image|TOKENS_UNUSED_\\d{1,4}|sep|end_of_utterance|extra_id_\\d{1,4}|reserved_\\d{1,4}|_(?:user|bot|end|system)|seed:[a-z_:]{1,40}|SPECIAL_\\d{1,4})>)',
  // Mistral, GLM, Pangu, EXAONE, MiniMax
  '\\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|THINK|ARGS|CALL_ID|gMASK|unused(?:_token_)?\\d{1,4}|SEP)\\]|\\|[^\\s[\\]|]{1,64}\\|\\]|e~\\[)',
  '\\](?=~!?b[[\\]])',
];
const CONTROL_TOKEN = new RegExp(CONTROL_TOKENS.join('|'), 'gi');

const AS_HTML: Record<string, string> = { '<': '&lt;', '[': '&#91;', ']': '&#93;' };

/**
 * The text with its control tokens written as HTML writes them: to a model they say the same, and do nothing. llama.cpp and
 * what builds on it read them as such wherever in a request they stand:
 * https://github.com/ggml-org/llama.cpp/discussions/9379, https://github.com/ollama/ollama/pull/17262
 */
export const withoutControlTokens = (text: string): string =>
  text.replaceAll(CONTROL_TOKEN, (bracket) => AS_HTML[bracket] ?? bracket);

/** JSON data with all its texts like that; the same object where there are none. */
export function withoutControlTokensIn<T extends object>(data: T): T {
  const written = JSON.stringify(data);
  const seen = withoutControlTokens(written);
  return seen === written ? data : (JSON.parse(seen) as T);
}
