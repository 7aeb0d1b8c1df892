import { EventEmitter, on } from 'node:events';
import type { BrowserContext } from 'playwright-core';
import type { PanelEvent } from '../../lib/protocol.ts';
import type { WireError } from '../../lib/types/error.ts';

/** What goes between the side panel and the worker: the events it receives, and the runs that it asks for. */
export type Tapped =
  | { type: 'event'; event: PanelEvent }
  | { type: 'asked'; conversationId: string; runId: string }
  | { type: 'refused'; runId: string; error: WireError };

const binding = 'portsideTap';

/**
 * Listens to the panel's own event port, so that nothing is missed between its Send and a watch of our own. Call it
 * before the panel opens; what is heard waits until it is read.
 * @param signal aborting it ends the reading with its reason
 */
export async function tapPanel(context: BrowserContext, signal: AbortSignal): Promise<() => Promise<Tapped>> {
  const emitter = new EventEmitter();
  const heard = on(emitter, 'tapped', { signal });
  await context.exposeBinding(binding, (_, tapped: Tapped) => emitter.emit('tapped', tapped));
  await context.addInitScript(`(${wrapRuntime.toString()})(globalThis, ${JSON.stringify(binding)})`);
  return async () => {
    const { value } = (await heard.next()) as { value: [Tapped] };
    return value[0];
  };
}

type Port = { onMessage: { addListener: (listener: (event: PanelEvent) => void) => void } };
type RunRequest = { command: string; request: { conversationId: string; runId: string } };
type Runtime = {
  connect: (...args: unknown[]) => Port;
  sendMessage: (message: RunRequest) => Promise<{ ok: boolean; error: WireError } | undefined>;
};
type Scope = { location: Location; chrome?: { runtime?: Runtime } } & Record<
  string,
  (tapped: Tapped) => void
>;

/** Runs inside the page, before its scripts. Refers to nothing outside itself. */
function wrapRuntime(scope: Scope, name: string): void {
  const runtime = scope.chrome?.runtime;
  const tell = scope[name];
  if (!runtime || !tell || scope.location.pathname !== '/sidepanel.html') return;
  const connect = runtime.connect.bind(runtime);
  const sendMessage = runtime.sendMessage.bind(runtime);
  runtime.connect = (...args) => {
    const port = connect(...args);
    port.onMessage.addListener((event) => tell({ type: 'event', event }));
    return port;
  };
  runtime.sendMessage = async (message) => {
    if (message.command !== 'startRun') return await sendMessage(message);
    const { conversationId, runId } = message.request;
    tell({ type: 'asked', conversationId, runId });
    const answer = await sendMessage(message);
    if (answer && !answer.ok) tell({ type: 'refused', runId, error: answer.error });
    return answer;
  };
}
