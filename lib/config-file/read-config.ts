import { getNodeValue, parseTree, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { bytesOf } from '../base64.ts';
import { recordOf, stringOf } from '../json.ts';
import type { ConfiguredServer, ServerConfig } from './server-config.ts';
import { LONGEST_SERVER_NAME, type Server } from '../types/server.ts';
import { decoded } from '../types/answers.ts';
import { readCommandLines } from './command-line.ts';
import { inOneLine } from '../types/names.ts';
import { readEntry } from './read-entry.ts';
import { badConfig, createQuestions } from './questions.ts';
import { t } from '../../locales/texts/errors.ts';
import { installLinkIn } from './install-link.ts';
import type { AppError } from '../errors.ts';

/** More than a user would look through. */
const MOST_SERVERS = 500;

/**
 * Reads the servers out of another program's configuration: `mcpServers` (Claude Desktop, Claude Code, Cursor, Windsurf,
 * Cline, Roo Code, Gemini CLI, Portside), `servers` with `inputs` (VS Code, also inside its settings), `context_servers`
 * (Zed), a map of servers (also opencode's `mcp`), one server, an install link, or the command lines that start or add one.
 * Nothing in it is trusted, and nothing is run or fetched.
 * @param existing the saved servers, to tell what is there already
 * @throws AppError `bad_config` when there is nothing to look at, and why
 */
export function readServerConfig(text: string, existing: Server[]): ServerConfig {
  const root = readInstallLink(text) ?? readCommandLines(text) ?? parseConfig(text);
  const entries = entriesOf(root);
  if (entries.length === 0) {
    throw badConfig(t(($) => $.errors.configFile.noServers));
  }
  if (entries.length > MOST_SERVERS) {
    throw badConfig(
      t(($) => $.errors.configFile.tooManyServers, { count: entries.length, most: MOST_SERVERS }),
    );
  }
  const questions = createQuestions(recordOf(root)['inputs'] ?? recordOf(recordOf(root)['mcp'])['inputs']);
  const ids = new Map(existing.map(({ id, name }) => [inOneLine(name).toLowerCase(), id]));
  const names = new Set<string>();
  const servers = entries.map(([key, value]): ConfiguredServer => {
    const { input, problems, usable } = readEntry(key, value, questions);
    const name = numbered(input.name, names);
    if (name !== input.name)
      problems.push(t(($) => $.errors.configFile.entry.sameName, { name: input.name }));
    const id = ids.get(name.toLowerCase());
    return { key, input: { ...input, name }, problems, usable, ...(id !== undefined && { sameNameAs: id }) };
  });
  return { servers, questions: questions.all() };
}

/**
 * The name, with a number if it is taken: keys of a file may differ in spaces alone, or be too long for a name, and lists
 * may name two alike.
 */
function numbered(name: string, taken: Set<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count++) {
    const suffix = ` (${count})`;
    free = name.slice(0, LONGEST_SERVER_NAME - suffix.length) + suffix;
  }
  taken.add(free);
  return free;
}

type Named = [name: string, entry: unknown];

function entriesOf(root: unknown): Named[] {
  const fields = recordOf(root);
  const settings = recordOf(fields['mcp']);
  const lists = [
    fields['mcpServers'],
    fields['servers'],
    fields['context_servers'],
    fields['mcp.servers'],
    settings['servers'],
    settings['mcpServers'],
  ].filter((list) => typeof list === 'object' && list !== null);
  if (lists.length > 0) return lists.flatMap(named);
  if (isServer(root)) return [[nameOf(root), root]];
  return [...named(root), ...named(settings)].filter(([, entry]) => isServer(entry));
}

/** The entries of a map by their keys, those of a list by the names they give themselves. */
function named(list: unknown): Named[] {
  if (Array.isArray(list)) return list.map((entry): Named => [nameOf(entry), entry]);
  return Object.entries(recordOf(list));
}

function nameOf(entry: unknown): string {
  return stringOf(recordOf(entry)['name']);
}

const isServer = (value: unknown): boolean =>
  ['command', 'url', 'httpUrl', 'serverUrl'].some((key) => recordOf(value)[key] !== undefined);

/**
 * The server of an install link; nothing is fetched.
 * @returns the same as the value of a configuration file; undefined when the text is something else
 * @throws AppError `bad_config` when the link's configuration is no JSON
 */
function readInstallLink(text: string): unknown {
  const link = installLinkIn(text);
  if (!link) return undefined;
  const { searchParams: given } = link;
  const url = given.get('connectorUrl');
  if (url !== null) return { mcpServers: [{ name: given.get('connectorName') ?? '', url }] };
  const config = given.get('config');
  const value = parseConfig(config === null ? decoded(link.search.slice(1)) : jsonOf(config));
  const { inputs, ...server } = recordOf(value);
  if (!('command' in server || 'url' in server || 'serverUrl' in server)) return value;
  const asked = given.get('inputs');
  return {
    mcpServers: [
      { ...server, ...recordOf(programOf(server)), name: given.get('name') ?? server['name'] ?? '' },
    ],
    inputs: asked === null ? inputs : parseConfig(asked),
  };
}

/** Some write it in base64, in either alphabet; its `+` were read as spaces. */
function jsonOf(config: string): string {
  try {
    return new TextDecoder().decode(bytesOf(config.replaceAll(/[ +-]/g, '+').replaceAll('_', '/')));
  } catch {
    return config;
  }
}

/** Cursor takes a whole command line as the command. */
function programOf({ command, args }: Record<string, unknown>): unknown {
  if (typeof command !== 'string' || args !== undefined) return {};
  return readCommandLines(command)?.mcpServers[0];
}

/** Characters. The largest settings file that people keep is far below. */
const LONGEST = 2_000_000;

/**
 * The value of another program's configuration file; comments and trailing commas are fine, and so are the insides of an
 * object, as READMEs often show them. Its objects have no prototype.
 * @throws AppError `bad_config` that says where it breaks off
 */
function parseConfig(text: string): unknown {
  if (text.length > LONGEST) {
    throw badConfig(t(($) => $.errors.configText.tooLong, { most: LONGEST }));
  }
  const source = text.replace(/^\uFEFF/, '');
  const isInside = /^\s*"/.test(source);
  const errors: ParseError[] = [];
  let value: unknown;
  try {
    const tree = parseTree(isInside ? `{${source}}` : source, errors, { allowTrailingComma: true });
    value = tree && errors.length === 0 ? getNodeValue(tree) : undefined;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw badConfig(t(($) => $.errors.configText.tooDeep));
  }
  const [first] = errors;
  if (first) throw notJson(source, first.offset - (isInside ? 1 : 0), printParseErrorCode(first.error));
  return value;
}

function notJson(source: string, offset: number, code: string): AppError {
  const faults: Record<string, string> = t(($) => $.errors.configText.faults);
  const before = source.slice(0, offset).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  return badConfig(
    t(($) => $.errors.configText.notJson, {
      line: before.length,
      column,
      what: faults[code] ?? code,
    }),
  );
}
