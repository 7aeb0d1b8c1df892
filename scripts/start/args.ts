import { parseArgs } from 'node:util';
import { partsOf } from '../../native-host/arguments.ts';

export type ServerArg =
  | { url: string; transport: 'streamable-http' | 'sse' }
  /** `cwd`: where the command line was written. */
  | { transport: 'stdio'; command: string; args: string[]; cwd: string };

export type StartOptions = {
  headless: boolean;
  /** The questions, in order. */
  ask: string[];
  /** `--base-url`, `--api-key`, `--model`, each with its environment variable behind it. */
  model: { baseUrl?: string; apiKey?: string; name?: string };
  /** Empty: the demo server. */
  servers: ServerArg[];
  headers: Record<string, string>;
  approve: 'all' | 'none';
  approveByDefault: boolean;
  maxIterations?: number;
  /** Milliseconds. */
  toolTimeout?: number;
  json: boolean;
  /** Seconds. */
  timeout: number;
};

/** A command line that cannot be followed; the message names the flag and what it takes. */
export class UsageError extends Error {}

export const usage = `npm start                                  opens a browser with Portside, a demo page and the side panel
npm start -- --headless --ask "TEXT"       asks in a browser without a window and prints the conversation

  --ask TEXT             a question; may be repeated, one after the other
  --base-url URL         an OpenAI-compatible provider (OPENAI_BASE_URL)
  --api-key KEY          its key (OPENAI_API_KEY)
  --model NAME           its model (PORTSIDE_MODEL); "demo" is the scripted stand-in, also the default
  --server URL[,sse]     an MCP server instead of the demo server; may be repeated
  --server "stdio:COMMAND ARGS"  the same, as a program that is started here
  --header "NAME: VALUE" a header for every --server; may be repeated
  --approve all|none     answer to every approval (default: all)
  --max-iterations N     model requests a question may take, 1 to 50
  --tool-timeout MS      milliseconds a tool call may take
  --json                 one run event a line, then the stored conversation
  --timeout S            seconds until the command gives up (default: 120)

npm puts two lines of its own on stdout; for nothing but the conversation or its JSON there, tell it to be silent:
npm start --silent -- --headless --json --ask "TEXT"
`;

const flags = {
  headless: { type: 'boolean' },
  ask: { type: 'string', multiple: true },
  'base-url': { type: 'string' },
  'api-key': { type: 'string' },
  model: { type: 'string' },
  server: { type: 'string', multiple: true },
  header: { type: 'string', multiple: true },
  approve: { type: 'string' },
  'max-iterations': { type: 'string' },
  'tool-timeout': { type: 'string' },
  json: { type: 'boolean' },
  timeout: { type: 'string' },
  help: { type: 'boolean' },
} as const;

/**
 * Reads the command line of `npm start`.
 * @returns null when `--help` was asked for
 * @throws UsageError
 */
