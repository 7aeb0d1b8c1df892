/** Above this share of the context window the older part of a branch is summarised; the rest is the answer's room. */
export const FULL_CONTEXT = 0.8;

/** English prose takes about four bytes a token, JSON and code three; tokenizers differ. */
const BYTES_PER_TOKEN = 3.5;

/** About how many tokens the text takes. */
export const tokensOf = (text: string): number =>
  Math.ceil(new TextEncoder().encode(text).length / BYTES_PER_TOKEN);

/** About how many bytes of text so many tokens hold. */
export const bytesOfTokens = (tokens: number): number => Math.floor(tokens * BYTES_PER_TOKEN);
