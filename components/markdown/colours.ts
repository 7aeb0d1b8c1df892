import type { HLJSApi, LanguageFn } from 'highlight.js';
import type { Language } from './languages.ts';

/** Each is a chunk that is loaded when it is first seen. */
const loads: Record<Exclude<Language, 'plaintext'>, () => Promise<{ default: LanguageFn }>> = {
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  clojure: () => import('highlight.js/lib/languages/clojure'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  css: () => import('highlight.js/lib/languages/css'),
  dart: () => import('highlight.js/lib/languages/dart'),
  diff: () => import('highlight.js/lib/languages/diff'),
  dockerfile: () => import('highlight.js/lib/languages/dockerfile'),
  elixir: () => import('highlight.js/lib/languages/elixir'),
  go: () => import('highlight.js/lib/languages/go'),
  graphql: () => import('highlight.js/lib/languages/graphql'),
  haskell: () => import('highlight.js/lib/languages/haskell'),
  http: () => import('highlight.js/lib/languages/http'),
  ini: () => import('highlight.js/lib/languages/ini'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  latex: () => import('highlight.js/lib/languages/latex'),
  lua: () => import('highlight.js/lib/languages/lua'),
  makefile: () => import('highlight.js/lib/languages/makefile'),
  markdown: () => import('highlight.js/lib/languages/markdown'),
  nginx: () => import('highlight.js/lib/languages/nginx'),
  objectivec: () => import('highlight.js/lib/languages/objectivec'),
  perl: () => import('highlight.js/lib/languages/perl'),
  php: () => import('highlight.js/lib/languages/php'),
  powershell: () => import('highlight.js/lib/languages/powershell'),
  protobuf: () => import('highlight.js/lib/languages/protobuf'),
  python: () => import('highlight.js/lib/languages/python'),
  r: () => import('highlight.js/lib/languages/r'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  scala: () => import('highlight.js/lib/languages/scala'),
  scss: () => import('highlight.js/lib/languages/scss'),
  shell: () => import('highlight.js/lib/languages/shell'),
  sql: () => import('highlight.js/lib/languages/sql'),
  swift: () => import('highlight.js/lib/languages/swift'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
};

let coming: Promise<HLJSApi> | undefined;
const loading = new Map<string, Promise<HLJSApi>>();

/** How long colours wait for a moment in which nothing else is drawn. */
const LATEST_MS = 300;

/** Colours the text of `into` when the language is there: what is still to be drawn goes before. */
export function colour(text: string, name: keyof typeof loads, into: Element): void {
  // A chunk that cannot be loaded leaves the code as it is.
  void load(name).then(
    (core) =>
      requestIdleCallback(() => into.isConnected && draw(core, text, name, into), { timeout: LATEST_MS }),
    () => undefined,
  );
}

function load(name: keyof typeof loads): Promise<HLJSApi> {
  const known = loading.get(name) ?? register(name);
  loading.set(name, known);
  return known;
}

async function register(name: keyof typeof loads): Promise<HLJSApi> {
  coming ??= import('highlight.js/lib/core').then(({ default: core }) => core);
  const [core, language] = await Promise.all([coming, loads[name]()]);
  core.registerLanguage(name, language.default);
  return core;
}

/** What highlight.js found: a tree of text and scopes. Drawn node by node, so that no HTML is made of code. */
type Scope = { scope?: string; children: (Scope | string)[] };

function draw(core: HLJSApi, text: string, language: string, into: Element): void {
  const { _emitter: found } = core.highlight(text, { language, ignoreIllegals: true });
  const root = 'rootNode' in found ? (found.rootNode as Scope) : undefined;
  if (!root) return;
  const fragment = document.createDocumentFragment();
  append(root, fragment);
  into.replaceChildren(fragment);
}

function append({ children }: Scope, into: Node & ParentNode): void {
  for (const child of children) {
    if (typeof child === 'string') {
      into.append(child);
      continue;
    }
    const token = tokenOf(child.scope);
    if (token === undefined) {
      append(child, into);
      continue;
    }
    const span = document.createElement('span');
    span.className = token;
    append(child, span);
    into.append(span);
  }
}

const tokens: [token: string, scopes: RegExp][] = [
  ['tok-c', /^(?:comment|quote|doctag|deletion)/],
  ['tok-s', /^(?:string|regexp|addition|char|link|code)/],
  ['tok-n', /^(?:number|literal|symbol|bullet)/],
  ['tok-k', /^(?:keyword|built_in|type|meta|selector-(?:tag|pseudo)|template-tag|operator$)/],
  ['tok-f', /^(?:title|function|class|section|name|attr|attribute|property|variable|selector|params$|tag$)/],
];

const tokenOf = (scope = ''): string | undefined => tokens.find(([, scopes]) => scopes.test(scope))?.[0];
