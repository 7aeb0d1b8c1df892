import { listOf, recordOf, stringOf } from '../json.ts';
import type { RegistryChoice, RegistryEntry, RegistryPage } from '../types/registry.ts';
import { createInputs, type Inputs } from './registry-inputs.ts';

type Fields = Record<string, unknown>;

/** Characters of what is shown. */
const LONGEST = { name: 200, title: 100, description: 500, version: 60, url: 500 };
const MOST_ENTRIES = 100;
const MOST_CHOICES = 12;
const OFFICIAL = 'io.modelcontextprotocol.registry/official';

/** The entries of a page, whatever it holds: nothing in it is trusted. `next` is the cursor of the page after it. */
export function readRegistry({ servers, metadata }: RegistryPage): {
  entries: RegistryEntry[];
  next?: string;
} {
  const { nextCursor } = recordOf(metadata);
  const entries = servers.slice(0, MOST_ENTRIES).flatMap(readEntry);
  return { entries, ...(typeof nextCursor === 'string' && nextCursor !== '' && { next: nextCursor }) };
}

function readEntry(listed: unknown): RegistryEntry[] {
  const { server, _meta: meta } = recordOf(listed);
  const fields = recordOf(server);
  const { status } = { ...fields, ...recordOf(recordOf(meta)[OFFICIAL]) };
  const name = textOf(fields['name'], LONGEST.name);
  if (name === '' || status === 'deleted') return [];
  const title = textOf(fields['title'], LONGEST.title) || (name.split('/').at(-1) ?? name);
  const website = [fields['websiteUrl'], recordOf(fields['repository'])['url']]
    .map((url) => textOf(url, LONGEST.url))
    .find((url) => url.startsWith('https://') && URL.canParse(url));
  const entry = { title, name };
  const choices = [
    ...firstOf(fields['remotes']).flatMap((remote) => remoteChoice(entry, recordOf(remote))),
    ...firstOf(fields['packages']).flatMap((each) => packageChoice(entry, recordOf(each))),
  ];
  return [
    {
      name,
      title,
      description: textOf(fields['description'], LONGEST.description),
      version: textOf(fields['version'], LONGEST.version),
      isDeprecated: status === 'deprecated',
      ...(website !== undefined && { website }),
      choices: choices.slice(0, MOST_CHOICES),
    },
  ];
}

type Named = Pick<RegistryEntry, 'title' | 'name'>;

