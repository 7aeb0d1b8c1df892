import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findText } from './find-text.ts';

/** Files and folders whose text is not translated, and why. */
const untranslated: Record<string, string> = {
  'entrypoints/gallery': 'made-up chats, servers and models, for developers',
  'lib/runs/commands/app-calls.ts': 'why a call of an app has no result: goes to the app',
  'lib/state/apps': 'why an app gets no answer: goes to the app',
  'lib/tools': 'definitions and results of built-in tools, and why arguments do not fit: for the model',
  'lib/agent/arguments.ts': 'why a call was not executed, for the model',
  'lib/agent/context/attached.ts': 'marks around what is attached, for the model',
  'lib/agent/context/fence.ts': 'what a block is, for the model',
  'lib/agent/context/for-model.ts': 'marks of a summary and of the user’s words, for the model',
  'lib/agent/ledger.ts': 'why a call was not executed, for the model',
  'lib/agent/refusals.ts': 'why a call was not executed, for the model',
  'lib/agent/context/readable-pictures.ts': 'stands in a result in a picture’s place, for the model',
  'lib/agent/context/result-text.ts': 'stands in a result for what was cut, for the model',
  'lib/agent/context/summary.ts': 'the prompt for a summary',
  'lib/agent/context/system-prompt.ts': 'a system prompt',
  'lib/agent/title.ts': 'the prompt for a title',
  'lib/agent/context/transcript.ts': 'what is summed up, for the model',
  'lib/files/docx.ts': 'part of a file’s text, for the model',
  'lib/files/pdf.ts': 'part of a file’s text, for the model',
  'lib/invisible.ts': 'what was taken out of a text, for the model',
  'lib/mcp/calls/call.ts': 'results of calls, for the model',
  'lib/mcp/calls/skills.ts': 'stands for a file that is no text, for the model',
  'lib/mcp/content': 'stands in a result for what is no text, for the model',
  'lib/mcp/calls/outcome.ts': 'results of calls, for the model',
  'lib/mcp/tasks': 'results of calls, for the model',
  'lib/mcp/elicitation': 'why a server gets no answer: goes to the server',
  'lib/models/refusals/classify.ts': 'what the openai package says, to be recognised',
  'lib/models/browser': 'prompts, and what the browser’s model answers as a server would',
  'lib/models/gguf': 'what a model in a frame answers as a server would',
  'lib/models/reply/write-reply.ts': 'the wire of such an answer',
  'lib/models/demo': 'what the demo model says, as any model would',
  'lib/models/request/history.ts': 'stands for a result that is missing, for the model',
  'lib/models/refusals/learn.ts': 'asks a model to repeat its call',
  'lib/models/request/picture-parts.ts': 'stands beside pictures, for the model',
  'lib/models/sampling.ts': 'stands for sounds, for the model',
  'lib/models/request/schema-gemini.ts': 'part of a schema, for the model',
  'lib/models/discovery/test-model.ts': 'the prompt and the tool of a test',
  'lib/models/request/wire-messages.ts': 'calls and results as text, for the model',
  'lib/models/request/wire-request.ts': 'the description of a tool that is gone, for the model',
  'lib/types/default-system.ts': 'a system prompt',
  'lib/server-presets.ts': 'names of products',
  'lib/import/formats': 'names of products, and markup of their exports',
  'lib/types/languages.ts': 'languages, as they call themselves',
  'entrypoints/background/models/browser-model.ts':
    'why the browser’s model does not answer, as a server would say it',
  'entrypoints/background/page/offscreen.ts': 'why the document is there: goes to the browser',
  'entrypoints/background/tools/permission/call-permission.ts': 'why a call was not executed, for the model',
  'entrypoints/background/tools/permission/call-refusals.ts': 'why a call was not executed, for the model',
  'entrypoints/background/servers/sampling.ts': 'why a server gets no answer: goes to the server',
  'entrypoints/background/tools/call-files.ts': 'which files a call may give to a page, for the model',
  'entrypoints/background/tools/tabs/dialogs.ts':
    'what pages’ dialogs said, and how they were answered, for the model',
  'entrypoints/background/tools/skills.ts': 'what came of a call to a skill, for the model',
  'entrypoints/background/tools/tabs/page-actions.ts': 'what came of an action in a page, for the model',
  'entrypoints/background/tools/tabs/action-outcome.ts': 'what came of an action in a page, for the model',
  'entrypoints/background/tools/page-tools.ts':
    'around what a page says, and why a call has no result, for the model',
  'entrypoints/background/tools/live-tools.ts': 'what the model is told of tools that pages and apps offer',
  'entrypoints/background/apps/app-tools.ts': 'what the model is told of tools that apps offer',
  'entrypoints/background/tools/tabs/tab-tools.ts': 'why nothing was done in a tab, for the model',
  'entrypoints/background/tools/tabs/tab-reading.ts': 'around what was read of a page, for the model',
  'entrypoints/background/tools/tabs/tab-navigation.ts': 'where a tab went, for the model',
  'entrypoints/background/tools/tools.ts': 'why a call was not executed, for the model',
  'entrypoints/background/tools/connected-tools.ts': 'why a tool is not offered, for the model',
  'components/markdown/languages.ts': 'names of programming languages',
};
/** What is the same in every language: examples of what is typed, a key's name, a selector, a unit, a choice of a text. */
const names: ReadonlySet<string> = new Set([
  '(any-hover: hover)',
  '(any-pointer: coarse)',
  '(prefers-color-scheme: dark)',
  'Tab',
  'npx',
  'KEY=value',
  'Authorization: Bearer …',
  'https://mcp.example.com',
  'https://example.com',
  'button, a, input, select, textarea, [role="option"]',
  '… ms',
  'none',
  'Chat Completions',
]);

