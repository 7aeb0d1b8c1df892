import { SseError } from '@modelcontextprotocol/client';
import type { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { createRefresher, wait } from '../../async.ts';
import type { AppError } from '../../errors.ts';
import type { LogLevel } from '../../types/wire-log.ts';
import { isSessionLost } from '../failures/sdk-errors.ts';
import { trackLiveness } from './liveness.ts';
import { type ChannelDeps, type ClientChannel, rememberedOf } from './client-channel.ts';
import { listed, type Lists } from './lists.ts';
import { paramHeaders } from '../offer/param-headers.ts';
import { skillsOver, skillTool } from '../offer/skills.ts';
import { anyObject, type Raw } from '../content/raw.ts';
import type { Remembered } from './remembered.ts';
import { createSender, type RequestOptions } from '../calls/request-sender.ts';
import type { ConnectionConfig } from '../settings.ts';
import { createSubscriptions } from './subscriptions.ts';
import { t } from '../../../locales/texts/errors.ts';

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
  /** Its skills, for requests with these options (../offer/skills.ts). */
  skills(options: RequestOptions): SkillsClient;
  /** One that need not be listed is among its skills from now on. @throws as `request` */
  addSkill(uri: string, options: RequestOptions): Promise<void>;
  /** Reads the lists again; what can't be read stays as it was. */
  relist(): Promise<void>;
  /** The same if they are old and there was no room for the stream that brings change notifications. */
  freshen(): Promise<void>;
  /** Whether an error says that the server refused a request because it forgot the session. */
  isForgotten(error: unknown): boolean;
  /**
   * Rejects when the server is gone. It is pinged only after a long silence; for a proof that it still knows the session,
   * if there is one, sooner.
   */
  check(needsProof: boolean): Promise<void>;
  /** The next check pings. */
  doubt(): void;
  /** Why a program on this computer has ended. */
  fault(): AppError | undefined;
  /** Whose updates are wanted, instead of what was subscribed to before. */
  subscribe(uris: string[]): void;
  /** Undefined: the server's own again. */
  setLogLevel(level: LogLevel | undefined): void;
  /** Closes it here. It lives on at the server, where another may resume it. */
  drop(): Promise<void>;
  /** The same once what is in flight has ended: its own streams may yet bring the answers. */
  retire(): void;
  /** Ends it on the server too, if the server answers within a second; what was cancelled is told first, likewise. */
  end(): Promise<void>;
};

/** What a session starts with, and its events. */
export type SessionDeps = ChannelDeps & {
  uris: string[];
  logLevel: LogLevel | undefined;
  /** Lists were read again; what could not be read is as it was. */
  onLists: (lists: Lists, session: Session) => void;
  onResourceUpdated: (uri: string, session: Session) => void;
  /** The server ended the connection, or its stream can't be opened any more. */
  onLost: (session: Session) => void;
  /** It was ended for having nothing to do; nothing is lost. */
  onIdle: (session: Session) => void;
};

