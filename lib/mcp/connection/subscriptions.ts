import { type Client, ProtocolError } from '@modelcontextprotocol/client';
import { createSerial } from '../../async.ts';
import { NO_TIMEOUT } from './client-channel.ts';
import { isRecord } from '../../json.ts';
import { anyObject } from '../content/raw.ts';
import { t } from '../../../locales/texts/errors.ts';

export type Subscriptions = {
  /** Which resources' updates are wanted, instead of what was wanted before. */
  subscribe(uris: string[]): void;
  stop(): void;
};

type Watched = {
  client: Client;
  /** Of the resources that are subscribed to from the start. */
  uris: string[];
  /** Changes may have been missed. */
  onGap: () => void;
  note: (text: string) => void;
  /** Whether there is room for one more stream. */
  mayStream: () => boolean;
};

/** Subscribes to changes of a connected server's lists, and of these resources. */
export function createSubscriptions(watched: Watched): Subscriptions {
  return watched.client.getProtocolEra() === 'modern' ? listening(watched) : subscribing(watched);
}

/** Up to 2025-11-25 changes of the lists come by themselves, and each resource is subscribed to. */
function subscribing({ client, uris: first, note }: Watched): Subscriptions {
  let current = new Set<string>();
  // So that the last word counts.
  const serial = createSerial();
  const send = (method: 'resources/subscribe' | 'resources/unsubscribe', uri: string): void => {
    serial(() => client.request({ method, params: { uri } }, anyObject)).catch((error: unknown) =>
      note(t(($) => $.errors.mcp.log.failed, { method, why: String(error) })),
    );
  };
  const subscribe = (uris: string[]): void => {
    if (!client.getServerCapabilities()?.resources?.subscribe) return;
    const wanted = new Set(uris);
    for (const uri of current) if (!wanted.has(uri)) send('resources/unsubscribe', uri);
    for (const uri of wanted) if (!current.has(uri)) send('resources/subscribe', uri);
    current = wanted;
  };
  subscribe(first);
  return { subscribe, stop: () => undefined };
}

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 60_000;

/** From 2026-07-28 on there is one stream for all of it (`subscriptions/listen`). A cut is mended by opening another. */
function listening({ client, uris: first, onGap, note, mayStream }: Watched): Subscriptions {
  let uris = first.toSorted();
  let close: (() => Promise<void>) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts up with each stream that is wanted; what comes of an older one counts no more. */
  let turn = 0;

  /** The new stream is open before the old one is closed, so that nothing is missed between them. */
  const swap = (next: (() => Promise<void>) | undefined): void => {
    void close?.();
    close = next;
  };
  const listen = async (wait: number, isAgain: boolean): Promise<void> => {
    const mine = ++turn;
    clearTimeout(timer);
    const filter = filterOf(client.getServerCapabilities(), uris);
    if (!filter) return swap(undefined);
    if (!mayStream()) {
      timer = setTimeout(() => void listen(FIRST_WAIT, true), LONGEST_WAIT);
      return;
    }
    let next = wait;
    try {
      const subscription = await client.listen(filter, { timeout: NO_TIMEOUT });
      if (mine !== turn) return void subscription.close();
      swap(subscription.close);
      if (isAgain) onGap();
      next = FIRST_WAIT;
      await subscription.closed;
    } catch (error) {
      if (mine === turn)
        note(t(($) => $.errors.mcp.log.failed, { method: 'subscriptions/listen', why: String(error) }));
      // It was refused, and would be again.
      if (error instanceof ProtocolError) return;
    }
    if (mine === turn) timer = setTimeout(() => void listen(Math.min(next * 2, LONGEST_WAIT), true), next);
  };
  void listen(FIRST_WAIT, false);
  return {
    subscribe(wanted) {
      const sorted = wanted.toSorted();
      if (sorted.join('\n') === uris.join('\n')) return;
      uris = sorted;
      void listen(FIRST_WAIT, false);
    },
    stop() {
      turn++;
      clearTimeout(timer);
    },
  };
}

function filterOf(capabilities: ReturnType<Client['getServerCapabilities']>, uris: string[]) {
  const tells = (part: unknown): boolean => isRecord(part) && part['listChanged'] === true;
  const filter = {
    ...(tells(capabilities?.tools) && { toolsListChanged: true }),
    ...(tells(capabilities?.prompts) && { promptsListChanged: true }),
    ...(tells(capabilities?.resources) && { resourcesListChanged: true }),
    ...(uris.length > 0 && capabilities?.resources?.subscribe && { resourceSubscriptions: uris }),
  };
  return Object.keys(filter).length > 0 ? filter : undefined;
}
