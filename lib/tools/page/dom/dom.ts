/**
 * The DOM's own getters: a page can name its form fields and pictures so that `form.firstChild` or `document.body` is
 * one of them, in every world (https://html.spec.whatwg.org/#dom-form-nameditem, #dom-document-nameditem).
 */
function own<T extends object, K extends keyof T>(prototype: T, name: K): (of: T) => T[K] {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  if (!get) throw new Error(`The browser has no ${String(name)}.`);
  return (of) => get.call(of) as T[K];
}

export const firstChild = own(Node.prototype, 'firstChild');
export const firstElementChild = own(Element.prototype, 'firstElementChild');
export const nextElementSibling = own(Element.prototype, 'nextElementSibling');
export const lastChild = own(Node.prototype, 'lastChild');
export const nextSibling = own(Node.prototype, 'nextSibling');
export const previousSibling = own(Node.prototype, 'previousSibling');
export const parentNode = own(Node.prototype, 'parentNode');
export const nodeType = own(Node.prototype, 'nodeType');
export const textContent = own(Node.prototype, 'textContent');
export const childElementCount = own(Element.prototype, 'childElementCount');
export const localName = own(Element.prototype, 'localName');
export const scrollTop = own(Element.prototype, 'scrollTop');
export const scrollWidth = own(Element.prototype, 'scrollWidth');
export const scrollHeight = own(Element.prototype, 'scrollHeight');
export const offsetWidth = own(HTMLElement.prototype, 'offsetWidth');
export const offsetHeight = own(HTMLElement.prototype, 'offsetHeight');
export const bodyOf = own(Document.prototype, 'body');
export const titleOf = own(Document.prototype, 'title');
export const activeElement = own(Document.prototype, 'activeElement');
/** Neither it nor what it lies in is hidden. */
export const isDrawn = (element: Element): boolean =>
  Element.prototype.checkVisibility.call(element, { visibilityProperty: true });
const assignedSlot = own(Element.prototype, 'assignedSlot');

const openShadowRoot = own(Element.prototype, 'shadowRoot');

type Closed = (host: Element) => ShadowRoot | null;
/** Chromium's, for scripts of extensions alone; in Firefox it is a property of each element. */
const { chrome } = globalThis as { chrome?: { dom?: { openOrClosedShadowRoot: Closed } } };

/** The shadow tree of an element; also a closed one, which is asked for where one is likely, since to ask takes its time. */
export function shadowRoot(element: Element, name = localName(element)): ShadowRoot | null {
  const open = openShadowRoot(element);
  const mayBeClosed = name.includes('-') || (HOSTS.has(name) && !firstChild(element));
  if (open || !mayBeClosed) return open;
  const { openOrClosedShadowRoot } = element as { openOrClosedShadowRoot?: ShadowRoot | null };
  return openOrClosedShadowRoot ?? chrome?.dom?.openOrClosedShadowRoot(element) ?? null;
}

/** What may have a shadow tree (https://dom.spec.whatwg.org/#valid-shadow-host-name), and slots, which show what lies elsewhere. */
const HOSTS: ReadonlySet<string> = new Set(
  'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span slot'.split(' '),
);
const mayHoldOther = (name: string): boolean => HOSTS.has(name) || name.includes('-');

/** What holds what is drawn in an element: its shadow tree, or itself; of a slot all that is put into it. */
export function drawnIn(element: Element, name: string): Element | ShadowRoot | Node[] {
  if (name === 'slot' && 'assignedNodes' in element) {
    const nodes = (element as HTMLSlotElement).assignedNodes({ flatten: true });
    if (nodes.length > 0) return nodes;
  }
  return (mayHoldOther(name) ? shadowRoot(element, name) : null) ?? element;
}

/** What is drawn in an element. */
export function composedChildren(
  element: Element,
  name = localName(element),
  from = drawnIn(element, name),
): Node[] {
  if (Array.isArray(from)) return from;
  const nodes: Node[] = [];
  for (let node = firstChild(from); node; node = nextSibling(node)) nodes.push(node);
  return nodes;
}

export const attribute = (element: Element, name: string): string | null =>
  Element.prototype.getAttribute.call(element, name);

export const hasAttributes = (element: Element): boolean => Element.prototype.hasAttributes.call(element);

export const attributeNames = (element: Element): string[] =>
  hasAttributes(element) ? Element.prototype.getAttributeNames.call(element) : [];

export const select = (root: Document | Element | ShadowRoot, selector: string): Element[] => {
  const { prototype } = nodeType(root) === 9 ? Document : nodeType(root) === 1 ? Element : DocumentFragment;
  return [...prototype.querySelectorAll.call(root, selector)];
};

/** The first of those. */
export const first = (root: Element, selector: string): Element | null =>
  Element.prototype.querySelector.call(root, selector);

/** The elements in `root` that a selector fits, those in shadow trees too, in the document's order; a long walk ends early. */
export function selectDeep(
  root: Document | Element | ShadowRoot,
  selector: string,
  until: number,
): Element[] {
  const inside = isElement(root) ? shadowRoot(root) : null;
  const found = inside ? selectDeep(inside, selector, until) : [];
  for (const element of select(root, '*')) {
    if (performance.now() > until) break;
    if (Element.prototype.matches.call(element, selector)) found.push(element);
    const shadow = shadowRoot(element);
    if (shadow) found.push(...selectDeep(shadow, selector, until));
  }
  return found;
}

export const isElement = (node: Node): node is Element => nodeType(node) === 1;

export const treeOf = (element: Element): Document | ShadowRoot =>
  Node.prototype.getRootNode.call(element) as Document | ShadowRoot;

/** The shadow trees that an element is drawn in, and those that are drawn in it; a long walk ends early. */
export function shadowTreesAt(element: Element, until: number): Set<ShadowRoot> {
  const inside = [element, ...selectDeep(element, '*', until)].map((each) => shadowRoot(each));
  const trees = new Set(inside.filter((tree) => tree !== null));
  for (let at: Element | null = element; at; at = elementAround(at)) {
    const tree = treeOf(at);
    if (tree instanceof ShadowRoot) trees.add(tree);
  }
  return trees;
}

/** What an element is drawn in: the slot that it is put into, and of the top of a shadow tree its host. */
export function elementAround(element: Element): Element | null {
  const parent = parentNode(element);
  if (!parent) return null;
  const type = nodeType(parent);
  if (type === 11) return (parent as ShadowRoot).host ?? null;
  if (type !== 1) return null;
  return mayHoldOther(localName(parent as Element))
    ? (slotOf(element, parent as Element) ?? (parent as Element))
    : (parent as Element);
}

function slotOf(element: Element, parent: Element): Element | null {
  const open = assignedSlot(element);
  const shadow = open ? null : shadowRoot(parent);
  if (!shadow) return open;
  // Of a closed tree the element is not told its slot.
  const slots = select(shadow, 'slot') as HTMLSlotElement[];
  return slots.find((slot) => slot.assignedElements().includes(element)) ?? null;
}

/** The element that has the focus, inside of shadow trees and of frames that may be looked into. */
export function focused(document: Document): Element | null {
  let at = activeElement(document);
  for (;;) {
    const inside = at && (shadowRoot(at)?.activeElement ?? frameDocument(at)?.activeElement);
    if (!inside) return at;
    at = inside;
  }
}

export const isFrame = (name: string): boolean => name === 'iframe' || name === 'frame';

export function frameDocument(element: Element): Document | null {
  try {
    return isFrame(localName(element)) ? (element as HTMLIFrameElement).contentDocument : null;
  } catch {
    return null; // another origin's: the script that runs in it tells of it
  }
}
