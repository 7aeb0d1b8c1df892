import { SseError } from '@modelcontextprotocol/client';
import type { AppError } from '../errors.ts';
import type { Icon } from '../types/offer.ts';
import type { ToolAnnotations } from '../types/tool.ts';
import type { LogLevel } from '../types/wire-log.ts';
import { createRefresher } from './changes.ts';
import { isSessionLost } from './failures.ts';
import { startHearing } from './hearing.ts';
import { rememberedOf } from './line.ts';
import type { Line, LineDeps } from './line.ts';
import { listed } from './listed.ts';
import type { Lists } from './listed.ts';
import { paramHeaders } from './offer/param-headers.ts';
import { anyObject } from './content/raw.ts';
import type { Raw } from './content/raw.ts';
import type { Remembered } from './remembered.ts';
import { createSender } from './sending.ts';
import type { RequestOptions } from './sending.ts';
import type { ConnectionConfig } from './settings.ts';
import { createSubscriptions } from './subscriptions.ts';
import { t } from '../../locales/texts/errors.ts';

/** A tool as its server lists it. */
export type RemoteTool = {
  name: string;
  title?: string;
  description: string;
  inputSchema: Record<string, unknown>;
  annotations: ToolAnnotations;
  icons?: Icon[];
  /** Why it can't be called, as a sentence: its schema is broken, or it only runs as a task, which Portside cannot do. */
  problem?: string;
};

/** What was agreed with one server, until it is closed or lost. */
export type Session = {
  /** What was there when it began. */
  lists: Lists;
  protocolVersion: string;
  answeredInMs: number | undefined;
  remembered: Remembered;
  /** What the server declared, by name of the capability. */
  capabilities: Raw;
  /** Sends `tools/call`; resolves with the raw result; rejects with the client's error. */
  call(toolName: string, args: Raw, options: RequestOptions): Promise<Raw>;
  /** Sends another request, likewise. */
  request(method: string, params: Raw, options: RequestOptions): Promise<Raw>;
  /** Reads the lists again; what can't be read stays as it was. */
  relist(): Promise<void>;
  /** The same if they are old and there was no room for the stream on which the server would tell of changes. */
  freshen(): Promise<void>;
  /** What a request rejected with says that it was refused, because the server forgot the session. */
  isForgotten(error: unknown): boolean;
  /**
   * Rejects when the server is no longer there. It is asked only when nothing was heard of it for long; for a proof that
   * it still knows the session, if there is one, sooner.
   */
  check(needsProof: boolean): Promise<void>;
  /** The next check asks. */
  doubt(): void;
  /** Why a program on this computer has ended. */
  fault(): AppError | undefined;
  watch(uris: string[]): void;
  /** Undefined: the server's own again. */
  setLogLevel(level: LogLevel | undefined): void;
  /** Lets go of it. It lives on at the server, where another may take it up. */
  drop(): Promise<void>;
  /** The same once what is in flight has ended: its own streams may yet bring the answers. */
  retire(): void;
  /** Ends it on the server too, if the server answers within a second; what was cancelled is told first, likewise. */
  end(): Promise<void>;
};

/** What a session starts with, and whom it tells what. */
export type SessionDeps = LineDeps & {
  uris: string[];
  logLevel: LogLevel | undefined;
  /** What was listed again, since the server says that it changed or it may have. What could not be listed is as it was. */
  onLists: (lists: Lists, session: Session) => void;
  onResourceUpdated: (uri: string, session: Session) => void;
  /** The server ended the connection, or can't be heard any more. */
  onLost: (session: Session) => void;
  /** It was ended for having nothing to do; nothing is lost. */
  onIdle: (session: Session) => void;
};

