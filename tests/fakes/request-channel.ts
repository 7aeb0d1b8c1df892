import type { RequestChannel } from '../../lib/runs/deps.ts';

/** To a user who cancels whatever servers ask, with chats that stay as they are. */
export const cancelling: RequestChannel = {
  ask: async () => ({ action: 'cancel' }),
  change: async () => undefined,
};
