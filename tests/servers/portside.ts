import { createConnections, type RemoteTool } from '../../lib/mcp/connections.ts';
import { createNativeLink } from '../../lib/mcp/transport/native-link.ts';
import { browserFor } from '../native-host/connect.ts';
import { PATIENCE, REFUSED, type ConnectedClient, type Reach } from './client.ts';

/** Portside's client, which starts programs through the native host. `folder`: for that one's files. @throws AppError */
export async function connectPortside(reach: Reach, folder: string): Promise<ConnectedClient> {
  const browser = browserFor(folder);
  let tools: RemoteTool[] = [];
  const connections = createConnections({
    native: createNativeLink(browser.connect),
    connectTimeout: PATIENCE,
    onStatus: () => undefined,
    onTools: (_id, listed) => (tools = listed),
  });
  const close = async (): Promise<void> => {
    await connections.disconnect(1);
    await browser.end();
  };
  const common = { id: 1, name: 'The server', toolTimeout: PATIENCE, showsApps: true };
  try {
    await connections.connect(
      'url' in reach
        ? { ...common, transport: 'streamable-http', url: reach.url, headers: {} }
        : { ...common, transport: 'stdio', launch: reach },
    );
  } catch (error) {
    await close();
    throw error;
  }
  const signal = new AbortController().signal;
  return {
    async seen() {
      const offer = connections.offer(1);
      if (!offer) throw new Error('Portside lost its connection.');
      const { info, prompts, resources, templates } = offer;
      const listed = tools.filter(({ skill }) => !skill);
      return { revision: info.protocolVersion, tools: listed, prompts, resources, templates };
    },
    async call(name, args) {
      const { result, status } = await connections.call(1, name, args, {
        signal,
        started: async () => undefined,
        accepted: async () => undefined,
        progress: () => undefined,
        mayRun: async () => undefined,
        elicit: async () => ({ action: 'cancel' }),
        idempotent: false,
      });
      const { blocks, isError, structured, text } = result;
      if (!blocks && status !== 'error') throw new Error(text);
      if (!blocks) return REFUSED; // in Portside's words, not the server's
      const content = blocks.map((block) => (block.type === 'unknown' ? block.value : block));
      return { content, isError, structured };
    },
    close,
  };
}
