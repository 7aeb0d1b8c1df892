import { isRecord, parseJson, stringOf } from '../json.ts';

/** Programs that start servers. */
const LAUNCHERS = new Set(
  'npx npm pnpm pnpx yarn bun bunx deno node uvx uv pipx python python3 py docker podman java dotnet go'.split(
    ' ',
  ),
);

/** Command lines of other programs that add a server: `claude mcp add …`, and the same of its kin. */
const CLIENTS = new Set(['claude', 'gemini', 'codex', 'cursor-agent', 'qwen', 'amp']);
/** Those that take the server's JSON: `code --add-mcp '{…}'`. */
const EDITORS = new Set(['code', 'code-insiders', 'codium', 'cursor', 'windsurf']);

/** Options of those that are followed by a value. All others stand alone. */
const WITH_VALUE = new Set(
  '-s --scope -t --transport --timeout --description --client-id --client-secret --callback-port --url'.split(
    ' ',
  ),
);
/** Options that may be followed by several values, each of this form. */
const WITH_VALUES: Record<string, RegExp> = {
  '-e': /^[A-Za-z_]\w*=/,
  '--env': /^[A-Za-z_]\w*=/,
  '-H': /^[\w-]+:/,
  '--header': /^[\w-]+:/,
};

type JsonRecord = Record<string, unknown>;
type Named = [name: string, entry: JsonRecord];

/**
 * Servers that are given as command lines, the way READMEs do: what starts one (`npx -y …`, `docker run …`), or what adds
 * one to another program (`claude mcp add …`). One a line; prompts, comments and code fences around them are left out.
 * @returns the same as the value of a configuration file; undefined when the text is something else
 */
export function readCommandLines(text: string): { mcpServers: unknown[] } | undefined {
  const [first = '', ...more] = text
    .replace(/^\uFEFF/, '')
    .replace(/^[ \t]*```.*$/gm, '')
    .replace(/[\\^`][ \t]*\r?\n\s*/g, ' ')
    .split(/\r?\n/)
    .map((line) => line.trim().replace(/^[$>%]\s+/, ''))
    .filter((line) => line !== '' && !line.startsWith('#'));
  // What is quoted may have lines of its own.
  const lines = wordsOf(first) ? [first, ...more] : [[first, ...more].join('\n')];
  const servers: unknown[] = [];
  for (const line of lines) {
    const server = serverOf(wordsOf(line) ?? []);
    if (!server) return undefined;
    servers.push(server);
  }
  return { mcpServers: servers };
}

/** A line as a shell takes it apart; undefined for more than one plain command. */
function wordsOf(line: string): string[] | undefined {
  const words: string[] = [];
  const part = /\s+|'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\(["'\\ $])|([|&;<>()])|([^])/gy;
  let word: string | undefined;
  for (const [whole, single, double, escaped, operator, other] of line.matchAll(part)) {
    if (operator !== undefined || other === '"' || other === "'") return undefined;
    const text = single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? other;
    if (text !== undefined) word = (word ?? '') + text;
    else if (/^\s/.test(whole) && word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}

function serverOf(words: string[]): JsonRecord | undefined {
  const start = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  const [command = '', ...args] = words.slice(Math.max(start, 0));
  const program = nameOf(command);
  if (CLIENTS.has(program) && args[0] === 'mcp') return named(added(args.slice(1)));
  if (EDITORS.has(program)) return named(withJson(args[args.indexOf('--add-mcp') + 1], ''));
  if (LAUNCHERS.has(program) ? args.length === 0 : !isOther(command, args)) return undefined;
  return programOf(command, args, pairs(words.slice(0, start), '='));
}

const named = (found: Named | undefined): JsonRecord | undefined => found && { name: found[0], ...found[1] };

/** `npx` of `C:\Program Files\nodejs\npx.cmd`. */
const nameOf = (command: string): string =>
  (command.split(/[\\/]/).at(-1) ?? '').toLowerCase().replace(/\.(exe|cmd|bat)$/, '');

/**
 * A server of its own: by its path, with an option, or called as servers are. Any other first word may be the beginning of
 * anything, or a host.
 */
function isOther(command: string, args: string[]): boolean {
  if (/^(?:~?\/|[a-z]:[\\/])./i.test(command)) return true;
  return /^[\w-]+$/.test(command) && (args[0]?.startsWith('-') || /mcp/i.test(command));
}

/** Variables that `docker run -e NAME` hands on have to be there. */
function programOf(command: string, args: string[], env: Record<string, string>): JsonRecord {
  const isContainer = ['docker', 'podman'].includes(nameOf(command));
  const handedOn = args.filter(
    (arg, at) => isContainer && ['-e', '--env'].includes(args[at - 1] ?? '') && /^\w+$/.test(arg),
  );
  const all = { ...Object.fromEntries(handedOn.map((name) => [name, ''])), ...env };
  return { command, args, ...(Object.keys(all).length > 0 && { env: all }) };
}

/** What stands behind `claude mcp`. */
function added([verb, ...words]: string[]): Named | undefined {
  if (verb === 'add-json') {
    const [name, json] = words.filter((word) => !word.startsWith('-'));
    return withJson(json, name ?? '');
  }
  if (verb !== 'add') return undefined;
  const { options, rest } = taken(words);
  const last = (...names: string[]): string | undefined =>
    names.flatMap((name) => options[name] ?? []).at(-1);
  const [name = '', place = last('--url'), ...args] = rest;
  if (place === undefined) return undefined;
  const env = pairs([...(options['-e'] ?? []), ...(options['--env'] ?? [])], '=');
  const headers = pairs([...(options['-H'] ?? []), ...(options['--header'] ?? [])], ':');
  const type = last('-t', '--transport');
  if (type === 'stdio' || !/^https?:\/\//i.test(place)) return [name, programOf(place, args, env)];
  const clientId = last('--client-id');
  return [
    name,
    {
      type: type === 'sse' ? 'sse' : 'http',
      url: place,
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(clientId !== undefined && { oauth: { clientId } }),
    },
  ];
}

/** Options apart from the rest; what stands behind the command of a program is that program's. */
function taken(words: string[]): { options: Record<string, string[]>; rest: string[] } {
  const options: Record<string, string[]> = {};
  const rest: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const [option = '', own] = /^(--[\w-]+)=(.*)$/s.exec(word)?.slice(1) ?? [word];
    const isProgram = rest.length > 1 && !/^https?:\/\//i.test(rest[1] ?? '');
    if (word === '--' || isProgram) {
      rest.push(...words.slice(word === '--' ? at + 1 : at));
      break;
    }
    if (!word.startsWith('-')) rest.push(word);
    else if (own !== undefined) (options[option] ??= []).push(own);
    else if (WITH_VALUE.has(option)) (options[option] ??= []).push(words[++at] ?? '');
    else {
      const form = WITH_VALUES[option];
      while (form?.test(words[at + 1] ?? '')) (options[option] ??= []).push(words[++at] ?? '');
    }
  }
  return { options, rest };
}

function withJson(json: string | undefined, name: string): Named | undefined {
  const value = parseJson(json ?? '');
  if (!isRecord(value)) return undefined; // then it is no command that adds a server
  return [name || stringOf(value['name']), value];
}

/** `NAME=value` or `Name: value` as entries; the values without blanks around them. */
function pairs(texts: string[], between: '=' | ':'): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(between);
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    }),
  );
}
