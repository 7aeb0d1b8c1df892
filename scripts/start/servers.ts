import type { Page } from 'playwright-core';
import { startDemoServer } from '../../demo/server.ts';
import type { ServerInput } from '../../lib/protocol.ts';
import type { Server } from '../../lib/types/setup.ts';
import type { StartOptions } from './args.ts';
import { addServer, command } from './extension.ts';
import { Failure } from './failure.ts';
import type { Lifetime } from './lifetime.ts';

type RemoteInput = Extract<ServerInput, { url: string }>;

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

async function setUp(page: Page, input: RemoteInput, known: Server[]): Promise<void> {
  const failure = await addServer(page, input, known).catch((error: unknown) => {
    throw error instanceof Failure ? ofServer(input, error) : error;
  });
  if (failure) process.stderr.write(`portside: ${ofServer(input, failure).lines.join(' ')}\n`);
}

function ofServer({ name, url }: RemoteInput, { lines }: Failure): Failure {
  const { origin, pathname, host } = new URL(url);
  const [message = '', ...more] = lines.map((line) => line.replaceAll(origin + pathname, host));
  return new Failure(`${name}: ${message}`, ...more);
}

async function demo(options: StartOptions, lifetime: Lifetime): Promise<RemoteInput> {
  const server = await startDemoServer();
  lifetime.add(server.stop);
  return { ...common(options), name: demoName, transport: 'streamable-http', url: server.url };
}

/** Named by their hosts; a second one on the same host gets a number. */
function given(options: StartOptions): RemoteInput[] {
  return options.servers.map(({ url, transport }, index) => {
    const { host } = new URL(url);
    const before = options.servers.slice(0, index).filter((other) => new URL(other.url).host === host).length;
    const name = before === 0 ? host : `${host} (${before + 1})`;
    return { ...common(options), name, transport, url, headers: options.headers };
  });
}

function common({ toolTimeout = defaultToolTimeout }: StartOptions) {
  return { enabled: true, toolTimeout, trusted: false, oneAtATime: false };
}
