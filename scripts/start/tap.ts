import { EventEmitter, on } from 'node:events';
import type { BrowserContext, Page } from 'playwright-core';
import type { PanelEvent } from '../../lib/protocol/panel.ts';
import type { WireError } from '../../lib/types/error.ts';

/** What goes between the side panel and the worker: the events it receives, and the runs that it asks for. */
export type Tapped =
  | { type: 'event'; event: PanelEvent }
  | { type: 'asked'; conversationId: string; runId: string }
  | { type: 'refused'; runId: string; error: WireError };

export type Tap = {
  /** What comes next; it waits until it is read. */
  next: () => Promise<Tapped>;
  /** Resolves when the panel is shown what it asked for last. Only then is it told of a new chat from its first event. */
  settled: (panel: Page) => Promise<void>;
};

const binding = 'portsideTap';

/**
 * Listens to the panel's own event port, so that nothing is missed between its Send and a watch of our own. Call it
 * before the panel opens.
 * @param signal aborting it ends the reading with its reason
 */
export async function tapPanel(context: BrowserContext, signal: AbortSignal): Promise<Tap> {
  const emitter = new EventEmitter();
  const heard = on(emitter, 'tapped', { signal });
  /** `owed`: snapshots that the panel's port has asked for and not got; undefined while there is no port. */
  const port: { owed?: number } = {};
  await context.exposeBinding(binding, (_, tapped: Tapped | Watched) => {
    if (tapped.type === 'connected') port.owed = 0;
    else if (tapped.type === 'watched') port.owed = (port.owed ?? 0) + 1;
    else emitter.emit('tapped', tapped);
    if (tapped.type === 'event' && tapped.event.type === 'snapshot')
      port.owed = Math.max(0, (port.owed ?? 0) - 1);
  });
  await context.addInitScript(`(${wrapRuntime.toString()})(globalThis, ${JSON.stringify(binding)})`);
  return {
    async next() {
      const { value } = (await heard.next()) as { value: [Tapped] };
      return value[0];
    },
    async settled(panel) {
      // The panel may ask for another one when it gets one: it has by the end of a turn.
      do {
        signal.throwIfAborted();
        await panel.evaluate('new Promise((turn) => setTimeout(turn))');
      } while (port.owed !== 0);
    },
  };
}

type Watched = { type: 'connected' | 'watched' };

type Answer = { ok: boolean; error: WireError } | undefined;
type Told = PanelEvent | { type: 'answer'; id: number; answer: Answer };
type RunRequest = {
  type?: string;
  isNew?: true;
  command?: string;
  id?: number;
  request: { conversationId: string; runId: string };
};
type Port = {
  onMessage: { addListener: (listener: (all: Told[]) => void) => void };
  postMessage: (message: RunRequest) => void;
};
type Runtime = {
  connect: (...args: unknown[]) => Port;
  sendMessage: (message: RunRequest) => Promise<Answer>;
};
type Scope = { location: Location; chrome?: { runtime?: Runtime } } & Record<
  string,
  (tapped: Tapped | Watched) => void
>;

/** Runs inside the page, before its scripts. Refers to nothing outside itself. */
function wrapRuntime(scope: Scope, name: string): void {
  const runtime = scope.chrome?.runtime;
  const tell = scope[name];
  if (!runtime || !tell || scope.location.pathname !== '/sidepanel.html') return;
  const connect = runtime.connect.bind(runtime);
  const sendMessage = runtime.sendMessage.bind(runtime);
  /** @returns what to do with the answer */
  const asked = ({ command, request }: RunRequest): ((answer: Answer) => void) => {
    if (command !== 'startRun') return () => undefined;
    const { conversationId, runId } = request;
    tell({ type: 'asked', conversationId, runId });
    return (answer) => {
      if (answer && !answer.ok) tell({ type: 'refused', runId, error: answer.error });
    };
  };
  runtime.connect = (...args) => {
    const port = connect(...args);
    tell({ type: 'connected' });
    const post = port.postMessage.bind(port);
    const answers = new Map<number | undefined, (answer: Answer) => void>();
    port.postMessage = (message) => {
      if (message.type === 'watch' && !message.isNew) tell({ type: 'watched' });
      answers.set(message.id, asked(message));
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
