/** The package's file of llama.cpp in WebAssembly. */
export const RUNTIME = 'llama.wasm';

/** What the frame that runs a model (entrypoints/gguf) is asked; what it answers comes on the port that comes along. */
export type FrameWork =
  | { type: 'load'; runtime: Blob; weights: Blob[]; context: number }
  | { type: 'chat'; body: Record<string, unknown> };

/** `done` or `failed` is the last. Any message to the frame on that port stops the answer. */
export type FrameTold =
  | { type: 'chunk'; chunk: object }
  | { type: 'done' }
  | { type: 'failed'; message: string };