const root = join(import.meta.dirname, '../..');
const files = globSync('{lib,components,entrypoints}/**/*.{ts,tsx}', { cwd: root }).toSorted();
const texts = files.flatMap((file) =>
  findText(file, readFileSync(join(root, file), 'utf8'))
    .filter(({ text }) => !names.has(text))
    .map(({ line, text }) => ({ file, line, text })),
);
const isIn = (file: string, place: string): boolean => file === place || file.startsWith(`${place}/`);

describe('every text that a person reads', () => {
  it('stands in locales/', () => {
    const places = Object.keys(untranslated);
    const left = texts.filter(({ file }) => !places.some((place) => isIn(file, place)));
    expect(left.map(({ file, line, text }) => `${file}:${line} ${text}`)).toEqual([]);
  });

  it('is looked for everywhere but where there is a reason not to', () => {
    expect(files.length).toBeGreaterThan(300);
    const needless = Object.keys(untranslated).filter(
      (place) => !texts.some(({ file }) => isIn(file, place)),
    );
    expect(needless).toEqual([]);
  });

  const found = (source: string): string[] => findText('sample.tsx', source).map(({ text }) => text);

  it.each([
    [`throw new AppError({ code: 'gone', message: 'This chat is gone.' });`, 'This chat is gone.'],
    ['refuse(`${name} was not there`);', '… was not there'],
    [`const why = isBig ? 'too large' : undefined;`, 'too large'],
    [`const error = { code: 'busy', fix: 'Wait' };`, 'Wait'],
    ['const view = <p>Hello</p>;', 'Hello'],
    [`const view = <p>{isOpen ? en.close : 'Open'}</p>;`, 'Open'],
    ['const view = <button aria-label="Close" />;', 'Close'],
    ['const view = <input placeholder={`Search ${place}`} />;', 'Search …'],
    [`const words = { a: 'one thing' } satisfies Record<string, string>;`, 'one thing'],
  ])('is found: %s', (source, text) => {
    expect(found(source)).toEqual([text]);
  });

  it.each([
    `console.warn('The badge could not be shown.', error);`,
    `throw new Error('A call has no row.');`,
    `const view = <p class="small subtle">{en.panel.label}</p>;`,
    `element.className = 'task done';`,
    `type Kind = 'a file' | 'a folder';`,
    `document.querySelector('.composer textarea');`,
    'fetch(url, { headers: { authorization: `Bearer ${key}` } });',
    `const view = <b>{status === 'done' && <Tick />}</b>;`,
  ])('is told from what no user reads: %s', (source) => {
    expect(found(source)).toEqual([]);
  });
});
