import { createConnections, type RemoteTool } from '../../lib/mcp/connections.ts';
import { createOAuth } from '../../lib/mcp/oauth/oauth.ts';
import type { OAuthServer } from '../../lib/mcp/oauth/deps.ts';
import type { Credentials, WindowOutcome } from '../../lib/types/credentials.ts';
import type { Elicit } from '../../lib/types/request.ts';
import { CLIENT_METADATA_URL, filesOf, type Subject } from './subject.ts';

/** Accepts every form as it stands. */
const accept: Elicit = async () => ({ action: 'accept', isDone: true });

/** Portside's MCP client in this process; what the worker keeps in the database is in memory. */
export async function openNode(): Promise<Subject> {
  const servers = new Map<number, OAuthServer & { client?: { id: string; secret: string } }>();
  const credentials = new Map<number, Credentials>();
  const tools = new Map<number, RemoteTool[]>();
  const oauth = createOAuth({
    fetch,
    isGranted: async () => true,
    store: {
      read: async ({ id }) => credentials.get(id) ?? { issuers: {} },
      async update({ id }, change) {
        const changed = change(credentials.get(id) ?? { issuers: {} });
        credentials.set(id, changed);
        return changed;
      },
      client: async ({ id }) => servers.get(id)?.client,
    },
    redirectUrl: 'http://localhost:3000/callback',
    clientMetadataUrl: CLIENT_METADATA_URL,
    now: Date.now,
    inBackground: (job) => void job().catch(() => undefined),
  });
  const connections = createConnections({
    authProvider: (config) => oauth.authProvider(config),
    onStatus: () => undefined,
    onTools: (id, listed) => tools.set(id, listed),
  });
  const serverOf = (id: number) => {
    const server = servers.get(id);
    if (!server) throw new Error('The server is gone.');
    return server;
  };
  /** What came of it is in the status. */
  const connect = (id: number) =>
    connections
      .connect({
        ...serverOf(id),
        transport: 'streamable-http',
        toolTimeout: 60_000,
        headers: {},
      })
      .catch(() => undefined);
  const signal = new AbortController().signal;

  return {
    async add(url, client) {
      const id = servers.size + 1;
      servers.set(id, { id, name: new URL(url).host, url, ...(client && { client }) });
      await connect(id);
      return id;
    },
    status: async (id) => connections.status(id),
    async signIn(id) {
      const start = await oauth.startSignIn(serverOf(id));
      if (start.state === 'window') await oauth.finishSignIn(serverOf(id), await redirected(start.url));
      await connections.disconnect(id);
      await connect(id);
    },
    tools: async (id) =>
      (tools.get(id) ?? []).filter(({ problem, skill }) => problem === undefined && !skill),
    skills: async (id) =>
      (tools.get(id) ?? []).flatMap(({ name: uri, skill }) => (skill ? { uri, files: filesOf(skill) } : [])),
    async loadSkill(id, uri, file) {
      const skill = (tools.get(id) ?? []).find(({ name }) => name === uri)?.skill;
      if (!skill) throw new Error(`${uri} is not there.`);
      await connections.readSkill(id, { uri, ...skill }, file, { signal, elicit: accept });
    },
    async call(id, name, args) {
      await connections.call(id, name, args, {
        signal,
        started: async () => undefined,
        accepted: async () => undefined,
        progress: () => undefined,
        mayRun: async () => undefined,
        elicit: accept,
        idempotent: false,
      });
    },
    async offer(id) {
      const offer = connections.offer(id);
      return {
        prompts: offer?.prompts.map(({ name }) => name) ?? [],
        resources: offer?.resources.map(({ uri }) => uri) ?? [],
      };
    },
    async getPrompt(id, name) {
      await connections.getPrompt(id, name, {}, { signal, elicit: accept });
    },
    async readResource(id, uri) {
      await connections.readResource(id, uri, { signal, elicit: accept });
    },
    remove: (id) => connections.disconnect(id),
    close: async () => undefined,
  };
}

/** The suite's authorization servers let everybody in and send them back at once. */
async function redirected(url: string): Promise<WindowOutcome> {
  const answer = await fetch(url, { redirect: 'manual' });
  const location = answer.headers.get('location');
  if (location === null) throw new Error(`The authorization server answered with HTTP ${answer.status}.`);
  return { answer: new URL(location, url).href };
}
