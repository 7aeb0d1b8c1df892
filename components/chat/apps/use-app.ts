import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { toWire } from '../../../lib/errors.ts';
import type { AppBridge, Wish } from '../../../lib/state/apps/bridge.ts';
import type { DisplayMode } from '../../../lib/state/apps/shapes.ts';
import type { WireError } from '../../../lib/types/error.ts';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { usePanel } from '../../panel-context.ts';
import { runApp } from './app-frame.ts';
import { hostContext, mostHeight } from './host-context.ts';
import { GUARD_MS } from '../../ui/keys/decisions.ts';
import { turned } from '../../ui/keys/double-click.ts';

/** Where its code ends. `unseen`: it was not scrolled to yet, and costs nothing. */
type State = 'unseen' | 'opening' | 'open' | 'closed' | 'flood' | 'left';

const LEAST_HEIGHT = 40;

/** What a wish of the app's waits for. */
type Asked = { wish: Wish; answer: (isDone: boolean) => void };

/** The app of a call: its code runs in `place` from when that is seen. @param isWritten its arguments are still written */
export function useApp(call: ToolCall, isWritten: boolean, title: string) {
  const panel = usePanel();
  const { callId } = call;
  const place = useRef<HTMLDivElement>(null);
  const bridge = useRef<AppBridge | null>(null);
  const written = useRef<string | undefined>(undefined);
  written.current = isWritten ? call.arguments : undefined;
  const isOwnTab = location.hash.endsWith(`/${callId}`);
  const state = useSignal<State>(isOwnTab ? 'opening' : 'unseen');
  const fault = useSignal<WireError | null>(null);
  const mode = useSignal<'inline' | 'fullscreen'>(isOwnTab ? 'fullscreen' : 'inline');
  const { asked, wish } = useWish();
  useSight(place, state);

  const show = (wanted: DisplayMode): DisplayMode => {
    if (place.current && wanted === 'inline' && mode.value !== wanted) appGaveRoom(place.current);
    if (wanted !== 'pip') mode.value = wanted;
    return mode.value;
  };
  const isOn = state.value === 'opening' || state.value === 'open';
  useEffect(() => {
    const holder = place.current;
    if (!holder || !isOn) return undefined;
    const over = new AbortController();
    const { signal: gone } = over;
    const context = () => hostContext(holder, mode.peek());
    const { conversationId, serverId, toolName } = call;
    const writing = isWritten && serverId !== null && { writing: { conversationId, serverId, toolName } };
    const begin = async (): Promise<void> => {
      // With its code, which is fetched when the first app is shown.
      const [{ createAppBridge }, opened] = await Promise.all([
        import('../../../lib/state/apps/bridge.ts'),
        panel.ask('openApp', { callId, ...writing }),
      ]);
      if (gone.aborted) return;
      const appId = crypto.randomUUID();
      const stop = async (why: State): Promise<void> => {
        const was = holder.getBoundingClientRect();
        await running.close();
        appGaveRoom(holder, was);
        turned(); // a list that it had opened reached beyond it
        if (!gone.aborted) state.value = why;
      };
      const running = runApp(holder, {
        title,
        opened,
        bridge: (post) =>
          createAppBridge({
            callId,
            opened,
            written: () => written.current,
            post,
            ask: panel.ask,
            context,
            resize: (height) => {
              const fitting = Math.min(Math.max(Math.ceil(height), LEAST_HEIGHT), mostHeight());
              if (fitting < holder.offsetHeight) appGaveRoom(holder);
              holder.style.setProperty('--app-height', `${fitting}px`);
            },
            wish,
            show,
            offer: (tools) =>
              panel.appTools.put(
                appId,
                { callId, call: running.callTool, cancel: running.cancelTool },
                tools,
              ),
            close: (why) => void stop(why === 'flood' ? 'flood' : 'closed'),
            newId: () => crypto.randomUUID(),
            now: () => Date.now(),
          }),
        looksChanged: () => running.contextChanged(context()),
        stop: (why) => void stop(why),
        gone,
      });
      bridge.current = running;
      state.value = 'open';
    };
    begin().catch((error: unknown) => {
      if (gone.aborted) return;
      fault.value = toWire(error);
      state.value = 'closed';
    });
    return () => {
      bridge.current = null;
      asked.peek()?.answer(false);
      mode.value = 'inline';
      over.abort();
    };
  }, [isOn, callId]);

  useEffect(() => bridge.current?.callChanged(), [call.status, isWritten]);
  useEffect(() => bridge.current?.writtenMore(), [call.arguments]);
  useEffect(() => {
    const holder = place.current;
    if (holder) bridge.current?.contextChanged(hostContext(holder, mode.value));
  }, [mode.value]);
  const reopen = (): void => {
    fault.value = null;
    state.value = 'opening';
  };
  // What could not be shown while the call was written may be now.
  useEffect(() => {
    if (!isWritten && fault.peek()) reopen();
  }, [isWritten]);
  const close = async (): Promise<void> => {
    await bridge.current?.close();
    state.value = 'closed';
  };
  return { place, state: state.value, isOn, isOwnTab, fault, mode, asked, reopen, close };
}

/** Puts what the app asks for before the user, one wish after the other. */
function useWish() {
  const asked = useSignal<Asked | null>(null);
  const wish = (wanted: Wish): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    asked.value = {
      wish: wanted,
      answer: (isDone) => {
        asked.value = null;
        resolve(isDone);
      },
    };
    return promise;
  };
  return { asked, wish };
}

/** Opens what is unseen once it is scrolled to. */
function useSight(place: RefObject<HTMLDivElement | null>, state: Signal<State>): void {
  useEffect(() => {
    const holder = place.current;
    if (!holder || state.value !== 'unseen') return undefined;
    const sight = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) state.value = 'opening';
    });
    sight.observe(holder);
    return () => sight.disconnect();
  }, [state.value]);
}

/** Where apps were, in what, and since when they are not. */
type Room = { was: DOMRect; log: Element | null; since: number };
let rooms: Room[] = [];

const isNew = ({ since }: Room): boolean => performance.now() - since < GUARD_MS;

const drop = (event: MouseEvent): void => {
  const { clientX: x, clientY: y } = event;
  const target = event.target as Element;
  const room = rooms
    .filter(isNew)
    .filter(({ was }) => x >= was.left && x <= was.right && y >= was.top && y <= was.bottom)
    // What scrolls under the edge of the log was not seen there.
    .find(({ log }) => log?.contains(target) ?? true);
  // An app's head is Portside's.
  if (!room || target.closest('.app-head')) return;
  room.since = performance.now(); // of many in a row none counts
  event.preventDefault();
  event.stopImmediatePropagation();
};

/**
 * Drops the presses of the next moment where an app was that has just given room: one that was meant for it, such as the second of
 * two, would land on what is there now, a link or an approval, whose own guard need not see that anything moved.
 */
function appGaveRoom(place: Element, was = place.getBoundingClientRect()): void {
  const log = place.closest('.app[data-mode="fullscreen"]') ? null : place.closest('.log');
  rooms = [...rooms.filter(isNew), { was, log, since: performance.now() }];
  // The same listener each time: the browser keeps one of them.
  for (const type of ['click', 'auxclick'] as const) addEventListener(type, drop, true);
}