/** The session on a line that is connected and whose lists were read. */
export function createSession(
  config: ConnectionConfig,
  line: Line,
  first: Lists,
  deps: SessionDeps,
): Session {
  const { client, wire } = line;
  const isModern = client.getProtocolEra() === 'modern';
  const hearing = startHearing(line);
  let lists = first;
  let logLevel: LogLevel | undefined;
  const sender = createSender(
    line,
    () => logLevel,
    (text) => deps.log.note(text, true),
  );
  let listedAt = Date.now();
  const relist = async (): Promise<void> => {
    listedAt = Date.now();
    try {
      lists = await listed(line, deps.log, AbortSignal.timeout(REFRESH_TIME), lists);
      deps.onLists(lists, session);
    } catch (error) {
      deps.log.note(
        t(($) => $.errors.mcp.log.notReadAgain, { why: String(error) }),
        true,
      );
    }
  };
  const refresher = createRefresher(relist);
  const subscriptions = createSubscriptions({
    client,
    uris: deps.uris,
    onGap: () => refresher.poke(),
    note: (text) => deps.log.note(text, true),
    mayStream: wire.mayStream,
  });
  const stopListening = (): void => {
    refresher.stop();
    subscriptions.stop();
  };

  const session: Session = {
    lists,
    protocolVersion: client.getNegotiatedProtocolVersion() ?? '',
    answeredInMs: wire.answeredInMs(),
    remembered: rememberedOf(config, line),
    capabilities: { ...client.getServerCapabilities() },
    call(name, args, options) {
      const schema = isModern ? lists.tools.find((tool) => tool.name === name)?.inputSchema : undefined;
      const headers = schema && paramHeaders(schema, args);
      return sender.send('tools/call', { name, arguments: args }, options, headers);
    },
    request: (method, params, options) => sender.send(method, params, options),
    relist,
    async freshen() {
      if (wire.isCrowdedOut() && Date.now() - listedAt > FRESH) await relist();
    },
    isForgotten: (error) => hasSession(session.remembered) && isSessionLost(error),
    check: (needsProof) => hearing.check(needsProof && hasSession(session.remembered)),
    doubt: hearing.doubt,
    fault: () => line.program?.fault(),
    watch: subscriptions.watch,
    setLogLevel(level) {
      const before = logLevel;
      logLevel = level;
      if (isModern || !client.getServerCapabilities()?.logging) return;
      if (level === undefined) {
        if (before) deps.log.note(keptLevel(before));
        return;
      }
      client.request({ method: 'logging/setLevel', params: { level } }, anyObject).catch((error: unknown) =>
        deps.log.note(
          t(($) => $.errors.mcp.log.failed, { method: 'logging/setLevel', why: String(error) }),
          true,
        ),
      );
    },
    async drop() {
      stopListening();
      await client.close();
    },
    retire() {
      stopListening();
      sender.closeWhenIdle();
    },
    async end() {
      await Promise.race([sender.cancelsSent(), patience()]);
      await endOnServer(line);
      await session.drop();
    },
  };
  if (deps.logLevel) session.setLogLevel(deps.logLevel);
  watchNotifications(line, {
    changed: () => refresher.poke(),
    updated: (uri) => deps.onResourceUpdated(uri, session),
  });
  watchForLoss(line, {
    // Requests that are in flight may yet be answered; the next one asks first whether the server is there.
    failing: () => (sender.isBusy() ? hearing.doubt() : deps.onLost(session)),
    doubtful: () => hearing.doubt(),
    lost: () => (line.program?.isIdle() ? deps.onIdle(session) : deps.onLost(session)),
  });
  return session;
}

/** Before 2026-07-28 a level could only be changed for another. */
const keptLevel = (level: LogLevel): string => t(($) => $.errors.mcp.log.keptLevel, { level });

/** Over SSE the address of its messages names it. */
function hasSession(known: Remembered): boolean {
  return known.transport === 'sse' || (known.era === 'legacy' && known.session !== undefined);
}

/** Lists that are younger than this, in milliseconds, count as true. */
const FRESH = 60_000;

const REFRESH_TIME = 30_000;

function watchNotifications(
  { client }: Line,
  on: { changed: () => void; updated: (uri: string) => void },
): void {
  client.setNotificationHandler('notifications/tools/list_changed', on.changed);
  client.setNotificationHandler('notifications/prompts/list_changed', on.changed);
  client.setNotificationHandler('notifications/resources/list_changed', on.changed);
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => on.updated(params.uri));
}

type Loss = Record<'failing' | 'doubtful' | 'lost', () => void>;

function watchForLoss(line: Line, { failing, doubtful, lost }: Loss): void {
  line.onStreamFailing = failing;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the client is no EventTarget
  line.client.onerror = (error) => {
    doubtful();
    // An SSE stream is the session: when it drops, the transport would reconnect to a server that forgot us.
    if (error instanceof SseError) lost();
  };
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- likewise
  if (line.program) line.client.onclose = lost;
}

async function endOnServer({ transport }: Line): Promise<void> {
  if (!('terminateSession' in transport) || typeof transport.terminateSession !== 'function') return;
  const ended: unknown = transport.terminateSession();
  await Promise.race([Promise.allSettled([ended]), patience()]);
}

/** How long a server that says nothing is waited for at the end. */
const patience = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1000));
