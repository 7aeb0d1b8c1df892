import { TextQuote } from 'lucide';
import type { JSX, RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePanel } from '../../panel-context.ts';
import { selectedText } from '../../markdown/formula-copy.ts';
import { Icon } from '../../ui/icon.tsx';
import { t } from '../../../locales/texts/panel.ts';

type Position = { top: number; left: number };

/** Of the button, as it is drawn. */
const WIDTH_PX = 92;
const HEIGHT_PX = 28;
/** Between it and the selection. */
const GAP_PX = 6;
/** What it needs at the lower edge. */
const ROOM_PX = 40;

/** Puts what is selected of an answer into the composer: a button at the selection, or Alt+Q. */
export function QuoteButton({ log }: { log: RefObject<HTMLDivElement | null> }): JSX.Element | null {
  const panel = usePanel();
  const [quotable, setQuotable] = useState<Position | null>(null);
  const quote = (): void => {
    panel.quote(selectedText());
    getSelection()?.removeAllRanges();
    focusEnd();
  };
  useEffect(() => {
    const updateQuotable = (): void => setQuotable(quotableIn(log.current));
    const onKey = (event: KeyboardEvent): void => {
      if (!event.altKey || event.code !== 'KeyQ' || !quotableIn(log.current)) return;
      event.preventDefault();
      quote();
    };
    document.addEventListener('selectionchange', updateQuotable);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('selectionchange', updateQuotable);
      document.removeEventListener('keydown', onKey);
    };
  }, [panel]);
  if (!quotable) return null;
  const { top, left } = quotable;
  return (
    <button
      class="btn s quote"
      style={{ top: `${top}px`, left: `${left}px` }}
      aria-keyshortcuts="Alt+Q"
      // The selection stays until the press is over.
      onMouseDown={(event) => event.preventDefault()}
      onClick={quote}
    >
      <Icon of={TextQuote} small />
      {t(($) => $.messages.quote)}
    </button>
  );
}

function focusEnd(): void {
  const field = document.querySelector<HTMLTextAreaElement>('.composer textarea');
  field?.focus();
  // The quotation is drawn with the next frame.
  requestAnimationFrame(() => field?.setSelectionRange(field.value.length, field.value.length));
}

/** Where the button goes that quotes what is selected inside one answer: beneath it, or above where it would cover the answer's buttons. */
function quotableIn(log: HTMLElement | null): Position | null {
  const selection = getSelection();
  if (!log || !selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const within = range.commonAncestorContainer;
  const element = within instanceof Element ? within : within.parentElement;
  if (selection.toString().trim() === '' || !element || !log.contains(element)) return null;
  if (!element.closest('.msg:not(.you)') || element.closest('textarea, input')) return null;
  const [box, frame] = [range.getBoundingClientRect(), log.getBoundingClientRect()];
  const shown = (top: number): number => Math.max(4, Math.min(top - frame.top, frame.height - ROOM_PX));
  const below = shown(box.bottom + GAP_PX);
  const foot = element.closest('.msg')?.querySelector('.msg-foot')?.getBoundingClientRect();
  const covers = foot && foot.top - frame.top < below + HEIGHT_PX && foot.bottom - frame.top > below;
  return {
    top: covers ? shown(box.top - GAP_PX - HEIGHT_PX) : below,
    left: Math.max(4, Math.min(box.left - frame.left, frame.width - WIDTH_PX)),
  };
}
