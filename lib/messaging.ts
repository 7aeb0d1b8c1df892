import { browser } from 'wxt/browser';
import * as workerErrors from '../locales/errors/worker.ts';
import { fromWire, toWire } from './errors.ts';
import type { Commands, Reply, Request } from './protocol/commands.ts';
import type { PanelEvent, PanelRequest } from './protocol/panel.ts';
import type { WireError } from './types/error.ts';

type CommandName = keyof Commands;

type Envelope = { command: CommandName; request: unknown };
type Answer = { ok: true; reply: unknown } | { ok: false; error: WireError };
/** A command on the event port, and what comes back. */
type Asked = Envelope & { id: number };
type Answered = { type: 'answer'; id: number; answer: Answer };

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
  const envelope: Envelope = { command, request };
  const answer =
    (command === 'startRun' && (await askOnPort?.(envelope).catch(() => undefined))) ||
    ((await browser.runtime
      .sendMessage(envelope)
      .catch((error: unknown) => console.warn('The worker was not reached.', error))) as Answer | undefined);
  if (answer === undefined) {
    throw fromWire({ code: 'worker_unreachable', ...workerErrors.unreachable, retryable: true });
  }
  if (!answer.ok) throw fromWire(answer.error);
  return answer.reply as Reply<K>;
}

/**
 * Asks on the page's event port while it is up, which takes a third of the time of a message of its own; undefined when
 * the port dropped before the answer came. Only for what may be asked twice.
 */
let askOnPort: ((envelope: Envelope) => Promise<Answer | undefined>) | undefined;

/** True for messages from Portside's own pages: never from a web page, a content script or another extension. */
function isOwnPage(sender: { id?: string | undefined; url?: string | undefined }): boolean {
  return sender.id === browser.runtime.id && (sender.url ?? '').startsWith(browser.runtime.getURL('/'));
}

/** Registers the worker's side of `sendCommand`. Call it synchronously while the worker starts. */
export function handleCommands(handlers: CommandHandlers): void {
  answerTo = (message) => {
    if (!isEnvelope(message, handlers)) return undefined;
    const handle = handlers[message.command] as (request: unknown) => unknown;
    return Promise.resolve()
      .then(() => handle(message.request))
      .then(
        (reply): Answer => ({ ok: true, reply }),
        (error: unknown): Answer => ({ ok: false, error: toWire(error) }),
      );
  };
  browser.runtime.onMessage.addListener((message: unknown, sender) =>
    isOwnPage(sender) ? answerTo(message) : undefined,
  );
}

/** What the worker answers to a message; undefined when it is no command. */
let answerTo = (_message: unknown): Promise<Answer> | undefined => undefined;

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

/**
 * What happens within half a frame is told to a page together: a message costs both ends more than what is in it, and
 * what a run says of its beginning must not get in the way of its request. What a page waits for goes at once.
 */
const TOGETHER_MS = 8;

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
    let untold: (PanelEvent | Answered)[] = [];
    const post = (told: typeof untold): boolean => {
      try {
        if (open) port.postMessage(told);
        return true;
      } catch (error) {
        // A run belongs to its conversation: what one page can't be told must not end it.
        console.warn('A page could not be told.', error);
        return false;
      }
    };
    const flush = (): void => {
      const all = untold;
      untold = [];
      // Together they may be more than the browser carries.
      if (all.length > 0 && !post(all) && all.length > 1) for (const each of all) post([each]);
    };
    const tell = (told: PanelEvent | Answered): void => {
      if (!open) return;
      untold.push(told);
      if (told.type === 'setup' || told.type === 'snapshot') flush();
      else if (untold.length === 1) setTimeout(flush, TOGETHER_MS);
    };
    const panel: PanelPort = {
      get open() {
        return open;
      },
      send: tell,
    };
    port.onMessage.addListener((message: unknown) => {
      if (isPanelRequest(message)) handlers.request(panel, message);
      else if (isAsked(message))
        void answerTo(message)?.then((answer) => tell({ type: 'answer', id: message.id, answer }));
    });
    port.onDisconnect.addListener(() => {
      open = false;
      handlers.gone(panel);
    });
  });
}

function isAsked(message: unknown): message is Asked {
  return (
    typeof message === 'object' && message !== null && 'id' in message && Number.isSafeInteger(message.id)
  );
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

/**
 * A page's end: opens the port, says `request`, hands over every event until the port drops. `send` does nothing once the
 * port takes no more, of which `dropped` tells; to a page that is going away Firefox tells not even that.
 */
export function openEventPort(
  request: PanelRequest,
  handlers: { event: (event: PanelEvent) => void; dropped: () => void },
): { send: (request: PanelRequest) => void } {
  const port = browser.runtime.connect({ name: PORT_NAME });
  const asked: ((answer: Answer | undefined) => void)[] = [];
  const ask = (envelope: Envelope): Promise<Answer | undefined> =>
    new Promise((resolve) => {
      const id = asked.push(resolve) - 1;
      port.postMessage({ ...envelope, id } satisfies Asked);
    });
  askOnPort = ask;
  port.onMessage.addListener((message: unknown) => {
    for (const told of message as (PanelEvent | Answered)[]) {
      if (told.type === 'answer') asked[told.id]?.(told.answer);
      else handlers.event(told);
    }
  });
  port.onDisconnect.addListener(() => {
    if (askOnPort === ask) askOnPort = undefined;
    for (const resolve of asked) resolve(undefined);
    handlers.dropped();
  });
  port.postMessage(request);
  return {
    send(next) {
      try {
        port.postMessage(next);
      } catch (error) {
        console.debug(error);
      }
    },
  };
}
