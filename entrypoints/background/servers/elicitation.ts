import { AppError } from '../../../lib/errors.ts';
import type { RequestChannel } from '../../../lib/runs/deps.ts';
import { OWN_CALLS } from '../../../lib/protocol/chats.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import type { AskedBy, Elicit } from '../../../lib/types/request.ts';
import { noServer } from './server-connections.ts';
import { t } from '../../../locales/texts/errors.ts';

/** In which call, or in which chat's draft (`callId` null), a server may ask something. */
export type ElicitationOrigin = Pick<AskedBy, 'serverId' | 'callId' | 'conversationId'>;

export type ElicitationDeps = {
  /** For one call, or one fetch of a prompt or a resource. */
  elicitFromUser: (by: AskedBy, channel: RequestChannel) => Elicit;
  /** Whether a page shows what is asked in this conversation. */
  isShown: (conversationId: string) => boolean;
};

/**
 * The way from a server to the user. A chat is found again with what waits in it; what is done outside any chat is
 * asked on the page where it was begun, and nowhere once that is closed. The channel comes with each call: runs make calls,
 * and in a call a server asks through its run.
 */
export function createElicitation(
  db: Database,
  { elicitFromUser, isShown }: ElicitationDeps,
): (origin: ElicitationOrigin, channel: RequestChannel) => Elicit {
  return (origin, channel) => {
    let elicit: Elicit | undefined;
    return async (body, signal) => {
      if (origin.conversationId === OWN_CALLS && !isShown(OWN_CALLS)) throw noAnswerPage();
      const server = await db.get('servers', origin.serverId);
      if (!server) throw noServer();
      const serverHost = server.transport === 'stdio' ? server.command : new URL(server.url).host;
      elicit ??= elicitFromUser({ ...origin, serverName: server.name, serverHost }, channel);
      return elicit(body, signal);
    };
  };
}

function noAnswerPage(): AppError {
  return new AppError({ code: 'nobody_there', ...t(($) => $.errors.setup.nobodyThere) });
}
