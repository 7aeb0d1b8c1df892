const FIELDS = ['reasoning_content', 'reasoning', 'reasoning_text'] as const;

/** The thinking of one turn, as one channel. */
export type ReasoningChannel = {
  /** What a delta adds. */
  push: (delta: Record<string, unknown>) => string;
  text: () => string;
  /** The provider's own field, to echo: DeepSeek and Moonshot refuse a tool loop that lacks it. */
  raw: () => Record<string, unknown> | undefined;
};

/**
 * Servers name the field differently, and some send two names with the same text: the first one seen is the
 * channel for the whole turn. Thinking inside the text (`<think>`) would be split off here too.
 */
export function createReasoningChannel(): ReasoningChannel {
  let field: (typeof FIELDS)[number] | undefined;
  let text = '';
  return {
    push(delta) {
      field ??= FIELDS.find((name) => typeof delta[name] === 'string' && delta[name] !== '');
      const piece = field === undefined ? undefined : delta[field];
      if (typeof piece !== 'string') return '';
      text += piece;
      return piece;
    },
    text: () => text,
    raw: () => (field === undefined ? undefined : { [field]: text }),
  };
}
