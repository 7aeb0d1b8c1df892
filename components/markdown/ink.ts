import type { Definitions, Footnotes, Target } from './references.ts';
import { sanitise } from './sanitise.ts';

/** What the blocks of one document share. */
export type Shared = { links: Definitions<Target>; notes: Footnotes };

/** How something is drawn. */
export type Ink = {
  shared: Shared;
  /** It is drawn for good: what it refers to may be defined later. */
  final: boolean;
  /** What is made of it once it has passed the sanitiser: our own controls, which the sanitiser would not let by. */
  after: (() => void)[];
};

/** Draws apart from the page, and lets nothing by that the sanitiser does not know. */
export function drawn(
  shared: Shared,
  final: boolean,
  draw: (into: HTMLElement, ink: Ink) => void,
): ChildNode[] {
  const holder = document.createElement('div');
  const ink: Ink = { shared, final, after: [] };
  draw(holder, ink);
  sanitise(holder);
  for (const finish of ink.after) finish();
  return [...holder.childNodes];
}

/** Makes `nodes` all that `into` holds; those that are the same stay. */
export function settle(into: Element, nodes: ChildNode[]): void {
  let old = into.firstChild;
  for (const node of nodes) {
    const next = old ? old.nextSibling : null;
    if (!old) into.append(node);
    else if (!old.isEqualNode(node)) change(old, node);
    old = next;
  }
  while (old) {
    const next = old.nextSibling;
    old.remove();
    old = next;
  }
}

/** Another element at the end of `into`. */
export function addTo(into: Element, name: string, className = ''): HTMLElement {
  const element = document.createElement(name);
  if (className) element.className = className;
  into.append(element);
  return element;
}

/** Writes on in the text at the end, so that there is one node for it. */
export function write(text: string, into: Element): void {
  if (into.lastChild instanceof Text) into.lastChild.appendData(text);
  else into.append(text);
}

function change(old: ChildNode, node: ChildNode): void {
  if (old instanceof Text && node instanceof Text) old.data = node.data;
  else if (alike(old, node)) settle(old, [...node.childNodes]);
  else old.replaceWith(node);
}

/** Elements that differ only in what is in them. One with a button in it is changed as a whole, with its listeners. */
const alike = (old: ChildNode, node: ChildNode): old is Element & ChildNode =>
  old instanceof HTMLElement &&
  node instanceof HTMLElement &&
  node.querySelector('button') === null &&
  old.querySelector('button') === null &&
  old.cloneNode().isEqualNode(node.cloneNode());

const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const frame = target.parentElement;
    if (!frame) continue;
    // Read after layout, which it does not bring about. A pixel more is rounding.
    const scrolls = frame.scrollWidth > frame.clientWidth + 1;
    if (scrolls === frame.hasAttribute('tabindex')) continue;
    if (scrolls) frame.tabIndex = 0;
    else frame.removeAttribute('tabindex');
  }
});

/** Makes what `content` stands in a stop of the Tab key as long as it is wider than that: arrows scroll it then. */
export const watchWidth = (content: Element): void => observer.observe(content);
