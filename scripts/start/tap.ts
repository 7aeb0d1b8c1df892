import { EventEmitter, on } from 'node:events';
import type { BrowserContext } from 'playwright-core';
import type { PanelEvent } from '../../lib/protocol/panel.ts';
import type { WireError } from '../../lib/types/error.ts';

/** What goes between the side panel and the worker: what it subscribes to and is told, and the runs that it asks for. */
export type Tapped =
  | { type: 'event'; event: PanelEvent }
  | { type: 'subscribed'; subscription: number }
  | { type: 'asked'; conversationId: string; runId: string }
  | { type: 'refused'; runId: string; error: WireError };

/** What comes next; it waits until it is read. */
export type Tap = { next: () => Promise<Tapped> };

const binding = 'portsideTap';

/**
 * Listens to the panel's own event port. Call it before the panel opens.
 * @param signal aborting it ends the reading with its reason
 */
export async function tapPanel(context: BrowserContext, signal: AbortSignal): Promise<Tap> {
  const emitter = new EventEmitter();
  const heard = on(emitter, 'tapped', { signal });
  await context.exposeBinding(binding, (_, tapped: Tapped) => void emitter.emit('tapped', tapped));
  await context.addInitScript(`(${wrapRuntime.toString()})(globalThis, ${JSON.stringify(binding)})`);
  return {
    async next() {
      const { value } = (await heard.next()) as { value: [Tapped] };
      return value[0];
    },
  };
}

type Answer = { ok: boolean; error: WireError } | undefined;
type Told = PanelEvent | { type: 'answer'; id: number; answer: Answer };
type Message = {
  type?: string;
  subscription: number;
  command?: string;
  id?: number;
  request: { conversationId: string; runId: string };
};
type Port = {
  onMessage: { addListener: (listener: (all: Told[]) => void) => void };
  postMessage: (message: Message) => void;
};
type Runtime = {
  connect: (...args: unknown[]) => Port;
  sendMessage: (message: Message) => Promise<Answer>;
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
  /** @returns what to do with the answer */
  const asked = ({ command, request }: Message): ((answer: Answer) => void) => {
    if (command !== 'startRun') return () => undefined;
    const { conversationId, runId } = request;
    tell({ type: 'asked', conversationId, runId });
    return (answer) => {
      if (answer && !answer.ok) tell({ type: 'refused', runId, error: answer.error });
    };
  };
  runtime.connect = (...args) => {
    const port = connect(...args);
    const post = port.postMessage.bind(port);
    const answers = new Map<number | undefined, (answer: Answer) => void>();
    port.postMessage = (message) => {
      const { type, subscription } = message;
      if (type === 'subscribe') tell({ type: 'subscribed', subscription });
      else answers.set(message.id, asked(message));
      post(message);
    };
    port.onMessage.addListener((all) => {
      for (const told of all) {
        if (told.type === 'answer') answers.get(told.id)?.(told.answer);
        else tell({ type: 'event', event: told });
      }
    });
    return port;
  };
  runtime.sendMessage = async (message) => {
    const answered = asked(message);
    const answer = await sendMessage(message);
    answered(answer);
    return answer;
  };
}
