import { createQueue } from '../../lib/async.ts';
import { fromWire } from '../../lib/errors.ts';
import type { SignInStart } from '../../lib/types/credentials.ts';
import type { WireError } from '../../lib/types/error.ts';
import type { ServerRequest } from '../../lib/types/request.ts';
import type { PanelEvent } from '../../lib/protocol/panel.ts';
import { openPortside } from '../e2e/support/browser.ts';
import { CLIENT_METADATA_URL, filesOf, type Subject } from './subject.ts';

/** The built extension in a real browser, asked for everything as its own pages ask it. */
export async function openExtension(): Promise<Subject> {
  const portside = await openPortside({ clientMetadataUrl: CLIENT_METADATA_URL });
  const { command } = portside;
  // What a scenario refuses on purpose, the browser's console reports.
  portside.expectComplaint(/Failed to load resource/);
  await portside.options.evaluate(acceptForms);
  /** One window at a time, as it is with a user. */
  const windows = createQueue(() => 1);
  const { signal } = new AbortController();

  return {
    async add(url, client) {
      const { id, error } = await command('addServer', {
        name: new URL(url).host,
        transport: 'streamable-http',
        url,
        enabled: true,
        toolTimeout: 60_000,
        trusted: false,
        oneAtATime: false,
        ...(client && { oauthClient: client }),
      });
      if (id === undefined) throw error ? fromWire(error) : new Error('The server was not saved.');
      return id;
    },
    async status(id) {
      const listed = (await command('listServers')).find(({ server }) => server.id === id);
      if (!listed) throw new Error('The server is gone.');
      return listed.status;
    },
    signIn(id) {
      const signedIn = windows.run('', signal, () => portside.options.evaluate(pressSignIn, id));
      return signedIn.then(({ error }) => {
        // A sign-in that the server does not take leaves it asking for one: it is for the user to try again.
        if (error && error.code !== 'sign_in_not_accepted') throw new Error(error.message);
        return undefined;
      });
    },
    async tools(id) {
      const tools = await command('listTools', { serverId: id });
      return tools
        .filter(({ problem, skill }) => problem === undefined && !skill)
        .map(({ toolName: name, inputSchema }) => ({ name, inputSchema }));
    },
    async skills(id) {
      const tools = await command('listTools', { serverId: id });
      return tools.flatMap(({ toolName: uri, skill }) => (skill ? { uri, files: filesOf(skill) } : []));
    },
    async loadSkill(id, uri, file) {
      const skill = (await command('listTools', { serverId: id })).find(({ toolName }) => toolName === uri);
      if (!skill) throw new Error(`${uri} is not there.`);
      const call = { callId: crypto.randomUUID(), fullName: skill.fullName, arguments: file ? { file } : {} };
      const made = await command('callTool', call);
      const why = 'error' in made ? made.error.message : made.result.isError ? made.result.text : undefined;
      if (why !== undefined) throw new Error(why);
    },
    async call(id, name, args) {
      const tool = (await command('listTools', { serverId: id })).find(({ toolName }) => toolName === name);
      if (!tool) throw new Error(`${name} is not there.`);
      const call = { callId: crypto.randomUUID(), fullName: tool.fullName, arguments: args };
      await command('callTool', call);
    },
    async offer(id) {
      const offer = await command('serverOffer', { serverId: id });
      return {
        prompts: offer?.prompts.map(({ name }) => name) ?? [],
        resources: offer?.resources.map(({ uri }) => uri) ?? [],
      };
    },
    async getPrompt(serverId, name) {
      await command('getPrompt', { serverId, name, arguments: {}, conversationId: 'conformance' });
    },
    async readResource(serverId, uri) {
      await command('readResource', { serverId, uri });
    },
    remove: (id) => command('removeServer', { id }),
    close: () => portside.close(),
  };
}

type Port = {
  postMessage: (message: object) => void;
  onMessage: { addListener: (listener: (events: PanelEvent[]) => void) => void };
};
declare const chrome: {
  runtime: { connect: (info: { name: string }) => Port; sendMessage: (message: object) => Promise<unknown> };
  identity: { launchWebAuthFlow: (details: { url: string; interactive: boolean }) => Promise<string> };
};

/** Runs in the options page, and does what its button does. */
async function pressSignIn(id: number): Promise<{ error?: WireError }> {
  type Answer<T> = { error?: WireError; reply?: T };
  const ask = <T>(command: string, request: object) =>
    chrome.runtime.sendMessage({ command, request }) as Promise<Answer<T>>;
  const started = await ask<SignInStart>('startSignIn', { id });
  if (started.reply?.state !== 'window') return started;
  const outcome = await chrome.identity
    .launchWebAuthFlow({ url: started.reply.url, interactive: true })
    .then((answer) => ({ answer }))
    .catch((error: unknown) => ({ failure: String(error) }));
  return ask('finishSignIn', { id, outcome });
}

/** Runs in the options page: answers every form of a call that was made there. */
function acceptForms(): void {
  const port = chrome.runtime.connect({ name: 'events' });
  const answered = new Set<string>();
  const requestsIn = (event: PanelEvent): ServerRequest[] => {
    if (event.type === 'snapshot') return event.snapshot.requests;
    return (event.type === 'change' && event.rows.requests) || [];
  };
  port.onMessage.addListener((events) => {
    for (const { id, kind } of events.flatMap(requestsIn)) {
      if (kind !== 'form' || answered.has(id)) continue;
      answered.add(id); // all that wait are told with each change
      const request = { requestId: id, action: 'accept' };
      void chrome.runtime.sendMessage({ command: 'answerRequest', request });
    }
  });
  port.postMessage({ type: 'subscribe', subscription: 1, conversationId: '' });
}
