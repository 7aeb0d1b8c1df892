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

/** What stands for itself in a JSON text, however it is escaped there. */
const PLAIN = /[^"\\\p{Cc}\p{Cs}]/u;

/** A JSON text without control tokens, also once it is parsed. */
function withoutEscapedTokens(json: string): string {
  const plain = json.replaceAll(/\\(?:u([\da-f]{4})|[^])/gi, (escape, code = '') => {
    const unit = String.fromCharCode(Number.parseInt(code, 16));
    return escape === '\\/' ? '/' : code !== '' && PLAIN.test(unit) ? unit : escape;
  });
  const seen = withoutControlTokens(plain);
  return seen === plain ? json : seen;
}

/**
 * A message with all its texts like that; the same object where there are none. The arguments of its calls are JSON, which servers
 * parse, and whose texts their templates write out.
 */
export function withoutControlTokensIn<T extends object>(message: T): T {
  const isJson = (name: string, value: unknown): value is string =>
    name === 'arguments' && typeof value === 'string';
  const written = JSON.stringify(message);
  const seen = withoutControlTokens(
    JSON.stringify(message, (name, value: unknown) =>
      isJson(name, value) ? withoutEscapedTokens(value) : value,
    ),
  );
  return seen === written ? message : (JSON.parse(seen) as T);
}
