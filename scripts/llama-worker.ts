import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { RUNTIME } from '../lib/models/gguf/files.ts';

const fileOf = (path: string): string => fileURLToPath(import.meta.resolve(`@wllama/wllama/${path}`));

/** llama.cpp in WebAssembly, as the package has it. */
export const wasmFile = (): string => fileOf('esm/wasm/wllama.wasm');

/**
 * The worker that runs it, joined of the package's parts as its `moduleInit` (src/worker.ts) joins them at run time: it
 * starts that from a blob, which no page of an extension may.
 */
export async function llamaWorker(): Promise<string> {
  const source = await readFile(fileOf('src/workers-code/generated.ts'), 'utf8');
  const parts = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as {
    LLAMA_CPP_WORKER_CODE: string;
    WLLAMA_EMSCRIPTEN_CODE: string;
  };
  const options = { pathConfig: { 'wllama.wasm': `/${RUNTIME}` }, nbThread: 0, compat: false };
  const module = parts.WLLAMA_EMSCRIPTEN_CODE.replace('var Module', 'var ___Module');
  return [
    `const RUN_OPTIONS = ${JSON.stringify(options)};`,
    `function wModuleInit() { ${module}; return Module; }`,
    parts.LLAMA_CPP_WORKER_CODE,
  ].join(';\n\n');
}
