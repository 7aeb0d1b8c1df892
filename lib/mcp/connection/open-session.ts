import { SdkHttpError } from '@modelcontextprotocol/client';
import { untilAborted } from '../../async.ts';
import { AppError } from '../../errors.ts';
import { connectFailure, isBusy, isSignIn, redirected, timedOut } from '../failures/failures.ts';
import { ping } from './liveness.ts';
import { type ClientChannel, connectChannel, createChannel } from './client-channel.ts';
import { listed } from './lists.ts';
import { tap } from '../log/tap.ts';
import type { Remembered } from './remembered.ts';
import { createSession, type Session, type SessionDeps } from './session.ts';
import { type ConnectionConfig, endpointOf, originOf } from '../settings.ts';
import { t } from '../../../locales/texts/errors.ts';

export type OpenDeps = SessionDeps & {
  /** Milliseconds for the handshake and the lists together. */
  timeout: number;
  remembered: Remembered | undefined;
  /** Its handshake has not ended in time and goes on. */
  onTimeout: () => void;
};

/**
 * Connects and lists what the server offers: as it worked the last time, else by detecting what the server speaks. Its
 * timeout starts when the origin has room for a handshake.
 * @throws AppError (failures.ts); `signal.reason` when aborted.
 */
export function openSession(config: ConnectionConfig, deps: OpenDeps, signal: AbortSignal): Promise<Session> {
  const handshake = (turn: AbortSignal): Promise<Session> => open(config, deps, turn);
  return deps.limits.handshake(originOf(config), signal, handshake, deps.onTimeout);
}

async function open(config: ConnectionConfig, deps: OpenDeps, signal: AbortSignal): Promise<Session> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(timedOut(config, deps.timeout)), deps.timeout);
  const within = AbortSignal.any([signal, late.signal]);
  try {
    within.throwIfAborted();
    return (
      (await revive(config, deps, within)) ??
      (await startSession(config, await detect(config, deps, within), deps, within))
    );
  } finally {
    clearTimeout(timer);
  }
}

/** A program was not even started. */
const NOT_STARTED = ['server_not_started', 'native_host_missing', 'native_host_outdated'];
/** What would stand in the way of every other attempt too. */
const FINAL: ReadonlySet<string> = new Set([
  'server_unreachable',
  'server_redirect',
  'server_sign_in',
  ...NOT_STARTED,
]);

/** The last session, resumed or opened in the same way; none when the server has changed or forgot it. */
async function revive(
  config: ConnectionConfig,
  deps: OpenDeps,
  signal: AbortSignal,
): Promise<Session | undefined> {
  const known = deps.remembered;
  if (known?.endpoint !== endpointOf(config)) return undefined;
  const soon = AbortSignal.any([signal, AbortSignal.timeout(deps.timeout / 2)]);
  const channel = createChannel(config, known.transport, deps, { known });
  try {
    const refusal = await connect(config, channel, deps, soon);
    if (refusal) throw refusal.failure;
    // Nothing was sent yet, and what is listed besides tools may fail without harm: it would pass for alive.
    if (!channel.client.getServerCapabilities()?.tools) {
      await withConnectFailure(config, channel, deps, soon, () => ping(channel.client));
    }
    return await startSession(config, channel, deps, soon);
  } catch (error) {
    signal.throwIfAborted();
    const failure = connectFailure(config, error);
    if (FINAL.has(failure.code) || isBusy(failure)) throw failure;
    deps.log.note(t(($) => $.errors.mcp.log.outOfDate));
    return undefined;
  }
}

/** The share of the timeout for the probe for the newest revision. */
const PROBE_SHARE = 0.27;

/**
 * Why a channel could not be connected. `isOld`: as servers answer that only speak SSE; `isSaid`: in the words
 * of what signs in.
 */
type Refusal = { failure: unknown; isOld: boolean; isSaid: boolean };

/**
 * Over Streamable HTTP the client probes for the newest revision, then shakes hands as before it, which is also tried
 * where the answer to the probe follows no specification: older servers do so. Servers older than that transport
 * answer 400, 404 or 405 and have an SSE stream at the same address (spec 2025-11-25, basic/transports, "Backwards
 * Compatibility").
 */
