import { recordOf } from '../json.ts';
import type { ConfiguredServer } from './server-config.ts';
import type { ServerInput } from '../protocol/servers.ts';
import { LONGEST_SERVER_NAME, TOOL_TIMEOUT_MS, type Transport, WHOLE_PATH } from '../types/server.ts';
import { createEntry, type ServerEntry, listed, plain, refuse, textsByName } from './fields.ts';
import type { Questions } from './questions.ts';
import { inOneLine, soundsSecret } from '../types/names.ts';
import { t } from '../../locales/texts/errors.ts';

/** The fields that are read, or that say nothing about how the server is reached. */
const COMMON =
  'type transport name title description icon source gallery version disabled enabled timeout'.split(' ');
const KNOWN = {
  remote: new Set([...COMMON, 'url', 'httpUrl', 'serverUrl', 'headers', 'oauth', 'auth']),
  stdio: new Set([...COMMON, 'command', 'args', 'env', 'cwd']),
};

/** One server of a configuration file, switched off and trusted with nothing. */
export function readEntry(
  name: string,
  value: unknown,
  questions: Questions,
): Pick<ConfiguredServer, 'input' | 'problems' | 'usable'> {
  const entry = createEntry(value, questions);
  const { fields, problems } = entry;
  const transport = transportOf(fields);
  const reached = transport === 'stdio' ? programOf(entry) : addressOf(entry, transport);
  const known = KNOWN[transport === 'stdio' ? 'stdio' : 'remote'];
  const unread = Object.keys(fields).filter((key) => !known.has(key));
  if (unread.length > 0) problems.push(t(($) => $.errors.configFile.entry.unread, { names: listed(unread) }));
  if (fields['disabled'] === true || fields['enabled'] === false) {
    problems.push(t(($) => $.errors.configFile.entry.off));
  }
  const input: ServerInput = {
    name: (inOneLine(name) || standIn(reached)).slice(0, LONGEST_SERVER_NAME),
    enabled: false,
    toolTimeout: timeoutOf(fields),
    trusted: false,
    oneAtATime: false,
    ...reached,
  };
  return { input, problems, usable: entry.usable };
}

type Stdio = Extract<ServerInput, { transport: 'stdio' }>;
type Remote = Exclude<ServerInput, Stdio>;
type Program = Pick<Stdio, 'transport' | 'command' | 'args' | 'cwd' | 'env'>;
type Address = Pick<Remote, 'transport' | 'url' | 'headers' | 'oauthClient'>;

/** `streamable-http` finds out by itself that a server speaks only SSE, so an address needs no type. */
function transportOf(fields: Record<string, unknown>): Transport {
  const type = String(fields['type'] ?? fields['transport'] ?? '').toLowerCase();
  const address = fields['httpUrl'] ?? fields['url'] ?? fields['serverUrl'];
  const isProgram = address === undefined || address === null;
  if (isProgram && type !== 'sse' && !type.includes('http')) return 'stdio';
  if (type === 'stdio' && fields['command'] !== undefined) return 'stdio';
  return type === 'sse' ? 'sse' : 'streamable-http';
}

function programOf(entry: ServerEntry): Program {
  const { fields } = entry;
  // A list is opencode's way to write it, an object was Zed's.
  const nested = recordOf(fields['command']);
  const written = nested['path'] ?? fields['command'];
  const [first, ...rest] = Array.isArray(written) ? written : [written];
  const command = plain(first)?.trim() ?? '';
  if (command === '')
    refuse(
      entry,
      t(($) => $.errors.configFile.entry.unreached),
    );
  const given = nested['args'] ?? fields['args'] ?? [];
  const args = [...rest, ...(Array.isArray(given) ? given : [null])].map(plain);
  if (args.some((arg) => arg === null || arg.includes('\0')))
    refuse(
      entry,
      t(($) => $.errors.configFile.entry.noArguments),
    );
  const env = textsByName(entry, 'env', nested['env'] ?? fields['env']);
  const cwd = folderOf(entry);
  return {
    transport: 'stdio',
    command: entry.ask(command),
    args: args.filter((arg) => arg !== null).map((arg) => entry.ask(arg)),
    ...(cwd !== undefined && { cwd }),
    ...(env && { env }),
  };
}

/** A folder that is no whole path, or that only an editor knows, is left out: nothing would start in it. */
function folderOf(entry: ServerEntry): string | undefined {
  const written = plain(entry.fields['cwd'])?.trim();
  if (!written) return undefined;
  // What begins with a variable may turn out to be whole.
  if (!WHOLE_PATH.test(written) && !written.startsWith('${')) {
    entry.problems.push(t(($) => $.errors.configFile.entry.relativeFolder, { folder: listed([written]) }));
    return undefined;
  }
  const problems = entry.problems.length;
  const cwd = entry.ask(written);
  if (entry.problems.length === problems) return cwd;
  entry.problems[problems] = t(($) => $.errors.configFile.entry.folder, { folder: listed([written]) });
  return undefined;
}

