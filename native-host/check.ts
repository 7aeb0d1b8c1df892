import { type JSONRPCMessage, LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import type { CheckStep, Exit, Launch } from '../lib/types/native-host.ts';
import { GRACE } from './ending.ts';
import { prepare } from './prepare.ts';
import type { LoginPath } from './path.ts';
import type { Programs } from './programs.ts';

/** `npx -y` may have to fetch a package first. */
const TIMEOUT_MS = 60_000;

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: LATEST_PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: 'Portside', version: '0' },
  },
} satisfies JSONRPCMessage;

/**
 * What a check needs. `path`: the user's, `folder`: of the policy, `programs`: which end with the native host, `signal`:
 * aborted once the result is not wanted any more.
 */
export type CheckDeps = { path: LoginPath; folder: string; programs: Programs; signal: AbortSignal };

/**
 * Starts a program, asks it to initialize and ends it.
 * @returns the steps up to the first that failed, or up to when it was given up
 */
export async function check(
  launch: Launch,
  { path, folder, programs, signal }: CheckDeps,
): Promise<CheckStep[]> {
  const prepared = await prepare(launch, path, folder);
  if ('fault' in prepared) return [{ step: 'command', ok: false, fault: prepared.fault }];
  const found: CheckStep = { step: 'command', ok: true, path: prepared.command };
  if (signal.aborted) return [found];
  const lines: string[] = [];
  let end: (exit: Exit, grace: number) => Promise<void> = () => Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const steps = await new Promise<CheckStep[]>((resolve) => {
    const program = programs.start(prepared, {
      message(message) {
        if ('method' in message || message.id !== INITIALIZE.id) return true;
        resolve([{ step: 'start', ok: true }, answer(message, lines)]);
        return true;
      },
      stderr: (more) => lines.push(...more),
      exit: (exit) => resolve([{ step: 'start', ok: false, exit }]),
    });
    end = program.end;
    signal.addEventListener('abort', () => resolve([]));
    program.send(INITIALIZE);
    timer = setTimeout(() => {
      const why = `No answer to initialize within ${TIMEOUT_MS / 1000} s.`;
      resolve([
        { step: 'start', ok: true },
        { step: 'answer', ok: false, why, stderr: lines.slice(-20) },
      ]);
    }, TIMEOUT_MS);
  });
  clearTimeout(timer);
  await end({ type: 'stopped' }, GRACE);
  return [found, ...steps];
}

/** By which the newest servers say that they know no `initialize`, or no such revision. */
const MODERN = new Set([-32_601, -32_602, -32_022]);

function answer(message: JSONRPCMessage, lines: string[]): CheckStep {
  if ('error' in message && !MODERN.has(message.error.code)) {
    const why = `It refused: ${message.error.message} (${message.error.code}).`;
    return { step: 'answer', ok: false, why, stderr: lines.slice(-20) };
  }
  const result = 'result' in message ? message.result : {};
  const { serverInfo, protocolVersion } = result as Record<string, unknown>;
  const { name, version } = Object(serverInfo) as Record<string, unknown>;
  return {
    step: 'answer',
    ok: true,
    name: textOf(name),
    version: textOf(version),
    protocolVersion: textOf(protocolVersion),
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
