import type { Scheduler } from 'fast-check';
import { fromWire, toWire } from '../../lib/errors.ts';
import type { CommandHandlers, PanelPort } from '../../lib/messaging.ts';
import type { Announcement, PanelEvent, PanelRequest } from '../../lib/protocol/panel.ts';
import type { WorkerLink } from '../../lib/state/panel-port.ts';
import type { Life } from './worker.ts';

/** Sooner than the browser's, which come every 30 s. */
const ALARM_MS = 8000;

type Answer = { reply: unknown } | { error: unknown };

/** Both ends of one event port. What is on its way arrives in order, whenever the scheduler says so. */
type Port = {
  life: Life;
  /** It is cut off in the middle: the worker's end at once, the page is told. */
  cut: () => void;
  /** It stays open and brings the page nothing any more. */
  mute: () => void;
  /** The page closes it: what it said before is still on its way. */
  close: () => void;
  post: (message: PanelRequest) => void;
  /** Undefined when the port is gone before the answer. */
  ask: (command: string, request: unknown) => Promise<Answer | undefined>;
};

type Channel = (deliver: () => void) => void;
type Handlers = { event: (event: PanelEvent) => void; dropped: () => void };

/**
 * A browser between worker and pages: messages, ports and announcements, each delivered when the scheduler says so, and
 * a worker that is started by whatever is said to it.
 */
