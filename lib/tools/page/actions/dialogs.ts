import * as dom from '../dom/dom.ts';
import { isDownload, refuseDownload } from '../dom/effects.ts';
import { isReadable } from '../reading/frame-readings.ts';
import { originOfFrame } from '../dom/frames.ts';
import { openWorkerPort } from '../dom/worker-port.ts';
import { type Dialog, type DialogAnswer, DIALOG_PORT } from './dialog-override.ts';

const MOST_MESSAGE = 2_000;
const KINDS = /^(alert|confirm|prompt)$/;

/**
 * Answers the dialogs of this document, if it is of the site that is acted on, until the worker lets go of the port, or the
 * user presses something here: their dialogs are the browser's as ever. The page's calls come as events from the script in
 * its own world (dialog-override.ts). Frames of other sites may open none in Chromium.
 */
export function watchDialogs(id: string, site: string, first: DialogAnswer | null): void {
  if (!isReadable(originOfFrame(), [site]) || self.origin === 'null') return;
  const port = openWorkerPort(DIALOG_PORT + id);
  if (!port) return;
  const watching = new AbortController();
  const options = { capture: true, signal: watching.signal };
  const tell = (detail: string): void => void dispatchEvent(new CustomEvent(`${id}-answer`, { detail }));
  let next = first;

  const onAsked = (event: Event): void => {
    const [kind = '', message = '', preset = ''] = String((event as CustomEvent<unknown>).detail).split('\0');
    if (kind === '') return tell('');
    if (kind === 'download') return tell(refuseDownload() ? (toldOf(message), '-') : '+');
    if (!isKind(kind)) return;
    const wanted = kind === 'alert' ? null : next;
    if (wanted) next = null;
    const answer = wanted ?? { accept: kind === 'alert' };
    const said = { message: message.slice(0, MOST_MESSAGE), preset: preset.slice(0, MOST_MESSAGE) };
    port.postMessage({ kind, ...said, answer, isWanted: wanted !== null } satisfies Dialog);
    tell(answer.accept ? `+${answer.text ?? preset}` : '-');
  };
  const toldOf = (name: string): void => {
    const message = name.slice(0, MOST_MESSAGE);
    port.postMessage({
      kind: 'download',
      message,
      preset: '',
      answer: { accept: false },
      isWanted: false,
    } satisfies Dialog);
  };
  // A script that kept the browser's functions from before presses a link all the same.
  const onClick = (event: Event): void => {
    if (event.isTrusted) return;
    const link = event.composedPath().find((each) => each instanceof Element && isDownload(each));
    if (!link || !refuseDownload()) return;
    event.preventDefault();
    toldOf(dom.attribute(link as Element, 'download') ?? '');
  };
  const end = (): void => {
    watching.abort();
    dispatchEvent(new CustomEvent(`${id}-end`));
    port.disconnect();
  };

  addEventListener(id, onAsked, options);
  addEventListener('click', onClick, options);
  for (const type of ['pointerdown', 'keydown'])
    addEventListener(type, ({ isTrusted }) => isTrusted && end(), options);
  addEventListener('pagehide', end, options);
  port.onMessage.addListener(() => (next = null)); // answered in another frame
  port.onDisconnect.addListener(end);
}

const isKind = (kind: string): kind is Dialog['kind'] => KINDS.test(kind);
