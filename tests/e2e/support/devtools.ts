import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from './until.ts';

export type Target = { targetId: string; type: string; url: string };

type DevtoolsMessage = {
  id?: number;
  result?: unknown;
  error?: unknown;
  method?: string;
  params?: {
    sessionId?: string;
    targetInfo?: Target;
    exceptionDetails?: { text: string; exception?: { description?: string } };
  };
  sessionId?: string;
};

export type Devtools = {
  /** Of each event of an attached target; the browser's own are of `''`. */
  listen: (sessionId: string, listener: (event: DevtoolsMessage) => void) => void;
  /** @throws Error when it is refused, its target is gone, or no answer comes in a minute */
  send: <T>(method: string, params?: object, sessionId?: string) => Promise<T>;
};

/** Longer than anything takes: a page that hangs answers nothing. */
const ANSWERS_MS = 60_000;

/** A DevTools connection, over a plain WebSocket, to a browser that was started on this profile. */
export async function connectDevtools(profile: string): Promise<Devtools> {
  const socket = new WebSocket(await devtoolsUrl(profile));
  const pending = new Map<number, PromiseWithResolvers<unknown> & { sessionId: string | undefined }>();
  const listeners = new Map<string, (event: DevtoolsMessage) => void>();
  let last = 0;
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error, ...event } = JSON.parse(String(data)) as DevtoolsMessage;
    if (event.method !== undefined) listeners.get(event.sessionId ?? '')?.(event);
    if (event.method === 'Target.detachedFromTarget') rejectOf(event.params?.sessionId);
    const waiting = id === undefined ? undefined : pending.get(id);
    if (error) waiting?.reject(new Error(JSON.stringify(error)));
    else waiting?.resolve(result);
  });
  socket.addEventListener('close', () => {
    for (const { reject } of pending.values()) reject(new Error('The browser is gone.'));
  });
  /** A target that is gone answers nothing any more. */
  const rejectOf = (gone: string | undefined): void => {
    for (const { sessionId, reject } of pending.values())
      if (gone !== undefined && sessionId === gone) reject(new Error('The page is gone.'));
  };
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', reject, { once: true });
  });
  return {
    listen: (sessionId, listener) => void listeners.set(sessionId, listener),
    send<T>(method: string, params: object = {}, sessionId?: string): Promise<T> {
      const answer = { ...Promise.withResolvers<unknown>(), sessionId };
      const id = ++last;
      pending.set(id, answer);
      socket.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }));
      const late = setTimeout(() => answer.reject(new Error(`${method}: no answer.`)), ANSWERS_MS);
      return answer.promise.finally(() => {
        clearTimeout(late);
        pending.delete(id);
      }) as Promise<T>;
    },
  };
}

async function devtoolsUrl(profile: string): Promise<string> {
  let lines: string[] = [];
  await until('the browser says where its debugger is', async () => {
    lines = (await readFile(join(profile, 'DevToolsActivePort'), 'utf8').catch(() => '')).split('\n');
    return lines.length > 1;
  });
  return `ws://127.0.0.1:${lines[0]}${lines[1]}`;
}
