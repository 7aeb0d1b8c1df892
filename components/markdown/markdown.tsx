import { effect, type ReadonlySignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { startDrawing, type Drawing } from './streaming.ts';
import './markdown.css';

/** Milliseconds of a task of its own in which an answer that comes is drawn: more at once would hold up the page. */
const TASK_MS = 30;
/** Characters of it between two looks at the clock, and in the frame in which they came, which lays out and paints besides. */
const PIECE = 5_000;

/** Markdown of others, which loads and runs nothing. `text` is whole, or a signal of all that has come so far. */
export function Markdown({ text }: { text: string | ReadonlySignal<string> }): JSX.Element {
  const root = useRef<HTMLDivElement>(null);
  /** `length`: of what is drawn. */
  const drawing = useRef<(Drawing & { length: number }) | null>(null);
  useLayoutEffect(() => {
    let later: ReturnType<typeof setTimeout> | undefined;
    const grow = (all: string, isWhole: boolean, most = 0): void => {
      clearTimeout(later);
      if (!root.current) return;
      const begin = performance.now();
      do {
        // What is whole from the beginning is there at once, with its height.
        const upTo = drawing.current || !isWhole ? (drawing.current?.length ?? 0) + PIECE : all.length;
        const part = all.slice(0, upTo);
        if (!drawing.current?.grow(part)) {
          // Another text than the one that was coming.
          drawing.current = { ...startDrawing(root.current), length: 0 };
          drawing.current.grow(part);
        }
        drawing.current.length = part.length;
      } while (drawing.current.length < all.length && performance.now() - begin < most);
      if (drawing.current.length < all.length) later = setTimeout(() => grow(all, isWhole, TASK_MS));
      else if (isWhole) {
        drawing.current.end();
        // Another text is another document.
        drawing.current = null;
      }
    };
    // An answer that is begun again streams into another signal.
    const stop = typeof text === 'string' ? grow(text, true) : effect(() => grow(text.value, false));
    return () => {
      clearTimeout(later);
      stop?.();
    };
  }, [text]);
  return <div class="prose" ref={root} />;
}
