import type { ServerConnections } from './server-connections.ts';

/** A server that was lost is tried again this often. */
const RETRY_MS = 5_000;

/** While any run works, servers that are lost are tried again and again; an idle worker tries nothing. */
export function createRetries({ retry }: Pick<ServerConnections, 'retry'>) {
  const working = new Set<string>();
  let timer: ReturnType<typeof setInterval> | undefined;

  const tryLost = (): void =>
    void retry().catch((error: unknown) => console.warn('The servers could not be tried again.', error));

  /** A run, by its id, works or does no longer. */
  return (id: string, works: boolean): void => {
    if (works) working.add(id);
    else working.delete(id);
    if (working.size > 0) {
      timer ??= setInterval(tryLost, RETRY_MS);
    } else {
      clearInterval(timer);
      timer = undefined;
    }
  };
}
