import { buildExtension } from './build.ts';
import { parseStartArgs, usage, UsageError, type StartOptions } from './start/args.ts';
import { Failure, sayFailure } from './start/failure.ts';
import { runHeaded } from './start/headed.ts';
import { runHeadless } from './start/headless.ts';
import { createLifetime } from './start/lifetime.ts';

/** A run that is being stopped has this long to say what it has. */
const lastWords = 2000;

const lifetime = createLifetime();
const stop = new AbortController();
const fail = (error: unknown) => stop.abort(error);

class Interrupted extends Error {}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => fail(new Interrupted(signal)));
process.on('uncaughtException', fail);
// The parent may end without a signal.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && fail(new Interrupted('orphaned')), 1000).unref();
process.stdout.on('error', fail);

const code = await main();
await lifetime.end();
process.exit(code);

/** @returns the exit code */
async function main(): Promise<number> {
  try {
    const options = parseStartArgs(process.argv.slice(2), process.env);
    if (options) await Promise.race([start(options), stopped()]);
    else process.stdout.write(usage);
    return 0;
  } catch (thrown) {
    const error: unknown = stop.signal.aborted ? stop.signal.reason : thrown;
    if (error instanceof Interrupted) return 130;
    sayFailure(error);
    if (error instanceof UsageError) process.stderr.write(`\n${usage}`);
    return 1;
  }
}

async function start(options: StartOptions): Promise<void> {
  if (options.headless) giveUpAfter(options.timeout);
  process.stderr.write('portside: building the extension…\n');
  const extension = await buildExtension({ browser: 'chrome', granted: true });
  if (options.headless) await runHeadless(options, extension, lifetime, { signal: stop.signal, fail });
  else await runHeaded(options, extension, lifetime);
}

function giveUpAfter(seconds: number): void {
  const late = () =>
    fail(
      new Failure(
        `There was no end after ${seconds} s.`,
        'Allow more with --timeout S, or see what hangs in npm start.',
      ),
    );
  setTimeout(late, seconds * 1000).unref();
}

function stopped(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  stop.signal.addEventListener('abort', () => setTimeout(reject, lastWords, stop.signal.reason));
  return promise;
}
