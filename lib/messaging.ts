import { browser } from 'wxt/browser';
import { fromWire, toWire } from './errors.ts';
import { ASKED_BY, type AskedBy } from './protocol/asked-by.ts';
import type { Commands, Reply, Request } from './protocol/commands.ts';
import type { PanelEvent, PanelRequest } from './protocol/panel.ts';
import type { WireError } from './types/error.ts';
import { t } from '../locales/texts/shared.ts';

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
  const mayAskTwice = command === 'startRun'; // its ids are the page's
  const answer =
    (mayAskTwice && (await askOnPort?.(envelope).catch(() => undefined))) ||
    (await askWorker(envelope)) ||
    // The worker may have ended in the middle: the next message starts another one.
    (mayAskTwice && (await askWorker(envelope)));
  if (!answer) throw fromWire(unreachable());
  if (!answer.ok) throw fromWire(answer.error);
  return answer.reply as Reply<K>;
}

/** What a page says when the worker answers nothing at all. */
export const unreachable = (): WireError => ({
  code: 'worker_unreachable',
  ...t(($) => $.faults.unreachable),
  retryable: true,
});

const askWorker = (envelope: Envelope): Promise<Answer | undefined> =>
  browser.runtime
    .sendMessage(envelope)
    .catch((error: unknown) => console.warn('The worker was not reached.', error)) as Promise<
    Answer | undefined
  >;

/**
 * Asks on the page's event port while it is up, which takes a third of the time of a message of its own; undefined when
 * the port dropped before the answer came. Only for what may be asked twice.
 */
let askOnPort: ((envelope: Envelope) => Promise<Answer | undefined>) | undefined;

type Sender = { id?: string | undefined; url?: string | undefined };

/**
 * Which of Portside's pages a message is from. Undefined for all others: web pages, content scripts, other extensions, and
 * the document that reads what is hostile (entrypoints/offscreen), which has nothing to ask.
 */