function addressOf(entry: ServerEntry, transport: 'streamable-http' | 'sse'): Address {
  const { fields } = entry;
  const written = plain(fields['httpUrl'] ?? fields['url'] ?? fields['serverUrl'])?.trim() ?? '';
  const url = entry.ask(written);
  checkUrl(entry, url);
  const headers = textsByName(entry, 'header', fields['headers']);
  const oauthClient = clientOf(entry);
  return { transport, url, ...(headers && { headers }), ...(oauthClient && { oauthClient }) };
}

const VARIABLE = /\$\{([^{}]*)\}/g;

function checkUrl(entry: ServerEntry, url: string): void {
  if (url === '')
    return refuse(
      entry,
      t(($) => $.errors.configFile.entry.noAddress),
    );
  if (url.startsWith('${')) return undefined; // where it leads is not known yet
  const tried = url.replace(VARIABLE, '1');
  const parsed = URL.canParse(tried) ? new URL(tried) : null;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || /\s/.test(url)) {
    return refuse(
      entry,
      t(($) => $.errors.configFile.entry.badAddress),
    );
  }
  if (parsed.username !== '' || parsed.password !== '') {
    return refuse(
      entry,
      t(($) => $.errors.configFile.entry.password),
    );
  }
  // What is asked for as a secret is kept as one.
  const query = /\?([^#]*)/.exec(url)?.[1] ?? '';
  const shown = new URLSearchParams(
    query.replace(VARIABLE, (_all, id: string) => (entry.isSecret(id) ? '' : '1')),
  );
  const keys = [...new Set(shown.keys())].filter(
    (key) => soundsSecret(key) && shown.getAll(key).join('') !== '',
  );
  if (keys.length > 0) {
    entry.problems.push(t(($) => $.errors.configFile.entry.secret, { names: listed(keys) }));
  }
  return undefined;
}

/** A client registered by hand: Claude Code and Gemini CLI have `oauth`, Cursor has `auth`. */
function clientOf(entry: ServerEntry): Remote['oauthClient'] {
  const [oauth, auth] = [recordOf(entry.fields['oauth']), recordOf(entry.fields['auth'])];
  const id = plain(oauth['clientId'] ?? auth['CLIENT_ID']);
  if (!id) return undefined;
  const secret = plain(oauth['clientSecret'] ?? auth['CLIENT_SECRET']);
  return { id: entry.ask(id), ...(secret && { secret: entry.ask(secret, 'header') }) };
}

/** Fields that only Cline, Roo Code and their kin write. */
const IN_SECONDS = ['disabled', 'autoApprove', 'alwaysAllow', 'disabledTools'];

/**
 * Milliseconds. Cline and Roo Code count in seconds, up to an hour; Gemini CLI in milliseconds, and never
 * below one second.
 */
function timeoutOf(fields: Record<string, unknown>): number {
  const { timeout } = fields;
  if (typeof timeout !== 'number' || !(timeout >= 1)) return TOOL_TIMEOUT_MS;
  const isSeconds = timeout < 1000 || (timeout <= 3600 && IN_SECONDS.some((field) => field in fields));
  return Math.min(Math.round(isSeconds ? timeout * 1000 : timeout), 2 ** 31 - 1);
}

/** `mcp/github` of `docker run -i --rm mcp/github`, `@scope/server-files@1` of `npx -y @scope/server-files@1`. */
const PACKAGE = /^@?[a-z][\w.-]*(\/[\w.-]+)*([@:][\w.-]+)?$/;
const VERBS = new Set(['run', 'exec', 'dlx', 'tool', 'x', 'start']);

/** What a server without a name is called: its host, or the last part of its package's name. */
export function standIn(
  reached:
    | { transport: 'stdio'; command: string; args: string[] }
    | { transport: 'streamable-http' | 'sse'; url: string },
): string {
  if (reached.transport === 'stdio') {
    const named = reached.args.find((arg) => PACKAGE.test(arg) && !VERBS.has(arg)) ?? '';
    const own = named
      // oxlint-disable-next-line portside/linear-regex -- PACKAGE has two of these signs at most
      .replace(/(?<=.)[@:][^/]*$/, '')
      .split('/')
      .at(-1);
    return own || reached.command.split(/[\\/]/).at(-1) || t(($) => $.errors.configFile.entry.standIn);
  }
  return URL.canParse(reached.url) ? new URL(reached.url).host : t(($) => $.errors.configFile.entry.standIn);
}
