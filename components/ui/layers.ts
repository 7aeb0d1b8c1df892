import { useLayoutEffect, useRef } from 'preact/hooks';

const open: (() => void)[] = [];

/** While `shown`, Escape closes this layer before anything beneath it. */
export function useLayer(shown: boolean, close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  // At once: the key may come before the layer was painted.
  useLayoutEffect(() => {
    if (!shown) return undefined;
    const layer = (): void => latest.current();
    open.push(layer);
    return () => void open.splice(open.indexOf(layer), 1);
  }, [shown]);
}

/** Closes the top layer. False when none is open. */
export function closeTopLayer(): boolean {
  const top = open.at(-1);
  top?.();
  return top !== undefined;
}