function pageOf({ id, url = '' }: Sender): (typeof PAGES)[number] | undefined {
  if (id !== browser.runtime.id) return undefined;
  const [path] = url.split(/[?#]/, 1);
  return PAGES.find((page) => path === browser.runtime.getURL(`/${page}.html`));
}

const PAGES = ['sidepanel', 'options'] as const;

function mayAsk(page: (typeof PAGES)[number], { command, request }: Envelope): boolean {
  const askedBy = ASKED_BY[command] as AskedBy<CommandName>;
  if (page === 'options' || askedBy === 'any') return true;
  return askedBy !== 'settings' && (askedBy as (request: unknown) => boolean)(request ?? {});
}

/** Registers the worker's side of `sendCommand`. Call it synchronously while the worker starts. */
export function handleCommands(handlers: CommandHandlers): void {
  answerTo = (message, sender) => {
    const page = pageOf(sender);
    if (!page || !isEnvelope(message, handlers) || !mayAsk(page, message)) return undefined;
    const handle = handlers[message.command] as (request: unknown) => unknown;
    return Promise.resolve()
      .then(() => handle(message.request))
      .then(
        (reply): Answer => ({ ok: true, reply }),
        (error: unknown): Answer => ({ ok: false, error: toWire(error) }),
      );
  };
  browser.runtime.onMessage.addListener((message: unknown, sender) => answerTo(message, sender));
}

/** What the worker answers to a message; undefined when it is no command. */
let answerTo = (_message: unknown, _sender: Sender): Promise<Answer> | undefined => undefined;

function isEnvelope(message: unknown, handlers: CommandHandlers): message is Envelope {
  return (
    typeof message === 'object' &&
    message !== null &&
    'command' in message &&
    typeof message.command === 'string' &&
    Object.hasOwn(handlers, message.command)
  );
}

const PORT_NAME = 'events';

/**
 * What happens within half a frame is told to a page together: a message costs both ends more than what is in it, and
 * what a run says of its beginning must not get in the way of its request. What a page waits for goes at once.
 */
const TOGETHER_MS = 8;

/**
 * Characters of each text in what would else not be told at all, so that a chat opens whatever others wrote in it: no answer
 * that goes on is shown longer.
 */
const BEGINNING = 200_000;

const shortened = <T>(told: T): T =>
  JSON.parse(
    JSON.stringify(told, (_key, value: unknown) =>
      typeof value === 'string' ? value.slice(0, BEGINNING) : value,
    ),
  ) as T;

/** The worker's end of one page's event port. `send` does nothing once the page has closed. */
export type PanelPort = {
  readonly open: boolean;
  send: (event: PanelEvent) => void;
  /** Says why something that the page asked for is not told. */
  refuse: (error: unknown) => void;
};

/** Registers the worker's side of the event port. Call it synchronously while the worker starts. */
export function listenForPanels(handlers: {
  request: (port: PanelPort, request: PanelRequest) => void;
  gone: (port: PanelPort) => void;
}): void {
  browser.runtime.onConnect.addListener((port) => {
    const { sender } = port;
    if (port.name !== PORT_NAME || !sender || !pageOf(sender)) return;
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
      // Together, or by one long text, they may be more than the browser carries.
      if (all.length > 0 && !post(all)) for (const each of all) if (!post([each])) post([shortened(each)]);
    };
    const dispatch = (told: PanelEvent | Answered): void => {
      if (!open) return;
      untold.push(told);
      if (told.type === 'setup' || told.type === 'revision') flush();
      else if (untold.length === 1) setTimeout(flush, TOGETHER_MS);
    };
    const panel: PanelPort = {
      get open() {
        return open;
      },
      send: dispatch,
      refuse: (error) => dispatch({ type: 'refused', error: toWire(error) }),
    };
    port.onMessage.addListener((message: unknown) => {
      if (isPanelRequest(message)) handlers.request(panel, message);
      else if (isAsked(message))
        void answerTo(message, sender)?.then((answer) =>
          dispatch({ type: 'answer', id: message.id, answer }),
        );
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
  const said: Record<string, unknown> = { ...message };
  if (said['type'] === 'visibility') return typeof said['isHidden'] === 'boolean';
  if (said['type'] === 'app_tools') return Array.isArray(said['apps']);
  if (said['type'] === 'app_tool_answer') return typeof said['id'] === 'string' && Boolean(said['answer']);
  if (said['type'] !== 'subscribe' || !Number.isSafeInteger(said['subscription'])) return false;
  const { conversationId, place = {}, logOf = 0, have, setup, chats } = said;
  if (conversationId !== null && typeof conversationId !== 'string') return false;
  if (typeof place !== 'object' || place === null || !Number.isSafeInteger(logOf)) return false;
  return Object.values(place).every(Number.isSafeInteger) && [have, setup, chats].every(isRevision);
}

function isRevision(value: unknown): boolean {
  if (value === undefined) return true;
  if (typeof value !== 'object' || value === null || !('epoch' in value) || !('number' in value))
    return false;
  return typeof value.epoch === 'string' && Number.isSafeInteger(value.number);
}

/**
 * A page's end: opens the port, says `request`, hands over every event until the port drops. `send` does nothing once the
 * port takes no more, of which `dropped` tells; to a page that is going away Firefox tells not even that. Once closed
 * nothing is handed over any more, and `dropped` is not called.
 */
export function openEventPort(
  request: PanelRequest,
  handlers: { event: (event: PanelEvent) => void; dropped: () => void },
): { send: (request: PanelRequest) => void; close: () => void } {
  const port = browser.runtime.connect({ name: PORT_NAME });
  const asked: ((answer: Answer | undefined) => void)[] = [];
  const ask = (envelope: Envelope): Promise<Answer | undefined> =>
    new Promise((resolve) => {
      const id = asked.push(resolve) - 1;
      port.postMessage({ ...envelope, id } satisfies Asked);
    });
  askOnPort = ask;
  let open = true;
  const end = (): void => {
    open = false;
    if (askOnPort === ask) askOnPort = undefined;
    for (const resolve of asked) resolve(undefined);
  };
  port.onMessage.addListener((message: unknown) => {
    for (const told of message as (PanelEvent | Answered)[]) {
      if (told.type === 'answer') asked[told.id]?.(told.answer);
      else if (open) handlers.event(told);
    }
  });
  port.onDisconnect.addListener(() => {
    // Looked at, or Chromium complains of it: a worker that has just ended is no fault, and is dealt with.
    void browser.runtime.lastError;
    if (!open) return;
    end();
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
    close() {
      end();
      port.disconnect();
    },
  };
}
