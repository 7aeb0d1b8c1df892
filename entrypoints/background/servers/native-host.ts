import { browser } from 'wxt/browser';
import { AppError, toWire } from '../../../lib/errors.ts';
import { createLineRedaction } from '../../../lib/mcp/log/environment.ts';
import { type ConnectNative, type NativeLink, outdated } from '../../../lib/mcp/transport/native-link.ts';
import type { Reply, Request } from '../../../lib/protocol/commands.ts';
import type { NativeHostStatus, Outcome, ProgramInput } from '../../../lib/protocol/servers.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import {
  allowLaunch,
  isCheckAllowed,
  isLaunchAllowed,
  launchOf,
  saveCheckAllowed,
  serverWithSecrets,
} from '../../../lib/storage/configuration/server-secrets.ts';
import type { Answers } from '../../../lib/types/answers.ts';
import { type CheckStep, NATIVE_HOST, NATIVE_PROTOCOL } from '../../../lib/types/native-host.ts';
import type { createFetches } from './fetches.ts';
import { launchNotAllowed } from './server-connections.ts';
import { requireProgram } from './server-input.ts';
import { t } from '../../../locales/texts/errors.ts';

/**
 * Whether the native host may be started now. Chromium gives a worker that ran before the user allowed it no
 * `connectNative`; the next one has it. @throws AppError `native_host_not_allowed`, `native_host_waiting`
 */
export async function requireNative(): Promise<void> {
  if (!(await browser.permissions.contains({ permissions: ['nativeMessaging'] })))
    throw new AppError({ code: 'native_host_not_allowed', ...t(($) => $.errors.nativeHost.notAllowed) });
  if (!('connectNative' in browser.runtime))
    throw new AppError({ code: 'native_host_waiting', ...t(($) => $.errors.nativeHost.waiting) });
}

/** Starts the native host, as the browser does. */
export const connectNative: ConnectNative = ({ message, gone }) => {
  const port = browser.runtime.connectNative(NATIVE_HOST);
  port.onMessage.addListener(message);
  // Firefox says it of the port, Chromium beside it.
  port.onDisconnect.addListener((ended) => {
    const fault: unknown = 'error' in ended ? ended.error : browser.runtime.lastError;
    gone((fault as Partial<Error> | null | undefined)?.message);
  });
  return port;
};

const unready: ReadonlyMap<string, 'not_allowed' | 'waiting'> = new Map([
  ['native_host_not_allowed', 'not_allowed'],
  ['native_host_waiting', 'waiting'],
]);

export type NativeHostDeps = {
  native: NativeLink;
  /** A server that was allowed to start, if it is on. */
  connect: (request: { id: number }) => Promise<Outcome>;
  /** Does what a page may give up. */
  during: ReturnType<typeof createFetches>['during'];
};

/** What pages ask of the native host, besides running servers. */
export function createNativeHost(db: Database, { native, connect, during }: NativeHostDeps) {
  async function status(): Promise<NativeHostStatus> {
    try {
      const { protocol, version, node, policy } = await native.about();
      if (protocol === NATIVE_PROTOCOL) return { state: 'ready', version, node, policy };
      return {
        state: 'outdated',
        version,
        isOld: protocol < NATIVE_PROTOCOL,
        error: toWire(outdated({ protocol, version })),
      };
    } catch (error) {
      const why = toWire(error);
      return { state: unready.get(why.code) ?? 'missing', error: why };
    }
  }

  /** What is stored for the server if it starts this program. @throws AppError `server_launch` */
  async function storedFor(id: number | undefined, { command, args }: ProgramInput) {
    const found = id === undefined ? undefined : await serverWithSecrets(db, id);
    if (found?.server.transport !== 'stdio') return NOTHING;
    const { server } = found;
    if (JSON.stringify([server.command, server.args]) !== JSON.stringify([command, args])) return NOTHING;
    if (!(await isLaunchAllowed(db, server, found.secrets))) throw launchNotAllowed(server);
    return found.secrets;
  }

  async function toCheck({ id, ...input }: Request<'allowCheck'>) {
    const program = requireProgram(input);
    const { env, answers } = await storedFor(id, program);
    return { program, secrets: { env: program.env ?? env, answers } };
  }

  async function allowCheck(request: Request<'allowCheck'>): Promise<void> {
    const { program, secrets } = await toCheck(request);
    await saveCheckAllowed(db, program, secrets);
  }

  async function checkProgram({
    fetchId,
    ...request
  }: Request<'checkProgram'>): Promise<Reply<'checkProgram'>> {
    return during(fetchId, async (signal) => {
      const { program, secrets } = await toCheck(request);
      if (!(await isCheckAllowed(db, request.id, program, secrets)))
        throw launchNotAllowed({ name: program.command });
      const launch = launchOf(program, secrets);
      const reply = await native.ask({ type: 'check', launch }, signal);
      const hidden = { ...launch.env, ...secrets.answers };
      return reply.type === 'steps' ? reply.steps.map(withoutSecrets(hidden)) : [];
    });
  }

  async function findConfigs(): Promise<Reply<'findConfigs'>> {
    const reply = await native.ask({ type: 'find_configs' });
    return reply.type === 'configs' ? reply.configs : [];
  }

  async function doctor(): Promise<Reply<'checkNativeHost'>> {
    const reply = await native.ask({ type: 'doctor' });
    return reply.type === 'doctor' ? reply.steps : [];
  }

  async function allow({ id, ...shown }: Request<'allowLaunch'>): Promise<Outcome> {
    if (!(await allowLaunch(db, id, shown)))
      throw new AppError({ code: 'launch_changed', ...t(($) => $.errors.nativeHost.launchChanged) });
    return (await db.get('servers', id))?.enabled ? connect({ id }) : { ok: true };
  }

  return { status, allowCheck, checkProgram, findConfigs, doctor, allow };
}

const NOTHING = { env: {}, answers: {} };

/** A server may print what it was given, or answer with it. */
function withoutSecrets(given: Answers): (step: CheckStep) => CheckStep {
  const redact = createLineRedaction(Object.values(given));
  return (step) => {
    if (step.step === 'answer')
      return step.ok
        ? { ...step, name: redact(step.name), version: redact(step.version) }
        : { ...step, why: redact(step.why), stderr: step.stderr.map(redact) };
    if (step.step === 'command' || step.ok || step.exit.type !== 'ended') return step;
    return { ...step, exit: { ...step.exit, stderr: step.exit.stderr.map(redact) } };
  };
}
