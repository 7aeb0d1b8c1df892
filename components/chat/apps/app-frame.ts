import type { AppBridge } from '../../../lib/state/apps/bridge.ts';
import type { OpenedApp } from '../../../lib/types/app.ts';
import { trackFocus } from '../../ui/keys/decisions.ts';
import { followLooks } from './host-context.ts';
import { keepFocus } from './keep-focus.ts';

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
