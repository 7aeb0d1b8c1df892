import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LanguageModelApi } from '../../../lib/language-model.ts';

/**
 * The extension with a `LanguageModel` in its pages that no browser without a graphics card has: a copy whose pages begin
 * with a script that puts it there. What it has downloaded, and what tests wait for, is in the extension's localStorage.
 */
export function withLanguageModel(extension: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'portside-model-'));
  cpSync(extension, copy, { recursive: true });
  writeFileSync(join(copy, 'fake-model.js'), `(${putModel.toString()})();`);
  for (const name of ['offscreen.html', 'sidepanel.html', 'options.html']) {
    const page = join(copy, name);
    const html = readFileSync(page, 'utf8');
    writeFileSync(page, html.replace('<head>', '<head><script src="/fake-model.js"></script>'));
  }
  return copy;
}

/** Runs in the extension's pages. */
function putModel(): void {
  const { localStorage: kept } = globalThis;
  const until = async (key: string, signal: AbortSignal | undefined): Promise<void> => {
    while (kept.getItem(key) === null) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (signal?.aborted) {
        kept.setItem(`no ${key}`, 'yes');
        throw signal.reason;
      }
    }
  };
  const api: LanguageModelApi = {
    availability: async () => (kept.getItem('downloaded') === null ? 'downloadable' : 'available'),
    async create({ monitor, signal, tools }) {
      const of = new EventTarget();
      const progress = (loaded: number): boolean =>
        of.dispatchEvent(new ProgressEvent('downloadprogress', { loaded, total: 1 }));
      monitor?.(of);
      if (kept.getItem('downloaded') === null) {
        if (!navigator.userActivation.isActive)
          throw new DOMException('Requires a user gesture.', 'NotAllowedError');
        progress(0.4);
        await until('go', signal);
        progress(1);
        kept.setItem('downloaded', 'yes');
      }
      return {
        contextUsage: 10,
        contextWindow: 9216,
        destroy() {},
        async *promptStreaming(last, { signal: stop, responseConstraint }) {
          const said = last.at(-1)?.content ?? '';
          const content = typeof said === 'string' ? said : JSON.stringify(said);
          if (tools) {
            const [, found] = /"text","value":"[^"]* (\d{4}) /.exec(content) ?? [];
            if (found !== undefined) return yield `By its own means: ${found}.`;
            const name = tools.find((tool) => tool.name === 'current_time') ? 'current_time' : 'search_tools';
            const value = { name, arguments: name === 'search_tools' ? { query: 'current time' } : {} };
            return yield [{ type: 'tool-call', value }];
          }
          if (!responseConstraint) return yield 'A chat';
          const text = JSON.stringify(responseConstraint);
          const asked = (tool: string, args: object): string => JSON.stringify({ tool, arguments: args });
          if (content.startsWith('Result of current_time')) {
            yield '{"answer": "It is';
            if (kept.getItem('slow') !== null) await until('answer', stop);
            yield ` ${/ (\d{4}) /.exec(content)?.[1]}."}`;
          } else if (text.includes('"current_time"')) yield asked('current_time', {});
          else yield asked('search_tools', { query: 'current time' });
        },
      };
    },
  };
  Object.defineProperty(globalThis, 'LanguageModel', { value: api });
  if (kept.getItem('own tools') === null) return;
  function Value(this: object, of: object): void {
    Object.assign(this, of);
  }
  Object.assign(globalThis, { LanguageModelToolCall: Value, LanguageModelToolSuccess: Value });
}
