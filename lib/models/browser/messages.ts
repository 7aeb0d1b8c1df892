import type { Refused } from '../reply/write-reply.ts';

/** Which model in the document is asked: the browser's own, one whose weights the user brought (lib/gguf), or the demo model. */
export type Inner = 'browser' | 'gguf' | 'demo';

/** What the worker asks of the document that has the model. */
export type Asked = { type: 'list' } | { type: 'chat'; body: Record<string, unknown> };

/** What comes back, in order; `end` is the last of a request that came to its end, whatever that was. */
export type Told =
  | { type: 'models'; list: object[] }
  /** A chunk of a streamed chat completion. */
  | { type: 'chunk'; chunk: object }
  | { type: 'refused'; status: number; error: Partial<Refused> & { message: string } }
  /** It works on it: loading a model and reading a long chat take a while. */
  | { type: 'alive' }
  | { type: 'end' };
