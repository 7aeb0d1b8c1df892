import { Client, ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { APPS } from '../../lib/mcp/connection/client-channel.ts';
import { REQUEST_CAPABILITIES } from '../../lib/mcp/elicitation/server-requests.ts';
import { PATIENCE, REFUSED, type ConnectedClient, type Reach } from './client.ts';

/** The official client as it comes. It declares what Portside does: servers list by that. @throws what it throws */
export async function connectOfficial(reach: Reach): Promise<ConnectedClient> {
  const { extensions } = REQUEST_CAPABILITIES;
  const client = new Client(
    { name: 'Portside', version: '0' },
    {
      capabilities: { ...REQUEST_CAPABILITIES, extensions: { ...extensions, ...APPS } },
      versionNegotiation: { mode: 'auto' },
    },
  );
  client.setRequestHandler('elicitation/create', () => ({ action: 'cancel' }));
  const transport =
    'url' in reach
      ? new StreamableHTTPClientTransport(new URL(reach.url))
      : new StdioClientTransport({ ...reach, stderr: 'ignore' });
  const within = { timeout: PATIENCE };
  const connected: ConnectedClient = {
    async seen() {
      const can = client.getServerCapabilities();
      const fresh = { ...within, cacheMode: 'bypass' as const };
      // Some servers declare what they do not list.
      const orNone = <T>(listed: Promise<T>): Promise<T | undefined> => listed.catch(() => undefined);
      const prompts = can?.prompts && (await orNone(client.listPrompts({}, fresh)));
      const resources = can?.resources && (await orNone(client.listResources({}, fresh)));
      const templates = can?.resources && (await orNone(client.listResourceTemplates({}, fresh)));
      return {
        revision: client.getNegotiatedProtocolVersion() ?? '',
        tools: can?.tools ? (await client.listTools({}, fresh)).tools : [],
        prompts: prompts?.prompts ?? [],
        resources: resources?.resources ?? [],
        templates: templates?.resourceTemplates ?? [],
      };
    },
    async call(name, args) {
      try {
        const result = await client.callTool({ name, arguments: args }, within);
        const { content, isError = false, structuredContent: structured } = result;
        return { content, isError, structured };
      } catch (error) {
        if (error instanceof ProtocolError) return REFUSED;
        throw error;
      }
    },
    close: () => client.close(),
  };
  try {
    await client.connect(transport, within);
    await connected.seen(); // some servers that lack what they need say so only here
    return connected;
  } catch (error) {
    await client.close();
    throw error;
  }
}