/** The session on a connected channel whose lists were read. */
export function createSession(
  config: ConnectionConfig,
  channel: ClientChannel,
  first: Lists,
  deps: SessionDeps,
): Session {
  const { client, wire } = channel;
  const isModern = client.getProtocolEra() === 'modern';
  const liveness = trackLiveness(channel);
  let lists = first;
  let logLevel: LogLevel | undefined;
  const sender = createSender(channel, () => logLevel, deps.log.problem);
  let listedAt = Date.now();
  const relist = async (): Promise<void> => {
    listedAt = Date.now();
    try {
      lists = await listed(channel, deps.log, AbortSignal.timeout(REFRESH_TIME), lists);
      deps.onLists(lists, session);
    } catch (error) {
      deps.log.problem(t(($) => $.errors.mcp.log.notReadAgain, { why: String(error) }));
    }
  };
  const refresher = createRefresher(relist);
  const subscriptions = createSubscriptions({
    client,
    uris: deps.uris,
    onGap: () => refresher.poke(),
    note: deps.log.problem,
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
    remembered: rememberedOf(config, channel),
    capabilities: { ...client.getServerCapabilities() },
    call(name, args, options) {
      const tool = lists.tools.find((each) => each.name === name);
      const headers = isModern && tool ? paramHeaders(tool.inputSchema, args) : undefined;
      // From 2026-07-28 on the server decides.
      const asTask = tool?.hasTasks && client.getServerCapabilities()?.tasks?.requests?.tools?.call;
      const params = { name, arguments: args, ...(asTask && { task: { ttl: TASK_TTL } }) };
      return sender.send('tools/call', params, options, headers);
    },
    request: (method, params, options) => sender.send(method, params, options),
    skills: (options) => skillsOver(client, (method, params) => sender.send(method, params, options)),
    async addSkill(uri, options) {
      const { skill } = await session.skills(options).get(uri);
      const added = { ...skillTool(skill), isUnlisted: true as const };
      lists = { ...lists, skills: [...lists.skills.filter(({ name }) => name !== added.name), added] };
      deps.onLists(lists, session);
    },
    relist,
    async freshen() {
      if (wire.isCrowdedOut() && Date.now() - listedAt > FRESH) await relist();
    },
    isForgotten: (error) => hasSession(session.remembered) && isSessionLost(error),
    check: (needsProof) => liveness.check(needsProof && hasSession(session.remembered)),
    doubt: liveness.doubt,
    fault: () => channel.program?.fault(),
    subscribe: subscriptions.subscribe,
    setLogLevel(level) {
      const before = logLevel;
      logLevel = level;
      if (isModern || !client.getServerCapabilities()?.logging) return;
      if (level === undefined) {
        if (before) deps.log.note(keptLevel(before));
        return;
      }
      client
        .request({ method: 'logging/setLevel', params: { level } }, anyObject)
        .catch((error: unknown) =>
          deps.log.problem(
            t(($) => $.errors.mcp.log.failed, { method: 'logging/setLevel', why: String(error) }),
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
      await Promise.race([sender.cancelsSent(), wait(END_TIME)]);
      await endOnServer(channel);
      await session.drop();
    },
  };
  if (deps.logLevel) session.setLogLevel(deps.logLevel);
  watchNotifications(channel, {
    changed: () => refresher.poke(),
    updated: (uri) => deps.onResourceUpdated(uri, session),
  });
  watchForLoss(channel, {
    // Requests that are in flight may yet be answered; the next one pings first.
    failing: () => (sender.isBusy() ? liveness.doubt() : deps.onLost(session)),
    doubtful: () => liveness.doubt(),
    lost: () => (channel.program?.isIdle() ? deps.onIdle(session) : deps.onLost(session)),
  });
  return session;
}

/** Milliseconds for which a server is asked to keep a task, and what came of it: a day. */
const TASK_TTL = 24 * 60 * 60_000;

/** Before 2026-07-28 a level could only be changed for another. */
const keptLevel = (level: LogLevel): string => t(($) => $.errors.mcp.log.keptLevel, { level });

/** Over SSE the address of its messages names it. */
function hasSession(known: Remembered): boolean {
  return known.transport === 'sse' || (known.era === 'legacy' && known.session !== undefined);
}

/** Lists that are younger than this, in milliseconds, count as true. */
const FRESH = 60_000;

const REFRESH_TIME = 30_000;

async function endOnServer({ transport }: ClientChannel): Promise<void> {
  if (!('terminateSession' in transport) || typeof transport.terminateSession !== 'function') return;
  const ended: unknown = transport.terminateSession();
  await Promise.race([Promise.allSettled([ended]), wait(END_TIME)]);
}

/** Milliseconds for which the end of a session waits for its server. */
const END_TIME = 1000;

/** What a server tells of unasked (MCP, list_changed and resources/updated). */
function watchNotifications(
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
function watchForLoss(channel: ClientChannel, { failing, doubtful, lost }: Loss): void {
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
