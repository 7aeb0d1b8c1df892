// From a fresh clone to a running command, on Node 20 or newer and nothing else: packages, a browser, then the script.
// Dependency-free by necessity. Everything it says goes to stderr.
import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { provideChromium, provideTestPrograms } from './setup/browsers.mjs';
import { giveUp } from './setup/command.mjs';
import { findNode, installPackages } from './setup/packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const [script, ...args] = process.argv.slice(2);
if (!['start', 'test', 'native-host'].includes(script)) {
  giveUp(`there is no script "${script ?? ''}".`, 'Use npm start, npm test or npm run native-host.');
}

await Promise.all([
  // A test of this command runs out of the very packages that would be replaced.
  !process.env.PORTSIDE_INSTALLED && installPackages(root),
  script === 'test' && provideTestPrograms(),
]);
const node = await findNode(root);
const env = {
  ...process.env,
  PATH: [join(root, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter),
  // The same packages are loaded by many processes, one after another.
  NODE_COMPILE_CACHE: join(root, '.cache', 'compiled'),
  ...(script !== 'native-host' && { PORTSIDE_BROWSER: await provideChromium(root, node) }),
};

const child = spawn(
  node,
  // Node 22.12 runs .ts files only when told to; later ones take the flag as said already.
  [
    '--experimental-strip-types',
    '--disable-warning=ExperimentalWarning',
    join(root, 'scripts', `${script}.ts`),
    ...args,
  ],
  { cwd: root, env, stdio: 'inherit' },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
// npm passes a signal on to its shell only, which may die without telling: then nothing else ends what runs here.
const parent = process.ppid;
const watch = setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 1000);
child.on('error', (error) =>
  giveUp(`${node} did not start: ${error.message}`, 'Delete node_modules and try again.'),
);
child.on('exit', (code, signal) => {
  clearInterval(watch);
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
});
