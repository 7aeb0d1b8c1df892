import type { ServerInput } from '../../../lib/protocol/servers.ts';
import type { ProviderInput } from '../../../lib/protocol/setup.ts';
import type { Portside } from './browser.ts';

/** The name under which the scene's server offers a tool to the model. */
export const offered = (tool: string): string => `mcp__1__${tool}`;

/** A provider as the scene’s, under the address of a test’s model server. */
export const provider = (baseUrl: string): ProviderInput => ({
  name: 'Test models',
  preset: 'custom',
  baseUrl,
  model: 'test-model',
});

type RemoteInput = Extract<ServerInput, { url: string }>;

/** A server with everything as it is by default. */
export const server = (url: string, fields: Partial<RemoteInput> = {}): RemoteInput => ({
  name: 'Test server',
  transport: 'streamable-http',
  url,
  enabled: true,
  toolTimeout: 30_000,
  trusted: false,
  oneAtATime: false,
  ...fields,
});

/** Adds a server. @returns its id @throws Error unless it is connected then */
export async function addServer({ command }: Pick<Portside, 'command'>, input: ServerInput): Promise<number> {
  const { id, error } = await command('addServer', input);
  if (id === undefined || error) throw new Error(`${input.name}: ${error?.message ?? 'not saved'}`);
  return id;
}
