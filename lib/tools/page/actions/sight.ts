import { lasting } from '../dom/lasting.ts';
import { openWorkerPort } from '../dom/worker-port.ts';

/** Milliseconds for which an element that is acted on is outlined. */
const OUTLINED_MS = 1_500;

/** What the worker gives the mark to say, in the user's language. */
export type MarkWords = { label: string; stop: string; direction: 'ltr' | 'rtl' };

/** The name of the port that a mark holds open: it goes with the port, also when the worker dies. */
export const MARK_PORT = 'acting';

/** What is drawn over this document: in a closed shadow tree, which the page neither reads nor presses. */
const sight = lasting('portsideSight', () => ({
  host: undefined as HTMLElement | undefined,
  root: undefined as ShadowRoot | undefined,
  mark: undefined as HTMLElement | undefined,
  outline: undefined as HTMLElement | undefined,
  outlines: 0,
}));

/** Whatever styles the page has for all elements. */
export const HOST_STYLE =
  'all:initial!important;display:block!important;position:fixed!important;inset:0!important;width:100%!important;height:100%!important;background:none!important;pointer-events:none!important;z-index:2147483647!important;color-scheme:light dark!important';

/** The colours are those of components/ui/tokens.css. */
const STYLES = `
.mark {
  position: absolute; right: 12px; bottom: 12px; max-width: calc(100% - 24px);
  display: flex; align-items: center; gap: 8px; padding-block: 4px; padding-inline: 12px 4px; box-sizing: border-box;
  border: 1px solid light-dark(#c6d0d1, #3d494c); border-radius: 8px;
  background: light-dark(#ffffff, #1d2426); color: light-dark(#141c1d, #e5ebeb);
  font: 13px/20px system-ui, sans-serif; user-select: none; opacity: 0.95;
}
.mark[hidden], .outline[hidden] { display: none; }
[data-text]::before { content: attr(data-text); }
.lamp { flex: none; width: 8px; height: 8px; border-radius: 50%; background: light-dark(#0b6a72, #5cc4ca); }
button {
  flex: none; min-height: 28px; padding: 0 12px; pointer-events: auto; cursor: pointer;
  border: 1px solid light-dark(#c6d0d1, #3d494c); border-radius: 6px;
  background: light-dark(#f0f3f4, #252e30); color: inherit; font: 500 13px/20px system-ui, sans-serif;
}
button:hover { background: light-dark(#e9eeee, #2a3436); }
button:focus-visible { outline: 2px solid light-dark(#0b6a72, #5cc4ca); outline-offset: 1px; }
.outline {
  position: absolute; box-sizing: border-box; border: 2px solid light-dark(#0b6a72, #5cc4ca); border-radius: 6px;
  transition: opacity 240ms;
}
@media (prefers-reduced-motion: reduce) { .outline { transition: none; } }
`;

/** Shows that a run acts in this tab, with a button that stops it; once, while the worker keeps its port. */
export function showMark({ label, stop, direction }: MarkWords): void {
  if (sight.mark && sight.host?.isConnected) return;
  const port = openWorkerPort(MARK_PORT);
  if (!port) return;
  const mark = made('div', 'mark');
  // Text of a style, which a page does not find either (`window.find`).
  const [text, button] = [made('span'), made('button')];
  text.dataset['text'] = label;
  button.dataset['text'] = stop;
  button.addEventListener('click', ({ isTrusted }) => isTrusted && port.postMessage('stop'));
  mark.append(made('span', 'lamp'), text, button);
  mark.dir = direction;
  mark.setAttribute('role', 'group');
  mark.setAttribute('aria-label', label);
  sight.mark?.remove();
  sight.mark = mark;
  rootOf().append(mark);
  port.onDisconnect.addListener(() => {
    mark.remove();
    if (sight.mark === mark) sight.mark = undefined;
    tidy();
  });
}

/** Takes what is drawn here out of sight, or back, and waits until that is drawn. */
export async function hideMark(isHidden: boolean): Promise<void> {
  if (!sight.root) return;
  for (const drawn of [sight.mark, sight.outline]) drawn?.toggleAttribute('hidden', isHidden);
  for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
}

/** Draws a line around an element for a moment, wherever it goes meanwhile. */
export function outline(element: Element): void {
  if (document.hidden) return;
  const id = (sight.outlines += 1);
  sight.outline ??= made('div', 'outline');
  const { outline: line } = sight;
  rootOf().append(line);
  line.style.opacity = '1';
  const until = performance.now() + OUTLINED_MS;
  const follow = (): void => {
    if (sight.outlines !== id) return; // another one's by now
    if (performance.now() > until || !element.isConnected) {
      line.remove();
      sight.outline = undefined;
      return tidy();
    }
    const { left, top, width, height } = Element.prototype.getBoundingClientRect.call(element);
    const box = { left: left - 3, top: top - 3, width: width + 6, height: height + 6 };
    for (const [name, value] of Object.entries(box)) line.style.setProperty(name, `${value}px`);
    if (until - performance.now() < 300) line.style.opacity = '0';
    requestAnimationFrame(follow);
  };
  follow();
}

/** Whether an element is what Portside draws in: no part of the page. */
export const isSight = (node: Node): boolean => node === sight.host;

/** Of a page that removed it, anew. Outside of the body, which is all that is read of a page. */
function rootOf(): ShadowRoot {
  if (!sight.host || !sight.root) {
    sight.host = made('div');
    sight.host.setAttribute('style', HOST_STYLE);
    sight.root = sight.host.attachShadow({ mode: 'closed' });
    const style = made('style');
    style.textContent = STYLES;
    sight.root.append(style);
  }
  if (!sight.host.isConnected) {
    Node.prototype.appendChild.call(document.documentElement, sight.host);
    toTop(sight.host);
  }
  return sight.root;
}

/** Above what else the page shows, where the browser and the page allow that. */
export function toTop(host: HTMLElement): void {
  try {
    host.popover = 'manual';
    host.showPopover();
  } catch (error) {
    console.debug(error);
  }
}

function tidy(): void {
  if (sight.mark || sight.outline || !sight.host) return;
  sight.host.remove();
}

export function made<K extends keyof HTMLElementTagNameMap>(name: K, styles = ''): HTMLElementTagNameMap[K] {
  const element = Document.prototype.createElement.call(document, name) as HTMLElementTagNameMap[K];
  if (styles !== '') element.className = styles;
  return element;
}