function remoteChoice(entry: Named, remote: Fields): RegistryChoice[] {
  const url = textOf(remote['url'], LONGEST.url);
  if (!/^(?:https?:\/\/|\{)/.test(url)) return [];
  const inputs = createInputs();
  const server = {
    type: remote['type'] === 'sse' ? 'sse' : 'http',
    url: inputs.fill(url, recordOf(remote['variables'])),
    ...valuesOf('headers', remote['headers'], inputs),
  };
  return [choiceOf(entry, server, inputs, { by: hostOf(url), what: url, leftOut: [] })];
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? url;

/** What starts packages of a kind, and how it names one. No name may pass for an option, an address or a path. */
const PROGRAMS: Record<string, (of: Package) => string[] | undefined> = {
  npm: ({ identifier, version, runtime }) =>
    /^(?:@[\w-][\w.-]*\/)?[\w][\w.-]*$/.test(identifier)
      ? ['npx', ...unless(['-y', '--yes'], runtime, '-y'), ...runtime, `${identifier}${at('@', version)}`]
      : undefined,
  pypi: ({ identifier, version, runtime }) =>
    /^\w[\w.-]*$/.test(identifier) ? ['uvx', ...runtime, `${identifier}${at('@', version)}`] : undefined,
  oci: ({ identifier, version, runtime, env }) =>
    /^\w[\w./:@-]*$/.test(identifier)
      ? [
          'docker',
          'run',
          '-i',
          '--rm',
          ...env.flatMap((name) =>
            runtime.some((arg) => arg === name || arg.startsWith(`${name}=`)) ? [] : ['-e', name],
          ),
          ...runtime.filter((arg) => !['run', '-i', '--interactive', '--rm'].includes(arg)),
          /[:@]/.test(identifier.slice(identifier.lastIndexOf('/') + 1))
            ? identifier
            : `${identifier}${at(':', version)}`,
        ]
      : undefined,
};

/** Where those programs get packages from. */
const USUAL: Record<string, string> = {
  npm: 'registry.npmjs.org',
  pypi: 'pypi.org',
  oci: 'docker.io',
};

/** The package as its program names it; none of another registry, from where the program would not get it. */
function identifierOf(type: string, of: Fields): string {
  const identifier = textOf(of['identifier'], LONGEST.name);
  const base = textOf(of['registryBaseUrl'], LONGEST.url);
  const host = base === '' ? USUAL[type] : URL.parse(base)?.host;
  if (host === USUAL[type]) return identifier;
  if (type !== 'oci' || host === undefined) return '';
  return identifier.startsWith(`${host}/`) ? identifier : `${host}/${identifier}`;
}

/** `runtime`: arguments of the program that starts it. `env`: names. */
type Package = { identifier: string; version: string; runtime: string[]; env: string[] };

const at = (between: string, version: string): string =>
  /^\w[\w.+-]*$/.test(version) ? between + version : '';
const unless = (options: string[], given: string[], option: string): string[] =>
  given.some((each) => options.includes(each)) ? [] : [option];

/** Only what speaks over stdio: of any other nothing says when it is ready, nor what ends it. */
function packageChoice(entry: Named, of: Fields): RegistryChoice[] {
  const type = textOf(of['registryType'], LONGEST.version);
  const program = Object.hasOwn(PROGRAMS, type) ? PROGRAMS[type] : undefined;
  const transport = recordOf(of['transport'])['type'] ?? 'stdio';
  if (!program || transport !== 'stdio') return [];
  const inputs = createInputs();
  const values = valuesOf('env', of['environmentVariables'], inputs);
  const leftOut: string[] = [];
  const runtime = argumentsOf(of['runtimeArguments'], inputs, leftOut);
  const identifier = identifierOf(type, of);
  const started = program({
    identifier,
    version: textOf(of['version'], LONGEST.version),
    runtime,
    env: Object.keys(values['env'] ?? {}),
  });
  if (!started) return [];
  const [command = '', ...args] = [...started, ...argumentsOf(of['packageArguments'], inputs, leftOut)];
  return [choiceOf(entry, { command, args, ...values }, inputs, { by: command, what: identifier, leftOut })];
}

function choiceOf(
  { title }: Named,
  server: object,
  inputs: Inputs,
  shown: Omit<RegistryChoice, 'config'>,
): RegistryChoice {
  const asked = inputs.all();
  const config = { ...(asked.length > 0 && { inputs: asked }), servers: { [title]: server } };
  return { ...shown, config: JSON.stringify(config, null, 2) };
}

/** Headers or an environment. */
function valuesOf(
  as: 'headers' | 'env',
  given: unknown,
  inputs: Inputs,
): Record<string, Record<string, string>> {
  const all = firstOf(given).flatMap((each): [string, string][] => {
    const fields = recordOf(each);
    const name = textOf(fields['name'], LONGEST.name);
    return name === '' ? [] : [[name, inputs.valueOf(fields, name)]];
  });
  return all.length > 0 ? { [as]: Object.fromEntries(all) } : {};
}

/** As a program takes them: one that is optional and has no value of its own is left out. */
function argumentsOf(given: unknown, inputs: Inputs, leftOut: string[]): string[] {
  return firstOf(given).flatMap((each) => {
    const fields = recordOf(each);
    const flag = fields['type'] === 'named' ? textOf(fields['name'], LONGEST.name) : '';
    const name = flag || textOf(fields['valueHint'], LONGEST.name) || 'value';
    const hasValue = ['value', 'default'].some((key) => typeof fields[key] === 'string');
    const isAsked = hasValue || fields['isRequired'] === true;
    if (isAsked && fields['value'] === '') return flag === '' ? [] : [flag];
    if (isAsked) return [...(flag === '' ? [] : [flag]), inputs.valueOf(fields, name)];
    // A flag that takes no value is there or not.
    leftOut.push(name);
    return [];
  });
}

const firstOf = (value: unknown): unknown[] => listOf(value).slice(0, 100);

function textOf(value: unknown, most: number): string {
  return stringOf(value).trim().slice(0, most);
}
