import { t } from '../../locales/texts/panel.ts';

/** What code is commonly written in, by highlight.js's names: as people see it, and as they write it behind a fence. */
export const languages = {
  bash: { label: 'Bash', also: ['sh', 'zsh'] },
  c: { label: 'C', also: ['h'] },
  clojure: { label: 'Clojure', also: ['clj'] },
  cpp: { label: 'C++', also: ['c++', 'cc', 'hpp'] },
  csharp: { label: 'C#', also: ['cs', 'c#'] },
  css: { label: 'CSS', also: [] },
  dart: { label: 'Dart', also: [] },
  diff: { label: 'Diff', also: ['patch'] },
  dockerfile: { label: 'Dockerfile', also: ['docker'] },
  elixir: { label: 'Elixir', also: ['ex', 'exs'] },
  go: { label: 'Go', also: ['golang'] },
  graphql: { label: 'GraphQL', also: ['gql'] },
  haskell: { label: 'Haskell', also: ['hs'] },
  http: { label: 'HTTP', also: [] },
  ini: { label: 'INI', also: ['toml', 'conf'] },
  java: { label: 'Java', also: [] },
  javascript: { label: 'JavaScript', also: ['js', 'jsx', 'mjs', 'cjs'] },
  json: { label: 'JSON', also: ['jsonc', 'json5'] },
  kotlin: { label: 'Kotlin', also: ['kt', 'kts'] },
  latex: { label: 'LaTeX', also: ['tex'] },
  lua: { label: 'Lua', also: [] },
  makefile: { label: 'Makefile', also: ['make'] },
  markdown: { label: 'Markdown', also: ['md'] },
  nginx: { label: 'nginx', also: [] },
  objectivec: { label: 'Objective-C', also: ['objc', 'objective-c'] },
  perl: { label: 'Perl', also: ['pl'] },
  php: { label: 'PHP', also: [] },
  plaintext: { label: 'Text', also: ['text', 'txt', 'plain', 'console', 'output'] },
  powershell: { label: 'PowerShell', also: ['ps1', 'pwsh', 'ps'] },
  protobuf: { label: 'Protobuf', also: ['proto'] },
  python: { label: 'Python', also: ['py', 'python3'] },
  r: { label: 'R', also: [] },
  ruby: { label: 'Ruby', also: ['rb'] },
  rust: { label: 'Rust', also: ['rs'] },
  scala: { label: 'Scala', also: [] },
  scss: { label: 'SCSS', also: ['sass'] },
  shell: { label: 'Shell', also: ['shellsession'] },
  sql: { label: 'SQL', also: ['mysql', 'postgres', 'postgresql', 'sqlite'] },
  swift: { label: 'Swift', also: [] },
  typescript: { label: 'TypeScript', also: ['ts', 'tsx', 'mts', 'cts'] },
  xml: { label: 'HTML, XML', also: ['html', 'svg', 'xhtml', 'vue', 'svelte'] },
  yaml: { label: 'YAML', also: ['yml'] },
} satisfies Record<string, { label: string; also: string[] }>;

export type Language = keyof typeof languages;

const names = new Map(
  (Object.entries(languages) as [Language, { also: string[] }][]).flatMap(([name, { also }]) =>
    [name, ...also].map((each) => [each, name] as const),
  ),
);

export const nameOf = (language: string): Language | undefined => names.get(language.toLowerCase());

/** What a fence says that it is written in, as people write it. */
export function labelOf(language: string): string {
  if (language === '') return t(($) => $.markdown.plainText);
  const name = nameOf(language);
  return name ? languages[name].label : language.slice(0, 40);
}
