import { basename } from 'node:path';
import type { Page } from 'playwright-core';
import { startDemoServer } from '../../demo/server.ts';
import type { ServerInput } from '../../lib/protocol/servers.ts';
import type { Server } from '../../lib/types/server.ts';
import type { ServerArg, StartOptions } from './args.ts';
import { addServer, command } from './extension.ts';
import { Failure } from './failure.ts';
import { printable } from './transcript.ts';
import type { Lifetime } from './lifetime.ts';

const demoName = 'Demo server';
const defaultToolTimeout = 30_000;

/**
 * Sets up the servers of the command line, or the demo server, started here. One that does not connect is said and
 * left to the extension, which tries again. Of an address only the host is printed: a key may be
 * in its path or query.
 * @param known the servers of a profile that was used before
 * @throws Failure when the extension does not take one of them
 */
export async function setUpServers(
  page: Page,
  options: StartOptions,
  lifetime: Lifetime,
  known: Server[] = [],
): Promise<void> {
  const inputs = options.servers.length > 0 ? given(options) : [await demo(options, lifetime)];
  const stale = known.find(({ name }) => name === demoName && !inputs.some((input) => input.name === name));
  if (stale) await command(page, 'removeServer', { id: stale.id });
  await Promise.all(inputs.map((input) => setUp(page, input, known)));
}

async function setUp(page: Page, input: ServerInput, known: Server[]): Promise<void> {
  const failure = await addServer(page, input, known).catch((error: unknown) => {
    throw error instanceof Failure ? ofServer(input, error) : error;
  });
  if (failure) process.stderr.write(`portside: ${printable(ofServer(input, failure).lines.join(' '))}\n`);
}

function ofServer(input: ServerInput, failure: Failure): Failure {
  if (input.transport === 'stdio') return failure;
  const { lines } = failure;
  const { name, url } = input;
  const { origin, pathname, host } = new URL(url);
  const [message = '', ...more] = lines.map((line) => line.replaceAll(origin + pathname, host));
  return new Failure(`${name}: ${message}`, ...more);
}

async function demo(options: StartOptions, lifetime: Lifetime): Promise<ServerInput> {
  const server = await startDemoServer();
  lifetime.add(server.stop);
  return { ...common(options), name: demoName, transport: 'streamable-http', url: server.url };
}

/** Named by their hosts or programs; a second one of the same name gets a number. */
function given(options: StartOptions): ServerInput[] {
  const names = options.servers.map(nameOf);
  return options.servers.map((server, index) => {
    const own = nameOf(server);
    const before = names.slice(0, index).filter((name) => name === own).length;
    const name = before === 0 ? own : `${own} (${before + 1})`;
    // The command line names the program, which allows it.
    if (server.transport === 'stdio') return { ...common(options), ...server, name, launchAllowed: true };
    return { ...common(options), ...server, name, headers: options.headers };
  });
}

function nameOf(server: ServerArg): string {
  return server.transport === 'stdio' ? basename(server.command) : new URL(server.url).host;
}

function common({ toolTimeout = defaultToolTimeout }: StartOptions) {
  return { enabled: true, toolTimeout, trusted: false, oneAtATime: false };
}
