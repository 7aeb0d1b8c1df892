import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** Modules of packages that the packages load and Portside never calls, by the end of their path. */
const unused: RegExp[] = [
  // openai: its APIs, of which lib/models knows the paths and bodies itself; what runs tools or reads a reply for its
  // caller; signing in by certificates and workload identities; uploads.
  /\/openai\/resources\/(?!index\.mjs)/,
  /\/openai\/lib\/(?:ChatCompletion(?:Runner|StreamingRunner|Stream)|AssistantStream|parser)\.mjs/,
  /\/openai\/core\/(?:pagination|streaming|uploads)\.mjs/,
  /\/openai\/auth\/workload-identity-auth\.mjs/,
  /\/openai\/internal\/auth\/(?!x509-credential-options)[\w-]+\.m?js/,
  // What it tells of the browser is switched off (lib/models/client.ts), and replies are read by lib/models.
  /\/openai\/internal\/(?:data-residency|detect-platform|parse|uploads|ws)\.mjs/,
  // The MCP client checks results of `callTool`, which is not what lib/mcp calls.
  /\/@modelcontextprotocol\/client\/dist\/cfWorkerProvider[\w-]*\.mjs/,
  // lib/tools checks no `format`: it leaves the keyword out of what it hands over.
  /\/@cfworker\/json-schema\/dist\/esm\/format\.js/,
  // zod: JSON schemas made of its own, which only servers do; values that hold themselves, which nothing on a wire does;
  // code that it would write and run, which no extension may.
  /\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors|memoizer|doc)\.js/,
];

/** What Portside does not call: lib/mcp makes its requests itself. */
export const uncalled = {
  mcp: (
    'callTool listTools listPrompts listResources listResourceTemplates getPrompt readResource subscribeResource ' +
    'unsubscribeResource complete setLoggingLevel sendRootsListChanged _listAllPages _walkPages _readResource ' +
    '_compileOutputValidator _resolveXMcpHeaderScan _excludeInvalidXMcpHeaderTools'
  ).split(' '),
  openai: (
    'withOptions _buildWebSocketHeaders getAPIList requestAPIList readX509ResponseError ' +
    // Replies are read by lib/models (`asResponse`).
    'parseResponseWithTimeout ' +
    // It tries nothing again: maxRetries is 0 (lib/models/client.ts).
    'retryRequest calculateDefaultRetryTimeoutMillis'
  ).split(' '),
};

/** Whole methods of a class, by how far it is indented. */
const methods = (indent: string, names: string[]): RegExp =>
  new RegExp(
    `^${indent}(?:static )?(?:async )?(?:${names.join('|')})\\(.*\\) \\{\\n[^]*?^${indent}\\}\\n`,
    'gm',
  );

