import { unfenced } from '../../fakes/rows.ts';
import type { Locator } from 'playwright-core';
import { call, type ModelServer, startModelServer, stream, text } from '../../fakes/model-server.ts';
import type { Portside } from '../support/browser.ts';
import { type RealServer, type Relay, startEverything, startRelay } from './real-servers.ts';
import { borrowPortside } from '../support/shared-browser.ts';
import { type Chat, chatIn, offered, provider, unfold } from '../support/scene.ts';

/** The name under which the user saves it. */
export const NAME = 'Everything';

export type Kind = 'streamableHttp' | 'sse';

/** A browser, a scripted model, and the reference server behind a relay that hears what it is sent. */
export type EverythingScene = Chat & {
  portside: Portside;
  model: ModelServer;
  server: RealServer;
  relay: Relay;
  /** Where the relay takes the server’s transport. */
  url: string;
  /** Has the model call a tool, which stands in the panel then; `ended` waits for the end of the answer. */
  begin: (tool: string, args?: object) => Promise<{ card: Locator; ended: () => Promise<void> }>;
  /** The same from begin to end. @returns the call’s result as the panel shows it */
  use: (tool: string, args?: object) => Promise<Locator>;
  /** Calls one as the user tries it in the settings, of which nobody is asked. */
  toggle: (tool: string) => Promise<unknown>;
  /** What the server was sent of this method, in order. */
  heard: (method: string) => Relay['heard'];
  /** What the model was last told by the user or a tool. */
  told: () => string;
  close: () => Promise<void>;
};

export async function openEverything(transport: 'streamableHttp' | 'sse'): Promise<EverythingScene> {
  const server = await startEverything(transport);
  const [model, relay, portside] = await Promise.all([
    startModelServer(),
    startRelay(server.port),
    borrowPortside(),
  ]);
  await portside.command('saveProvider', provider(model.url));
  const chat = chatIn(portside);
  let count = 0;
  const begin: EverythingScene['begin'] = async (tool, args = {}) => {
    const id = `c${++count}`;
    const said = `That was call ${count}.`;
    model.script(
      stream(call({ id, name: offered(tool), arguments: JSON.stringify(args) })),
      stream(text(said)),
    );
    await chat.ask(`Use ${tool}`);
    const ended = async () => {
      await chat.articles('Assistant').getByText(said).waitFor();
      await chat.idle();
    };
    return { card: chat.toolCall(tool).last(), ended };
  };
  return {
    portside,
    model,
    server,
    relay,
    url: `${relay.origin}/${transport === 'sse' ? 'sse' : 'mcp'}`,
    ...chat,
    begin,
    async use(tool, args) {
      const { card, ended } = await begin(tool, args);
      await ended();
      return resultOf(card);
    },
    toggle: (tool) =>
      portside.command('callTool', {
        callId: crypto.randomUUID(),
        fullName: offered(tool),
        arguments: {},
      }),
    heard: (method) => relay.heard.filter((rpc) => rpc.method === method),
    told: () => unfenced(contentOf(model.requests.at(-1)?.body.messages.at(-1)?.content)),
    async close() {
      try {
        await portside.close();
      } finally {
        await Promise.all([model.close(), relay.close(), server.kill()]);
      }
    },
  };
}

/** Opens a call’s card, by a key: of two clicks in one place the panel takes only the first. @returns its result */
export async function resultOf(card: Locator): Promise<Locator> {
  await unfold(card.page());
  await card.waitFor();
  const show = card.getByRole('button', { name: 'Show details' });
  if ((await show.count()) > 0) await show.press('Enter');
  return card.getByRole('region', { name: 'Result' });
}

/** A message’s text, whether it was sent alone or with pictures. */
export function contentOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}
