/** Files of the extension (scripts/llama-worker.ts): the runtime, and the worker that runs it. */
export const RUNTIME = 'llama.wasm';
export const WORKER = 'llama-worker.js';
