import { browser } from 'wxt/browser';
import * as workerErrors from '../locales/errors/worker.ts';
import { fromWire, toWire } from './errors.ts';
import type { Commands, PanelEvent, PanelRequest } from './protocol.ts';
import type { WireError } from './types/error.ts';

type CommandName = keyof Commands;
type Request<K extends CommandName> = Parameters<Commands[K]> extends [infer R] ? R : undefined;
type Reply<K extends CommandName> = ReturnType<Commands[K]>;

type Envelope = { command: CommandName; request: unknown };
type Answer = { ok: true; reply: unknown } | { ok: false; error: WireError };

/** One handler a command; a missing one does not compile. */
export type CommandHandlers = {
  [K in CommandName]: (request: Request<K>) => Promise<Reply<K>> | Reply<K>;
};

/**
 * Asks the worker, waking it if it rests.
 * @throws AppError what the worker answered, or `worker_unreachable` when it did not.
 */
export async function sendCommand<K extends CommandName>(
  command: K,
  ...[request]: Parameters<Commands[K]>
): Promise<Reply<K>> {
  const answer = (await browser.runtime
    .sendMessage({ command, request } satisfies Envelope)
    .catch((error: unknown) => console.warn('The worker was not reached.', error))) as Answer | undefined;
  if (answer === undefined) {
    throw fromWire({ code: 'worker_unreachable', ...workerErrors.unreachable, retryable: true });
  }
  if (!answer.ok) throw fromWire(answer.error);
  return answer.reply as Reply<K>;
}

/** True for messages from Portside's own pages: never from a web page, a content script or another extension. */
function isOwnPage(sender: { id?: string | undefined; url?: string | undefined }): boolean {
  return sender.id === browser.runtime.id && (sender.url ?? '').startsWith(browser.runtime.getURL('/'));
}

/** Registers the worker's side of `sendCommand`. Call it synchronously while the worker starts. */
export function handleCommands(handlers: CommandHandlers): void {
  browser.runtime.onMessage.addListener((message: unknown, sender) => {
    if (!isOwnPage(sender) || !isEnvelope(message, handlers)) return undefined;
    const handle = handlers[message.command] as (request: unknown) => unknown;
    return Promise.resolve()
      .then(() => handle(message.request))
      .then(
        (reply): Answer => ({ ok: true, reply }),
        (error: unknown): Answer => ({ ok: false, error: toWire(error) }),
      );
  });
}

function isEnvelope(message: unknown, handlers: CommandHandlers): message is Envelope {
  return (
    typeof message === 'object' &&
    message !== null &&
    'command' in message &&
    typeof message.command === 'string' &&
    Object.hasOwn(handlers, message.command)
  );
}

/** Tells all panels that there is an intent. Unlike a port it reaches those that nothing was said to for a while. */
export function announceIntent(): void {
  const channel = new BroadcastChannel(INTENTS);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin
  channel.postMessage(null);
  channel.close();
}

/** @param came called for each intent that is left from now on */
export function listenForIntents(came: () => void): void {
  new BroadcastChannel(INTENTS).addEventListener('message', came);
}

const INTENTS = 'intents';
const PORT_NAME = 'events';

/** The worker's end of one page's event port. `send` does nothing once the page has closed. */
export type PanelPort = { readonly open: boolean; send: (event: PanelEvent) => void };

/** Registers the worker's side of the event port. Call it synchronously while the worker starts. */
export function listenForPanels(handlers: {
  request: (port: PanelPort, request: PanelRequest) => void;
  gone: (port: PanelPort) => void;
}): void {
  browser.runtime.onConnect.addListener((port) => {
    if (port.name !== PORT_NAME || !port.sender || !isOwnPage(port.sender)) return;
    let open = true;
    const panel: PanelPort = {
      get open() {
        return open;
      },
      send(event) {
        if (!open) return;
        try {
          port.postMessage(event);
        } catch (error) {
          // A run belongs to its conversation: what one page can't be told must not end it.
          console.warn('A page could not be told.', error);
        }
      },
    };
    port.onMessage.addListener((message: unknown) => {
      if (isPanelRequest(message)) handlers.request(panel, message);
    });
    port.onDisconnect.addListener(() => {
      open = false;
      handlers.gone(panel);
    });
  });
}

function isPanelRequest(message: unknown): message is PanelRequest {
  if (typeof message !== 'object' || message === null || !('type' in message)) return false;
  if (message.type === 'watch_setup') {
    const logOf: unknown = 'logOf' in message ? message.logOf : undefined;
    return logOf === undefined || Number.isSafeInteger(logOf);
  }
  if (message.type === 'visibility') return 'isHidden' in message && typeof message.isHidden === 'boolean';
  if (message.type !== 'watch' || !('conversationId' in message)) return false;
  const { conversationId } = message;
  if (conversationId !== null && typeof conversationId !== 'string') return false;
  return !('place' in message) || isPlace(message.place);
}

function isPlace(place: unknown): boolean {
  if (typeof place !== 'object' || place === null) return false;
  return Object.values(place).every(Number.isSafeInteger);
}

/** A page's end: opens the port, says `request`, hands over every event until the port drops. */
export function openEventPort(
  request: PanelRequest,
  handlers: { event: (event: PanelEvent) => void; dropped: () => void },
): { send: (request: PanelRequest) => void } {
  const port = browser.runtime.connect({ name: PORT_NAME });
  port.onMessage.addListener((message: unknown) => handlers.event(message as PanelEvent));
  port.onDisconnect.addListener(() => handlers.dropped());
  port.postMessage(request);
  return { send: (next) => port.postMessage(next) };
}