export function parseStartArgs(args: string[], env: NodeJS.ProcessEnv): StartOptions | null {
  const values = parse(args);
  if (values.help) return null;
  const headless = values.headless ?? false;
  const ask = values.ask ?? [];
  if (headless && ask.length === 0) throw new UsageError('--headless needs at least one --ask "TEXT".');
  if (!headless && ask.length > 0) throw new UsageError('--ask works with --headless only: add --headless.');
  if (!headless && values.json) throw new UsageError('--json works with --headless only: add --headless.');
  if (ask.some((text) => text.trim() === '')) throw new UsageError('--ask needs a text that is not empty.');
  const cwd = env['INIT_CWD'] ?? process.cwd();
  const servers = (values.server ?? []).map((value, index) => readServer(value, index, cwd));
  if (values.header && !servers.some(({ transport }) => transport !== 'stdio'))
    throw new UsageError('--header goes with --server URL: add one.');
  const maxIterations = readInteger('--max-iterations', values['max-iterations'], 1, 50);
  const toolTimeout = readInteger('--tool-timeout', values['tool-timeout'], 1, 2 ** 31 - 1);
  return {
    headless,
    ask,
    model: readModel(values, env),
    servers,
    headers: Object.fromEntries((values.header ?? []).map(readHeader)),
    approve: readApprove(values.approve),
    approveByDefault: values.approve === undefined,
    ...(maxIterations !== undefined && { maxIterations }),
    ...(toolTimeout !== undefined && { toolTimeout }),
    json: values.json ?? false,
    timeout: readInteger('--timeout', values.timeout, 1, 86_400) ?? 120,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: flags, allowPositionals: false }).values;
  } catch (error) {
    if (
      error instanceof TypeError &&
      'code' in error &&
      error.code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL'
    ) {
      // The platform's message quotes the word, which may be the second half of a header without quotes.
      throw new UsageError(
        'There is a word that belongs to no flag. A value with spaces needs quotes: --header "NAME: VALUE".',
      );
    }
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readModel(
  values: { 'base-url'?: string; 'api-key'?: string; model?: string },
  env: NodeJS.ProcessEnv,
): StartOptions['model'] {
  const baseUrl = values['base-url'] ?? (env['OPENAI_BASE_URL'] || undefined);
  const apiKey = values['api-key'] ?? (env['OPENAI_API_KEY'] || undefined);
  const name = values.model ?? (env['PORTSIDE_MODEL'] || undefined);
  if (baseUrl !== undefined) {
    const flag = values['base-url'] === undefined ? 'OPENAI_BASE_URL' : 'The --base-url';
    checkAddress(baseUrl, `${flag} is no http(s) URL.`, 'pass a key with --api-key');
  }
  if (name !== undefined && name !== 'demo' && baseUrl === undefined && apiKey === undefined) {
    throw new UsageError(
      `The model "${name}" needs a provider: add --base-url URL or --api-key KEY, or use --model demo.`,
    );
  }
  return {
    ...(baseUrl !== undefined && { baseUrl }),
    ...(apiKey !== undefined && { apiKey }),
    ...(name !== undefined && { name }),
  };
}

function readServer(value: string, index: number, cwd: string): ServerArg {
  const [, line] = /^stdio:(.*)$/s.exec(value) ?? [];
  if (line !== undefined) {
    const [command, ...args] = partsOf(line);
    if (command !== undefined) return { transport: 'stdio', command, args, cwd };
    throw new UsageError(`The ${ordinal(index)} --server names no program: --server "stdio:COMMAND ARGS".`);
  }
  const [, url = '', kind] = /^(.*?)(?:,(sse|http))?$/.exec(value) ?? [];
  const invalid = `The ${ordinal(index)} --server is no http(s) URL (with ",sse" for the older transport), nor stdio:COMMAND.`;
  checkAddress(url, invalid, 'pass them with --header');
  return { url, transport: kind === 'sse' ? 'sse' : 'streamable-http' };
}

/** What it says holds no part of the address: anywhere in it may be a secret. */
function checkAddress(address: string, invalid: string, instead: string): void {
  if (!URL.canParse(address)) throw new UsageError(invalid);
  const { protocol, username, password } = new URL(address);
  if (!/^https?:$/.test(protocol)) throw new UsageError(invalid);
  if (username !== '' || password !== '')
    throw new UsageError(`Take the user name and password out of the address; ${instead}.`);
}

function ordinal(index: number): string {
  return ['first', 'second', 'third'][index] ?? `${index + 1}th`;
}

/** What it says of a header that it cannot read holds no part of it: anywhere in it may be a secret. */
function readHeader(header: string, index: number): [string, string] {
  const [, name, content] = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*:\s*(.*?)\s*$/.exec(header) ?? [];
  if (name === undefined || content === undefined) {
    throw new UsageError(
      `The ${ordinal(index)} --header is not of the form "NAME: VALUE", as in --header "Authorization: Bearer KEY".`,
    );
  }
  return [name, content];
}

function readApprove(value = 'all'): 'all' | 'none' {
  if (value === 'all' || value === 'none') return value;
  throw new UsageError(`--approve: "${value}" is neither "all" nor "none".`);
}

function readInteger(flag: string, value: string | undefined, min: number, max: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= min && number <= max) return number;
  throw new UsageError(`${flag}: "${value}" is not a whole number from ${min} to ${max}.`);
}
