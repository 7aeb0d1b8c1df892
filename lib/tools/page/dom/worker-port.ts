/** Begins the name of the ports over which the worker lets documents act, one for each action: it ends with its port. */
export const ACTION_PORT = 'action:';

/** A port from a page to the worker, as far as it is used there. */
export type WorkerPort = {
  postMessage: (said: unknown) => void;
  disconnect: () => void;
  onMessage: { addListener: (told: (said: never) => void) => void };
  onDisconnect: { addListener: (gone: () => void) => void };
};

const { chrome } = globalThis as unknown as {
  chrome?: { runtime: { connect: (options: { name: string }) => WorkerPort } };
};

/** Opens one, which drops when the worker dies. */
export const openWorkerPort = (name: string): WorkerPort | undefined => chrome?.runtime.connect({ name });