/** Parts of modules, and what stands in their place. A version that is written otherwise is left as it is. */
export const cuts: { file: RegExp; part: RegExp; left: string }[] = [
  // The MCP client's table of all types of its specification. It looks one of them up itself.
  {
    file: /\/@modelcontextprotocol\/client\/dist\/src-[\w-]+\.mjs/,
    part: /^for \(const key of SPEC_SCHEMA_KEYS\) .+\nfor \(const .+ register\(key, schema\);$/m,
    left: "register('ImplementationSchema', ImplementationSchema);",
  },
  // What only servers do: asking, and telling older clients of results that are no objects.
  {
    file: /\/@modelcontextprotocol\/client\/dist\/src-[\w-]+\.mjs/,
    part: /^const inputRequired = Object\.assign\([^]+?^\}\);$/m,
    left: 'const inputRequired = undefined;',
  },
  {
    file: /\/@modelcontextprotocol\/client\/dist\/src-[\w-]+\.mjs/,
    part: /^\tprojectCallToolResult\(result, advertisedOutputSchema\) \{[^]+?^\t\},$/m,
    left: '',
  },
  {
    file: /\/@modelcontextprotocol\/client\/dist\/src-[\w-]+\.mjs/,
    part: /^\tencodeResult\(method, result\) \{\n\t\tif \(method !== "tools\/list"\)[^]+?^\t\},$/m,
    left: '\tencodeResult: (_method, result) => result,',
  },
  {
    file: /\/@modelcontextprotocol\/client\/dist\/public-[\w-]+\.mjs/,
    part: methods('\t', uncalled.mcp),
    left: '',
  },
  // The parsers that zod would write as code (lib/mcp/jitless.ts).
  {
    file: /\/zod\/v4\/core\/schemas\.js/,
    part: /^ {4}const generateFastpass = \(shape\) => \{\n[^]+?^ {4}\};$/m,
    left: '    const generateFastpass = undefined;',
  },
  { file: /\/openai\/client\.mjs/, part: methods('    ', uncalled.openai), left: '' },
  // What its constructor checks of options that lib/models/client.ts doesn't give, or gives as it should.
  {
    file: /\/openai\/client\.mjs/,
    part: /^ {8}if \(x509Transport && !usesX509Identity\) \{\n[^]+?(?=^ {8}this\.baseURL = options\.baseURL;$)/m,
    left: '',
  },
  // An environment, which a browser has none of, and signing in by a certificate.
  {
    file: /\/openai\/client\.mjs/,
    part: /^ {8}const customHeadersEnv = [^]+?(?=^ {8}this\._options = options;$)/m,
    left: '',
  },
  {
    file: /\/openai\/client\.mjs/,
    part: /^ {8}if \(x509Identity\) \{\n {12}const authentication [^]+?(?=^ {8}this\.apiKey = )/m,
    left: '',
  },
  // How it would take secrets out of what it logs: it logs nothing (lib/models/client.ts).
  {
    file: /\/openai\/client\.mjs/,
    part: /(?<=\}, _OpenAI_isSensitiveLogKey = )function [^]+?(?=, _OpenAI_sanitizeLogger = function)/,
    left: 'undefined, _OpenAI_sanitizeLogValue = undefined',
  },
  // Where a runtime for older browsers is, which is never asked for: no code comes from a network.
  {
    file: /\/@wllama\/wllama\/esm\/index\.js/,
    part: /"https:\/\/cdn\.jsdelivr\.net\/[^"]+"/g,
    left: '""',
  },
  // An address's own parameters are texts: what nests and repeats is not needed.
  {
    file: /\/openai\/internal\/utils\/query\.mjs/,
    part: /^import [^]+\}\n/,
    left: 'export const stringifyQuery = (query) => new URLSearchParams(query).toString();',
  },
  // What binds marked's lexer, all that components/markdown uses, to its parser and renderers.
  {
    file: /\/marked\/lib\/marked\.esm\.js/,
    part: /;var (\w+)=new \w+;function (\w+)\(\w+,\w+\)\{return \1\.parse\(.+;export\{.*?(\w+ as Lexer),.*?(\w+ as Tokenizer),.*\};/,
    left: ';export{$3,$4};',
  },
];

/**
 * Leaves those modules out of the bundle: no bundler sees that they are dead, since constructors and tables refer to
 * them. What each exports is a function that does nothing, since some are called, extended or constructed all the same.
 */
export function leaveOut(): Plugin {
  return {
    name: 'leave-out',
    load(id) {
      const own = cuts.filter(({ file }) => file.test(id));
      if (own.length > 0) {
        return own.reduce((code, { part, left }) => code.replace(part, left), readFileSync(id, 'utf8'));
      }
      if (!unused.some((each) => each.test(id))) return null;
      const names = exportedBy(readFileSync(id, 'utf8'));
      return names
        .map((name, index) => `function f${index}() {}\nexport { f${index} as ${name} };`)
        .join('\n');
    },
  };
}

/** The schemas of the MCP client's specification: a bundler can't see that to build one does nothing else. */
const SCHEMAS = /\/@modelcontextprotocol\/core\/dist\/[\w-]+\.mjs/;

/** Has the bundler drop those schemas that nothing refers to. */
export function dropUnusedSchemas(): Plugin {
  return {
    name: 'drop-unused-schemas',
    transform(code, id) {
      if (!SCHEMAS.test(id)) return null;
      const built = this.parse(code).body.flatMap((statement) =>
        statement.type === 'VariableDeclaration'
          ? statement.declarations.flatMap(({ init }) => (init?.type === 'CallExpression' ? init : []))
          : [],
      );
      return built.reduceRight(
        (left, { start, end }) =>
          `${left.slice(0, start)}/* @__PURE__ */ (() => ${left.slice(start, end)})()${left.slice(end)}`,
        code,
      );
    },
  };
}

function exportedBy(source: string): string[] {
  const declared = [...source.matchAll(/^export (?:async )?(?:class|const|let|var|function) (\w+)/gm)];
  const listed = [...source.matchAll(/^export (?:const )?\{([^}]*)\}/gm)];
  const names = listed.flatMap(([, list = '']) =>
    list.split(',').map((name) => name.trim().split(' as ').at(-1)),
  );
  return [...new Set([...declared.map(([, name]) => name), ...names])].filter((name) => !!name) as string[];
}
