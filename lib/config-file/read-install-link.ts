import { readCommandLines } from './command-line.ts';
import { installLinkIn } from './install-link.ts';
import { parseConfig } from './jsonc.ts';
import { fieldsOf } from './questions.ts';

/**
 * The server of an install link; nothing is fetched.
 * @returns the same as the value of a configuration file; undefined when the text is something else
 * @throws AppError `bad_config` when the link's configuration is no JSON
 */
export function readInstallLink(text: string): unknown {
  const link = installLinkIn(text);
  if (!link) return undefined;
  const { searchParams: given } = link;
  const url = given.get('connectorUrl');
  if (url !== null) return { mcpServers: [{ name: given.get('connectorName') ?? '', url }] };
  const config = given.get('config');
  const value = parseConfig(config === null ? decoded(link.search.slice(1)) : jsonOf(config));
  const { inputs, ...server } = fieldsOf(value);
  if (!('command' in server || 'url' in server || 'serverUrl' in server)) return value;
  const asked = given.get('inputs');
  return {
    mcpServers: [
      { ...server, ...fieldsOf(programOf(server)), name: given.get('name') ?? server['name'] ?? '' },
    ],
    inputs: asked === null ? inputs : parseConfig(asked),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // says what is wrong with it as JSON
  }
}

/** Some write it in base64, in either alphabet; its `+` were read as spaces. */
function jsonOf(config: string): string {
  try {
    const bytes = atob(config.replaceAll(/[ +-]/g, '+').replaceAll('_', '/'));
    return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  } catch {
    return config;
  }
}

/** Cursor takes a whole command line as the command. */
function programOf({ command, args }: Record<string, unknown>): unknown {
  if (typeof command !== 'string' || args !== undefined) return {};
  return readCommandLines(command)?.mcpServers[0];
}
