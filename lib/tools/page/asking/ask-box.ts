import {
  type AskBox,
  ASK_PORT,
  type BoxAnswer,
  type BoxSaid,
  LONGEST_QUESTION,
} from '../../../types/ask-box.ts';
import { HOST_STYLE, made, toTop } from '../actions/sight.ts';
import * as dom from '../dom/dom.ts';
import { lasting } from '../dom/lasting.ts';
import { openWorkerPort } from '../dom/worker-port.ts';
import { selectedPlace, selectedRange } from '../reading/selection.ts';
import { fillBox } from './box-content.ts';

/** Pixels to the window's edges, and to what is selected. */
const GAP = 8;
const WIDTH = 360;

const shown = lasting('portsideAskBox', () => ({
  box: undefined as { quote: string; close: () => void } | undefined,
}));

/**
 * Opens the box at what is selected here, over all of the page, or closes the one about the same. It lies in a frame within
 * a closed shadow tree: no event in a frame's document comes to the page, which so learns neither keys nor text.
 * @returns whether it is open; false also where a page's sandbox keeps its frames out of reach
 */
export function openAskBox(ask: AskBox): boolean {
  const before = shown.box;
  before?.close();
  if (before?.quote === ask.quote) return false;
  const place = selectedPlace(document);
  const [focused, range] = [dom.focused(document), selectedRange(document)];
  const host = made('div');
  host.setAttribute('style', HOST_STYLE);
  const frame = made('iframe');
  frame.title = ask.words.title;
  const close = (): void => {
    shown.box = undefined;
    host.remove();
    window.focus();
    if (focused instanceof HTMLElement) HTMLElement.prototype.focus.call(focused, { preventScroll: true });
    // A field that gets the focus takes the selection.
    if (range && focused?.ownerDocument === document)
      document
        .getSelection()
        ?.setBaseAndExtent(range.startContainer, range.startOffset, range.endContainer, range.endOffset);
  };
  const fit = (height: number): void => style(frame, boxIn(place, height, ask.direction));
  style(frame, {
    all: 'initial',
    position: 'absolute',
    border: '0',
    'border-radius': '12px',
    'pointer-events': 'auto',
    'color-scheme': ask.theme === 'system' ? 'light dark' : ask.theme,
    'box-shadow': '0 0 0 1px light-dark(#c6d0d1, #3d494c), 0 4px 12px #0003, 0 16px 40px #0003',
  });
  fit(0);
  frame.addEventListener('load', () => {
    const inside = frame.contentDocument;
    // Whatever leads the frame elsewhere, as a page's service worker may that finds it (https://github.com/w3c/ServiceWorker/issues/1232).
    if (inside?.URL !== 'about:blank') return dismissed();
    fillBox(inside, ask, { fit, close: dismissed, send: sendTo(ask, close) });
  });
  const dismissed = (): void => {
    close();
    tell({ id: ask.id, text: null });
  };
  host.attachShadow({ mode: 'closed' }).append(frame);
  Node.prototype.appendChild.call(parentOf(), host);
  toTop(host);
  if (!frame.contentDocument) {
    close();
    return false;
  }
  shown.box = { quote: ask.quote, close: dismissed };
  return true;
}

/** Has it asked; in time the box goes. @returns why it stays */
const sendTo =
  ({ id }: AskBox, close: () => void) =>
  async (text: string): Promise<'noPanel' | 'failed' | undefined> => {
    const answer = await tell({ id, text });
    if (!answer) return 'failed';
    if (!answer.isOpen) return 'noPanel';
    close();
    return undefined;
  };

/** By a port of its own, since the worker may have died meanwhile; undefined where it does not answer. */
function tell(said: BoxSaid): Promise<BoxAnswer | undefined> {
  return new Promise((resolve) => {
    try {
      const port = openWorkerPort(ASK_PORT);
      port?.onMessage.addListener((answer: BoxAnswer) => {
        resolve(answer);
        port.disconnect();
      });
      port?.onDisconnect.addListener(() => resolve(undefined));
      port?.postMessage({ ...said, text: said.text?.slice(0, LONGEST_QUESTION) ?? null });
    } catch (error) {
      console.debug(error); // Portside was updated, or switched off
      resolve(undefined);
    }
  });
}

/** All else is out of reach while the page shows a modal dialog. */
const parentOf = (): Element => dom.select(document, 'dialog:modal').at(-1) ?? document.documentElement;

/** Below what is selected, else above it, and always within the window. */
function boxIn(
  place: DOMRect | undefined,
  height: number,
  direction: AskBox['direction'],
): Record<string, string> {
  const width = Math.min(WIDTH, innerWidth - 2 * GAP);
  const most = innerHeight - 2 * GAP;
  const high = Math.min(height, most);
  const within = (at: number, size: number, room: number): number =>
    Math.max(GAP, Math.min(at, room - size - GAP));
  const start = place ? (direction === 'rtl' ? place.right - width : place.left) : (innerWidth - width) / 2;
  const below = (place?.bottom ?? 0) + GAP;
  const above = (place?.top ?? 0) - GAP - high;
  const top = below + high + GAP > innerHeight && above >= GAP ? above : below;
  return {
    width: `${width}px`,
    height: `${high}px`,
    left: `${within(start, width, innerWidth)}px`,
    top: `${within(top, high, innerHeight)}px`,
  };
}

function style(element: HTMLElement, styles: Record<string, string>): void {
  for (const [name, value] of Object.entries(styles)) element.style.setProperty(name, value, 'important');
}
