import { BROWSERS, type BrowserId } from './install/browsers.ts';
import { HOST_COMMAND } from './install/launcher.ts';
import { t } from '../locales/texts/terminal.ts';

const COMMANDS = ['install', 'uninstall', 'status', 'doctor', HOST_COMMAND] as const;

export type Arguments = {
  /** null: shows the help. */
  command: (typeof COMMANDS)[number] | null;
  browsers: BrowserId[];
  /** Of Chromium extensions. */
  ids: string[];
  /** Command lines. */
  servers: string[];
};

/** Reads what stands behind the program's name. Browsers add arguments of their own. @throws Error in words */
export function readArguments([name, ...rest]: string[]): Arguments {
  const read: Arguments = {
    command: COMMANDS.find((each) => each === name) ?? null,
    browsers: [],
    ids: [],
    servers: [],
  };
  if (read.command === HOST_COMMAND) return read;
  const isHelp = name === undefined || /^(-h|--?help|help)$/.test(name) || rest.includes('--help');
  if (isHelp) return { ...read, command: null };
  if (read.command === null) {
    throw new Error(
      name.startsWith('-')
        ? t(($) => $.unknownOption, { option: name })
        : t(($) => $.unknownCommand, { command: name }),
    );
  }
  for (let at = 0; at < rest.length; at += 2) {
    const [option = '', value] = rest.slice(at);
    setOption(read, option, value);
  }
  return read;
}

function setOption(read: Arguments, option: string, value: string | undefined): void {
  const isKnown = ['--browser', '--extension-id', '--server'].includes(option);
  if (!isKnown) {
    throw new Error(
      option.startsWith('-') ? t(($) => $.unknownOption, { option }) : t(($) => $.noOption, { word: option }),
    );
  }
  if (value === undefined) throw new Error(t(($) => $.needsValue, { option }));
  if (option === '--server') {
    // As `npm start` and the options page write it.
    const line = value.replace(/^stdio:/, '').trim();
    if (partsOf(line).join('') === '')
      throw new Error(t(($) => $.noProgram, { value: JSON.stringify(value) }));
    read.servers.push(line);
  }
  if (option === '--browser') {
    const browser = BROWSERS.find(({ id }) => id === value.toLowerCase());
    if (!browser) throw new Error(t(($) => $.unknownBrowser, { name: value }));
    read.browsers.push(browser.id);
  }
  if (option === '--extension-id') {
    if (!/^[a-p]{32}$/.test(value)) throw new Error(t(($) => $.badId, { id: value }));
    read.ids.push(value);
  }
}

/** The parts of a command line, as a shell would cut it: spaces separate, quotes hold together. */
export function partsOf(line: string): string[] {
  return [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([part]) =>
    part.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'),
  );
}
