import { AppError } from '../../../lib/errors.ts';
import { OWN_CALLS } from '../../../lib/protocol/chats.ts';
import type { Request } from '../../../lib/protocol/commands.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import type { Offer } from '../../../lib/types/offer.ts';
import type { Elicit } from '../../../lib/types/request.ts';
import type { ContentBlock } from '../../../lib/types/tools/tool-result.ts';
import type { ElicitationOrigin } from './elicitation.ts';
import type { ServerConnections } from './server-connections.ts';
import { t } from '../../../locales/texts/errors.ts';

/** Characters of JSON. The browser hands no page much more at once. */
const MAX_SHOWN = 30_000_000;

export type OffersDeps = {
  servers: Pick<
    ServerConnections,
    'offer' | 'shownOffer' | 'reach' | 'complete' | 'readResource' | 'log' | 'getPrompt'
  >;
  elicitFor: (origin: ElicitationOrigin) => Elicit;
};

/** What connected servers offer besides tools, and what they log. */
export function createOffers(db: Database, { servers, elicitFor }: OffersDeps) {
  /** What each connected server that is on makes of its offer, by server. */
  async function ofEach<T>(part: (offer: Offer) => T[]) {
    const enabled = (await db.getAll('servers')).filter((server) => server.enabled);
    return enabled.flatMap(({ id, name }) => {
      const offer = servers.offer(id);
      return offer ? part(offer).map((each) => ({ ...each, serverId: id, serverName: name })) : [];
    });
  }

  async function resources() {
    return {
      resources: await ofEach((offer) => offer.resources),
      templates: await ofEach((offer) => offer.templates),
    };
  }

  /** Outside any chat; nothing is kept. */
  async function read({ serverId, uri }: Request<'readResource'>): Promise<ContentBlock[]> {
    await servers.reach(serverId);
    const elicit = elicitFor({ serverId, callId: null, conversationId: OWN_CALLS });
    const blocks = await servers.readResource(serverId, uri, {
      signal: new AbortController().signal,
      elicit,
    });
    if (JSON.stringify(blocks).length > MAX_SHOWN) throw tooLarge();
    return blocks;
  }

  async function complete({ serverId, ref, argument, others }: Request<'complete'>) {
    await servers.reach(serverId);
    return servers.complete(serverId, ref, argument, others);
  }

  return {
    of: ({ serverId }: Request<'serverOffer'>) => servers.shownOffer(serverId) ?? null,
    log: ({ serverId }: Request<'serverLog'>) => servers.log(serverId),
    prompts: async () =>
      ofEach((offer) => offer.prompts.toSorted((one, other) => one.name.localeCompare(other.name))),
    resources,
    read,
    complete,
  };
}

/** What servers say of themselves to the model that gets tools of theirs, unless the user does not want it. */
export async function instructionsOf(
  db: Database,
  servers: Pick<ServerConnections, 'offer'>,
  serverIds: ReadonlySet<number>,
) {
  if (serverIds.size === 0) return [];
  const rows = (await db.getAll('servers')).filter(({ id }) => serverIds.has(id));
  return rows.flatMap(({ id, name, withoutInstructions }) => {
    const text = withoutInstructions ? undefined : servers.offer(id)?.info.instructions;
    return text === undefined ? [] : [{ serverId: id, name, instructions: text }];
  });
}

function tooLarge(): AppError {
  return new AppError({
    code: 'resource_too_large',
    ...t(($) => $.errors.setup.resourceTooLarge, { most: MAX_SHOWN }),
  });
}
