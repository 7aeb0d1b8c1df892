import type { WorkerPort } from '../dom/worker-port.ts';

/** Milliseconds between two frames. */
export const FRAME_MS = 16;

/**
 * What brings frames to a document in a tab that is behind, which is not drawn there and has its timers held back: its port to
 * the worker, which answers `frame` with the same when one is due; and what the page does in one.
 */
type Server = { port: WorkerPort; draw: () => void };

/** An action, and what is waited for beside it, each have one. */
const servers: Server[] = [];
let isAsked = false;
const waiting: (() => void)[] = [];

export function serveFrames(by: Server): void {
  servers.push(by);
  frameCame();
}

export const areFramesServed = (): boolean => servers.length > 0;

/** What is waited for goes on. */
export function endFrames(of: WorkerPort): void {
  const at = servers.findIndex(({ port }) => port === of);
  if (at === -1) return;
  servers.splice(at, 1);
  frameCame();
}

/** The worker says so. */
export function frameCame(): void {
  isAsked = false;
  for (const { draw } of servers) draw();
  for (const each of waiting.splice(0)) each();
}

/** Has the worker say when the next one is due. */
export function askForFrame(): void {
  const port = servers[0]?.port;
  if (!port || isAsked) return;
  isAsked = true;
  port.postMessage('frame');
}

/** Resolves once the page did what it waited with for being drawn. */
export const servedFrame = (): Promise<void> =>
  new Promise((resolve) => {
    if (!areFramesServed()) return void setTimeout(resolve, FRAME_MS);
    waiting.push(resolve);
    askForFrame();
  });