async function detect(config: ConnectionConfig, deps: OpenDeps, signal: AbortSignal): Promise<ClientChannel> {
  const isSse = config.transport === 'sse';
  const probing = (probeTime: number): ClientChannel =>
    createChannel(config, config.transport, deps, { probeTime });
  const plain = (): ClientChannel => createChannel(config, config.transport, deps);
  const channel = isSse ? plain() : probing(deps.timeout * PROBE_SHARE);
  let isInitialized = isSse;
  tap(channel.transport, {
    sent: (message) => (isInitialized ||= 'method' in message && message.method === 'initialize'),
  });
  let refusal = await connect(config, channel, deps, signal);
  if (!refusal) return channel;
  if (!isInitialized && !isFinal(channel, refusal, deps)) {
    const legacy = plain();
    refusal = await connect(config, legacy, deps, signal);
    if (!refusal) return legacy;
    // Of the newest revision alone, and too slow for the probe: it gets the rest of the time.
    if (!hasAnswered(channel) && hasAnswered(legacy) && !isFinal(legacy, refusal, deps)) {
      const modern = probing(deps.timeout);
      if (!(await connect(config, modern, deps, signal))) return modern;
    }
  }
  if (isSse || !refusal.isOld) throw refusal.failure;
  const old = createChannel(config, 'sse', deps);
  const soon = AbortSignal.any([signal, AbortSignal.timeout(SSE_TIME)]);
  const last = await connect(config, old, deps, soon).catch((error: unknown) => {
    signal.throwIfAborted();
    return { failure: error };
  });
  if (!last) return old;
  throw isSignIn(last.failure) || isBusy(last.failure) ? last.failure : refusal.failure;
}

const hasAnswered = ({ wire }: ClientChannel): boolean => wire.last()?.type === 'answer';

/**
 * Whether an older handshake would be answered the same. A 401 is not all that there is to say of a server at which one
 * can sign in: finding out how may take longer than the probe had time.
 */
function isFinal({ wire }: ClientChannel, { failure, isSaid }: Refusal, { authProvider }: OpenDeps): boolean {
  const seen = wire.last();
  const isLocked = seen?.type === 'answer' && seen.status === 401;
  return (
    isSignIn(failure) ||
    isBusy(failure) ||
    (failure instanceof AppError && NOT_STARTED.includes(failure.code)) ||
    seen?.type === 'redirect' ||
    (isLocked && (isSaid || !authProvider))
  );
}

/** What has no SSE stream may keep a connection open all the same, in milliseconds. */
const SSE_TIME = 5000;

/** Connects; closes the channel and says why when it is refused. @throws `signal.reason` */
async function connect(
  config: ConnectionConfig,
  channel: ClientChannel,
  deps: OpenDeps,
  signal: AbortSignal,
): Promise<Refusal | undefined> {
  let isOld = false;
  let isSaid = false;
  const connecting = withConnectFailure(config, channel, deps, signal, () =>
    connectChannel(channel).catch((error: unknown) => {
      isOld = error instanceof SdkHttpError && [400, 404, 405].includes(error.status ?? 0);
      isSaid = error instanceof AppError;
      throw error;
    }),
  );
  return connecting.then(
    () => undefined,
    (failure: unknown) => {
      signal.throwIfAborted();
      return { failure, isOld, isSaid };
    },
  );
}

async function startSession(
  config: ConnectionConfig,
  channel: ClientChannel,
  deps: OpenDeps,
  signal: AbortSignal,
): Promise<Session> {
  const lists = await withConnectFailure(config, channel, deps, signal, () =>
    listed(channel, deps.log, signal),
  );
  return createSession(config, channel, lists, deps);
}

/** Runs a step; closes the channel when it fails. @throws AppError */
async function withConnectFailure<T>(
  config: ConnectionConfig,
  channel: ClientChannel,
  deps: OpenDeps,
  signal: AbortSignal,
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await untilAborted(step(), signal);
  } catch (error) {
    await channel.transport.close();
    signal.throwIfAborted();
    const fault = channel.program?.fault();
    if (fault) throw fault;
    const seen = channel.wire.last();
    if (seen?.type === 'redirect') throw redirected(config, seen.to);
    // A browser loses the reason of a body that was broken off.
    throw connectFailure(config, channel.wire.exceeded() ?? error, seen, deps.authProvider !== undefined);
  }
}
