import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readArguments, type Arguments } from './arguments.ts';
import { runInstall, runStatus, runUninstall, sayDoctor } from './commands.ts';
import { BROWSERS } from './install/browsers.ts';
import { HOST_COMMAND, OLDEST_NODE } from './install/launcher.ts';
import { thisMachine } from './install/machine.ts';
import { isNewEnough } from './install/node-path.ts';
import { serve } from './host.ts';
import { VERSION as version } from './version.ts';
import { t } from '../locales/texts/terminal.ts';
import { languageFor } from '../lib/types/languages.ts';
import { speak, type TextFile } from '../locales/translate.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Bundled, since the native host is one file. */
const files = import.meta.glob<TextFile>('../locales/*/terminal.json', { eager: true, import: 'default' });

/** Has what is written to the terminal said in the language that the system speaks. */
function speakTerminal(): void {
  const language = languageFor(new Intl.DateTimeFormat().resolvedOptions().locale);
  const terminal = language && files[`../locales/${language}/terminal.json`];
  if (terminal) speak(language, { terminal });
}

/** Whether it went well. */
async function runCommand({ command, browsers, ids, servers }: Arguments): Promise<boolean> {
  const machine = thisMachine();
  switch (command) {
    case 'install':
      return runInstall(
        machine,
        // This very file: bundled, it is all that the native host is.
        {
          version,
          program: readFileSync(fileURLToPath(import.meta.url), 'utf8'),
          running: process.execPath,
          browsers,
          ids,
        },
        say,
      );
    case 'uninstall':
      return runUninstall(machine, say);
    case 'status':
      return runStatus(machine, say);
    case 'doctor':
      return sayDoctor(machine, version, servers, say);
    default:
      say(t(($) => $.usage, { browsers: BROWSERS.map(({ id }) => id).join(', ') }));
      return true;
  }
}

speakTerminal();
try {
  const given = process.argv.slice(2);
  if (/^(?:-v|--version)$/.test(given[0] ?? '')) {
    say(version);
    process.exit();
  }
  const read = readArguments(given);
  if (read.command === HOST_COMMAND) {
    await serve();
    process.exit();
  }
  if (!isNewEnough(process.versions.node)) {
    throw new Error(t(($) => $.oldNode, { version: process.versions.node, oldest: OLDEST_NODE }));
  }
  // The reader may close early, as `| head` does: what is to be done is done all the same.
  process.stdout.on('error', () => undefined);
  if (!(await runCommand(read))) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`portside-native-host: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
