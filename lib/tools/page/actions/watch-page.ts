import * as dom from '../dom/dom.ts';
import { isDownload, refuseDownload } from '../dom/effects.ts';
import { isReadable } from '../reading/frame-readings.ts';
import { originOfFrame } from '../dom/frames.ts';
import { noteFocus, tellFocus } from '../dom/told-focus.ts';
import { openWorkerPort } from '../dom/worker-port.ts';
import { linkInNewTab } from './mouse.ts';
import { type Dialog, type DialogAnswer, WATCH_PORT } from './page-override.ts';
import { areFramesServed, askForFrame, endFrames, frameCame, serveFrames } from './served-frames.ts';

const MOST_MESSAGE = 2_000;
/** Dialogs and downloads of a document that the worker hears of: a page that finds out how to say them may say any number. */
const MOST_TOLD = 10;
const KINDS = /^(alert|confirm|prompt)$/;

/**
 * Stands by for this document, until the worker lets go of the port: answers its dialogs, if it is of the site that is acted on,
 * until the user presses something here, from when on they are the browser's as ever; and where the user is elsewhere, tells it of the
 * focus, and has it do what it waits with for being drawn. The page's calls come as events from the script in its own world
 * (page-override.ts). Frames of other sites may open no dialogs in Chromium.
 */
export function watchPage(id: string, site: string, first: DialogAnswer | null): void {
  noteFocus();
  const isOfSite = isReadable(originOfFrame(), [site]) && self.origin !== 'null';
  if (isOfSite || !document.hasFocus()) watch(id, isOfSite, document.hasFocus() ? '' : 'focus ', first);
}

/**
 * Of a tab that is behind, in which no action is under way, but something is waited for: has this document do what it waits with
 * for being drawn, until the worker lets go of the port.
 * @returns whether that begins
 */
export function goOnBehind(id: string): boolean {
  if (!document.hidden || areFramesServed()) return false;
  watch(id, false, '', null);
  return true;
}

function watch(id: string, isOfSite: boolean, focus: string, first: DialogAnswer | null): void {
  const port = openWorkerPort(WATCH_PORT + id);
  if (!port) return;
  const watching = new AbortController();
  const options = { capture: true, signal: watching.signal };
  const tell = (detail: string): void => void dispatchEvent(new CustomEvent(`${id}-answer`, { detail }));
  const isBehind = document.hidden;
  let overridden: string | undefined = `${isOfSite ? 'dialogs ' : ''}${focus}${isBehind ? 'frames' : ''}`;
  let next = first;
  let count = 0;
  const post = (dialog: Dialog): void => {
    if (count++ < MOST_TOLD) port.postMessage(dialog);
  };

  const onAsked = (event: Event): void => {
    const [kind = '', message = '', preset = ''] = String((event as CustomEvent<unknown>).detail).split('\0');
    if (kind === '') {
      if (overridden !== undefined) tell(overridden);
      overridden = undefined; // once: it is asked again as other frames come
      return;
    }
    if (kind === 'focus') return tellFocus();
    if (kind === 'frame') return askForFrame();
    if (!isOfSite) return;
    if (kind === 'print' || kind === 'file') return toldOf(kind, '');
    if (kind === 'download') return tell(refuseDownload() ? (toldOf('download', message), '-') : '+');
    if (!isKind(kind)) return;
    const wanted = kind === 'alert' ? null : next;
    if (wanted) next = null;
    const answer = wanted ?? { accept: kind === 'alert' };
    const said = { message: message.slice(0, MOST_MESSAGE), preset: preset.slice(0, MOST_MESSAGE) };
    post({ kind, ...said, answer, isWanted: wanted !== null });
    tell(answer.accept ? `+${answer.text ?? preset}` : '-');
  };
  const toldOf = (kind: 'download' | 'file' | 'print', name: string): void => {
    const message = name.slice(0, MOST_MESSAGE);
    post({ kind, message, preset: '', answer: { accept: false }, isWanted: false });
  };
  // A script that kept the browser's functions from before presses a link all the same.
  const onClick = (event: Event): void => {
    if (event.isTrusted) return;
    const link = event.composedPath().find((each) => each instanceof Element && isDownload(each));
    if (!link || !refuseDownload()) return;
    event.preventDefault();
    toldOf('download', dom.attribute(link as Element, 'download') ?? '');
  };
  // A script in a link's address runs in the world that follows it; in this one Chromium lets none run.
  const onFollowed = (event: Event): void => {
    if (event.isTrusted || event.defaultPrevented) return;
    const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement);
    if (link?.protocol !== 'javascript:' || linkInNewTab(link)) return;
    const follow = new CustomEvent(`${id}-follow`, { detail: link.href, cancelable: true });
    if (!dispatchEvent(follow)) event.preventDefault();
  };
  const tellClosed = isBehind ? watchDialogs(watching.signal, askForFrame) : undefined;
  const end = (): void => {
    tellClosed?.();
    watching.abort();
    endFrames(port);
    dispatchEvent(new CustomEvent(`${id}-end`));
    port.disconnect();
  };

  const draw = (): void => {
    tellClosed?.();
    dispatchEvent(new CustomEvent(`${id}-frame`));
  };
  if (isBehind) serveFrames({ port, draw });
  addEventListener(id, onAsked, options);
  if (isOfSite) addEventListener('click', onClick, options);
  addEventListener('click', onFollowed, { signal: watching.signal });
  for (const type of ['pointerdown', 'keydown'])
    addEventListener(type, ({ isTrusted }) => isTrusted && end(), options);
  addEventListener('pagehide', end, options);
  port.onMessage.addListener((said) => {
    if (said === 'frame') frameCame();
    else next = null; // answered in another frame
  });
  port.onDisconnect.addListener(end);
}

const isKind = (kind: string): kind is Dialog['kind'] => KINDS.test(kind);

/**
 * Dialogs that close in a document that is not drawn, of which Chromium tells the page only as it draws it next.
 * @param closed one did
 * @returns what tells the page of them
 */
function watchDialogs(signal: AbortSignal, closed: () => void): () => void {
  const untold = new Set<EventTarget>();
  const observer = new MutationObserver((records) => {
    for (const { target, oldValue } of records)
      if (target instanceof HTMLDialogElement && oldValue !== null && dom.attribute(target, 'open') === null)
        untold.add(target);
    if (untold.size > 0) closed();
  });
  observer.observe(document, { subtree: true, attributeFilter: ['open'], attributeOldValue: true });
  signal.addEventListener('abort', () => observer.disconnect());
  // Firefox tells of it at once.
  addEventListener('close', ({ target }) => target && untold.delete(target), { capture: true, signal });
  return () => {
    for (const dialog of untold) {
      untold.delete(dialog);
      dialog.dispatchEvent(new Event('close'));
      keepSecond(dialog);
    }
  };
}

/** The browser's own comes as the page is drawn again. */
function keepSecond(dialog: EventTarget): void {
  const keep = (event: Event): void => {
    if (!event.isTrusted || event.target !== dialog) return;
    event.stopImmediatePropagation();
    removeEventListener('close', keep, true);
  };
  addEventListener('close', keep, true);
}
