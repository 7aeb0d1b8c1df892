import { SseError } from '@modelcontextprotocol/client';
import type { ClientChannel } from './client-channel.ts';

/** What a server tells of unasked (MCP, list_changed and resources/updated). */
export function watchNotifications(
  { client }: ClientChannel,
  on: { changed: () => void; updated: (uri: string) => void },
): void {
  client.setNotificationHandler('notifications/tools/list_changed', on.changed);
  client.setNotificationHandler('notifications/prompts/list_changed', on.changed);
  client.setNotificationHandler('notifications/resources/list_changed', on.changed);
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => on.updated(params.uri));
}

type Loss = Record<'failing' | 'doubtful' | 'lost', () => void>;

/** What its client and its stream say of a connection that may be lost. */
export function watchForLoss(channel: ClientChannel, { failing, doubtful, lost }: Loss): void {
  channel.onStreamFailing = failing;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the client is no EventTarget
  channel.client.onerror = (error) => {
    doubtful();
    // An SSE stream is the session: when it drops, the transport would reconnect to a server that forgot us.
    if (error instanceof SseError) lost();
  };
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- likewise
  if (channel.program) channel.client.onclose = lost;
}
