import { computed, signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

const open = signal<readonly (() => void)[]>([]);

/** Escape closes something now. */
export const isLayerOpen = computed(() => open.value.length > 0);

/** While `shown`, Escape closes this layer before anything beneath it. */
export function useLayer(shown: boolean, close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  // At once: the key may come before the layer was painted.
  useLayoutEffect(() => {
    if (!shown) return undefined;
    const layer = (): void => latest.current();
    open.value = [...open.peek(), layer];
    return () => void (open.value = open.peek().filter((other) => other !== layer));
  }, [shown]);
}

/** Closes the top layer. False when none is open. */
export function closeTopLayer(): boolean {
  const top = open.peek().at(-1);
  top?.();
  return top !== undefined;
}
