/**
 * What outlives this script, should it be brought again, for as long as its page is open: made the first time. An element
 * of the page's can have the same name (https://html.spec.whatwg.org/#named-access-on-the-window-object), but is no
 * property of the global object's own.
 */
export function lasting<T>(name: string, make: () => T): T {
  if (!Object.hasOwn(globalThis, name)) Object.defineProperty(globalThis, name, { value: make() });
  return (globalThis as unknown as Record<string, T>)[name] as T;
}

/** What tells the document from the ones before and after it in its tab. */
export const documentId = (): number => lasting('portsideDocument', Math.random);
