import { AppError } from '../../lib/errors.ts';
import type { AskedBy } from '../../lib/runs/requests.ts';
import { OWN_CALLS } from '../../lib/protocol/chats.ts';
import type { Database } from '../../lib/storage/database.ts';
import type { Ask } from '../../lib/types/request.ts';
import { noServer } from './server-connections.ts';
import { t } from '../../locales/texts/errors.ts';

/** In which call, or in which chat's draft (`callId` null), a server may ask something. */
export type AskOrigin = Pick<AskedBy, 'serverId' | 'callId' | 'conversationId'>;

export type AskingDeps = {
  /** For one call, or one fetch of a prompt or a resource. */
  askPerson: (by: AskedBy) => Ask;
  /** Whether a page shows what is asked in this conversation. */
  isShown: (conversationId: string) => boolean;
};

/**
 * The way from a server to the person. A chat is found again with what waits in it; what is done outside any chat is
 * asked on the page where it was begun, and nowhere once that is closed.
 */
export function createAsking(db: Database, { askPerson, isShown }: AskingDeps): (origin: AskOrigin) => Ask {
  return (origin) => {
    let ask: Ask | undefined;
    return async (body, signal) => {
      if (origin.conversationId === OWN_CALLS && !isShown(OWN_CALLS)) throw nobodyThere();
      const server = await db.get('servers', origin.serverId);
      if (!server) throw noServer();
      const serverHost = server.transport === 'stdio' ? server.command : new URL(server.url).host;
      ask ??= askPerson({ ...origin, serverName: server.name, serverHost });
      return ask(body, signal);
    };
  };
}

function nobodyThere(): AppError {
  return new AppError({ code: 'nobody_there', ...t(($) => $.errors.setup.nobodyThere) });
}
