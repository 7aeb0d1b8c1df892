import { effect, type ReadonlySignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { startDrawing, type Drawing } from './streaming.ts';
import './markdown.css';

/** Markdown of others, which loads and runs nothing. `text` is whole, or a signal of all that has come so far. */
export function Markdown({ text }: { text: string | ReadonlySignal<string> }): JSX.Element {
  const root = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing | null>(null);
  const grow = (all: string): void => {
    if (!root.current || drawing.current?.grow(all)) return;
    // Another text than the one that was coming.
    drawing.current = startDrawing(root.current);
    drawing.current.grow(all);
  };
  useLayoutEffect(() => {
    // An answer that is begun again streams into another signal.
    if (typeof text !== 'string') return effect(() => grow(text.value));
    grow(text);
    drawing.current?.end();
    // Another text is another document.
    drawing.current = null;
  }, [text]);
  return <div class="prose" ref={root} />;
}
