/**
 * What chat templates mark turns, roles, calls and thoughts with (ChatML, Llama, Gemma, Mistral, DeepSeek, Granite, Harmony …).
 * llama.cpp and what builds on it read them as such wherever in a request they stand:
 * https://github.com/ggml-org/llama.cpp/discussions/9379, https://github.com/ollama/ollama/pull/17262
 */
const CONTROL_TOKEN =
  /<(?=[|｜][^\s<>|｜]{1,64}[|｜]>|<\/?SYS>>|\/?(?:s|bos|eos|pad|unk|sop|eop|start_of_turn|end_of_turn|think|tool_call|tool_response)>)|\[(?=\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|THINK|ARGS|CALL_ID|gMASK)\])/gi;

/** The text with its control tokens written as HTML writes them: to a model they say the same, and do nothing. */
export const withoutControlTokens = (text: string): string =>
  text.replaceAll(CONTROL_TOKEN, (bracket) => (bracket === '<' ? '&lt;' : '&#91;'));
