import { lasting } from './lasting.ts';

/**
 * What elements are called for a model: `e7`; in a frame with a name of the frame's before it. An element keeps its
 * name as long as its page is open.
 */
type Refs = {
  of: WeakMap<Element, string>;
  elements: Map<string, WeakRef<Element>>;
  frame: string;
  count: number;
};

const refs = lasting<Refs>('portsideRefs', () => ({
  of: new WeakMap(),
  elements: new Map(),
  frame: window === window.top ? '' : crypto.randomUUID().slice(0, 3),
  count: 0,
}));

export function refOf(element: Element): string {
  const known = refs.of.get(element);
  if (known !== undefined) return known;
  refs.count += 1;
  const ref = `${refs.frame}e${refs.count}`;
  refs.of.set(element, ref);
  refs.elements.set(ref, new WeakRef(element));
  return ref;
}

/** Undefined when it is of another document, or not in this one any more. */
export function elementOf(ref: string): Element | undefined {
  const element = refs.elements.get(ref)?.deref();
  return element?.isConnected ? element : undefined;
}