export function createWorld(scheduler: Scheduler, start: () => Life) {
  let life: Life | undefined;
  const ports = new Set<Port>();
  const listeners = new Set<(announcement: Announcement) => void>();
  const arrive = (label: string): Promise<unknown> => scheduler.schedule(Promise.resolve(), label);
  const started = new WeakSet<Life>();
  function wake(): Life {
    if (life) return life;
    const mine = start();
    void mine.ready.then(() => started.add(mine));
    return (life = mine);
  }

  /** Delivers one after the other. */
  function channel(label: string): Channel {
    let last: Promise<unknown> = Promise.resolve();
    return (deliver) => void (last = last.then(() => arrive(label)).then(deliver));
  }

  function connect(handlers: Handlers, toWorker: Channel): Port {
    const toPage = channel('to page');
    const mine = wake();
    const ends = { worker: true, page: true };
    let isMute = false;
    const answers = new Set<(answer: undefined) => void>();
    const isHeard = (): boolean => mine.isAlive && ends.worker;
    const end: PanelPort = {
      get open() {
        return isHeard();
      },
      send(event) {
        const told = structuredClone(event);
        if (isMute || !isHeard()) return;
        toPage(() => ends.page && !isMute && handlers.event(told));
      },
      refuse: (error) => end.send({ type: 'refused', error: toWire(error) }),
    };
    const toLife = (deliver: () => void): void =>
      toWorker(() => {
        const isStarted = started.has(mine);
        // What a page said that closed before the worker had started is dropped.
        void mine.ready.then(() => mine.isAlive && (ends.page || isStarted) && deliver());
      });
    const leave = (): void => {
      ends.page = false;
      ports.delete(port);
      for (const resolve of answers) resolve(undefined);
    };
    const gone = (): void => {
      if (!ends.worker) return;
      ends.worker = false;
      if (mine.isAlive) mine.gone(end);
    };
    const port: Port = {
      life: mine,
      cut() {
        gone();
        toPage(() => {
          if (!ends.page) return;
          leave();
          handlers.dropped();
        });
      },
      mute: () => void (isMute = true),
      close() {
        leave();
        toWorker(() => void mine.ready.then(gone));
      },
      post: (message) => toLife(() => mine.request(end, structuredClone(message))),
      ask: (command, request) =>
        new Promise((resolve) => {
          if (!ends.page) return resolve(undefined);
          answers.add(resolve);
          toLife(() => void answerOf(mine, command, request).then((answer) => toPage(() => resolve(answer))));
        }),
    };
    ports.add(port);
    return port;
  }

  /** Never comes from a life that has ended. */
  async function answerOf(of: Life, command: string, request: unknown): Promise<Answer | undefined> {
    const handle = of.commands[command as keyof CommandHandlers] as
      | ((request: unknown) => unknown)
      | undefined;
    try {
      return { reply: await handle?.(structuredClone(request)) };
    } catch (error) {
      return { error: toWire(error) };
    }
  }

  /** A message of its own: undefined when the worker ended before it answered. */
  async function say(
    toWorker: Channel,
    isOpen: () => boolean,
    command: string,
    request: unknown,
  ): Promise<Answer | undefined> {
    await new Promise<void>((resolve) => toWorker(resolve));
    const mine = wake();
    const isStarted = started.has(mine);
    const ended = new Promise<undefined>((resolve) => onEnd.set(mine, [...(onEnd.get(mine) ?? []), resolve]));
    const answered = mine.ready.then(() =>
      isOpen() || isStarted ? answerOf(mine, command, request) : undefined,
    );
    const answer = await Promise.race([answered, ended]);
    await arrive(`answer to ${command}`);
    return answer;
  }
  const onEnd = new Map<Life, ((answer: undefined) => void)[]>();

  /** What is said in a window arrives in its order, whichever page of it says it. */
  const windows = new Map<number, Channel>();

  /** A page's line to the worker, and how it is closed. What it said is still on its way to a worker that has started. */
  function openPage(window: number): { link: WorkerLink; close: () => void } {
    const toWorker = windows.get(window) ?? channel(`from window ${window}`);
    windows.set(window, toWorker);
    let port: Port | undefined;
    let isOpen = true;
    const heard = new Set<(announcement: Announcement) => void>();
    const untilClosed = <T>(answer: T): T | Promise<never> => (isOpen ? answer : new Promise(() => {}));
    const link: WorkerLink = {
      async send(command, ...[request]) {
        const mayAskTwice = command === 'startRun';
        const ask = () => say(toWorker, () => isOpen, command, request).then(untilClosed);
        const onPort = mayAskTwice ? await untilClosed(await port?.ask(command, request)) : undefined;
        const answer = onPort ?? (await ask()) ?? (mayAskTwice ? await ask() : undefined);
        if (!answer) throw fromWire({ code: 'worker_unreachable', message: 'Gone.', retryable: true });
        if ('error' in answer) throw fromWire(answer.error as Parameters<typeof fromWire>[0]);
        return answer.reply as never;
      },
      open(request, { event, dropped }) {
        const mine = connect(
          {
            event: (told) => isOpen && event(told),
            dropped: () => isOpen && dropped(),
          },
          toWorker,
        );
        port = mine;
        mine.post(request);
        return { send: mine.post, close: mine.close };
      },
      announcements: (listener) => void heard.add(listener),
    };
    const hear = (announcement: Announcement): void => {
      if (isOpen) for (const listener of heard) listener(announcement);
    };
    listeners.add(hear);
    return {
      link,
      close() {
        isOpen = false;
        listeners.delete(hear);
        port?.close();
      },
    };
  }

  return {
    openPage,
    announce: (announcement: Announcement) =>
      void arrive('announcement').then(() => listeners.forEach((hear) => hear(announcement))),
    /** The browser ends the worker, whatever it is at. */
    kill(): void {
      if (!life) return;
      life.isAlive = false;
      if (life.working.size > 0) setTimeout(wake, ALARM_MS);
      for (const resolve of onEnd.get(life) ?? []) resolve(undefined);
      for (const port of [...ports].filter((each) => each.life === life)) port.cut();
      life = undefined;
    },
    /** Ports are lost though the worker lives. */
    losePorts(): void {
      ports.forEach((port) => port.cut());
    },
    mutePorts: (): void => ports.forEach((port) => port.mute()),
    life: wake,
  };
}
