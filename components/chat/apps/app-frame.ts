import type { AppBridge } from '../../../lib/state/apps/bridge.ts';
import type { OpenedApp } from '../../../lib/types/app.ts';
import { trackFocus } from '../../ui/keys/decisions.ts';
import { followLooks } from './host-context.ts';

/** Runs an app's code in a frame of its own, which reaches nothing of Portside's, until `gone` is aborted. */
export function runApp(
  holder: HTMLElement,
  app: {
    title: string;
    opened: OpenedApp;
    /** Builds what answers the app; `post` leads into its frame. */
    bridge: (post: (message: unknown) => void) => AppBridge;
    /** What holds around the frame has changed. */
    looksChanged: () => void;
    /** Another page is in the frame, or the app takes the focus again and again. */
    stop: (why: 'left' | 'flood') => void;
    gone: AbortSignal;
  },
): AppBridge {
  const { opened, gone: signal } = app;
  const frame = openFrame(holder, app.title);
  const post = (message: unknown): void => frame.contentWindow?.postMessage(message, '*');
  const bridge = app.bridge(post);
  let loads = 0;
  frame.addEventListener('load', () => {
    loads += 1;
    if (loads === 1) post({ html: opened.html, policy: opened.policy });
    // Once for the document that is written; what is loaded after that is another page.
    else if (loads > 2) app.stop('left');
  });
  const hear = (event: MessageEvent): void => {
    if (event.source === frame.contentWindow && loads > 0) bridge.receive(() => event.data as unknown);
  };
  addEventListener('message', hear, { signal });
  const ends = [
    followLooks(holder, app.looksChanged),
    keepFocus(frame, () => app.stop('flood')),
    bridge.drop,
    () => frame.remove(),
    trackFocus,
  ];
  signal.addEventListener('abort', () => ends.forEach((end) => end()));
  return bridge;
}

function openFrame(holder: HTMLElement, title: string): HTMLIFrameElement {
  const frame = Object.assign(document.createElement('iframe'), { src: '/app-frame.html', title });
  // Forms tell their scripts that they are sent, and go nowhere: the policy forbids that.
  frame.sandbox.add('allow-scripts', 'allow-forms');
  frame.referrerPolicy = 'no-referrer';
  holder.replaceChildren(frame);
  return frame;
}

/** Who typed so recently is typing. */
const TYPING_MS = 1500;
const TAB_MS = 300;
/** So often an app may try. */
const MOST_TAKEN = 20;

/**
 * Keeps an app from taking the focus by itself, and what is typed with it: a press on its frame, or Tab, moves it there. The page
 * is not told of presses in a frame of another origin, only that the pointer is over it; of a finger not even that.
 * @param insists called when the app takes it again and again
 * @returns what ends it
 */
function keepFocus(frame: HTMLIFrameElement, insists: () => void): () => void {
  const over = new AbortController();
  const { signal } = over;
  let last = document.activeElement;
  let isOver = false;
  let [typedAt, tabbedAt, taken] = [-Infinity, -Infinity, 0];
  const isMeant = (): boolean => {
    const now = performance.now();
    const isPointed = isOver || matchMedia('(any-pointer: coarse)').matches;
    return now - tabbedAt < TAB_MS || (isPointed && now - typedAt > TYPING_MS);
  };
  addEventListener(
    'keydown',
    ({ key }) => {
      if (key === 'Tab') tabbedAt = performance.now();
      else typedAt = performance.now();
    },
    { signal, capture: true },
  );
  addEventListener(
    'focusin',
    ({ target }) => {
      if (target !== frame && target instanceof HTMLElement) last = target;
    },
    { signal },
  );
  frame.addEventListener('pointerenter', () => (isOver = true), { signal });
  frame.addEventListener('pointerleave', () => (isOver = false), { signal });
  const look = (): void => {
    if (document.activeElement !== frame || isMeant()) return;
    frame.blur();
    if (last instanceof HTMLElement) last.focus({ preventScroll: true });
    taken += 1;
    if (taken > MOST_TAKEN) insists();
  };
  // What has the focus instead is known once these are over.
  addEventListener('blur', () => setTimeout(look), { signal });
  addEventListener('focusout', () => setTimeout(look), { signal });
  return () => over.abort();
}
