/** By which an editor that draws its own text is told of typing (https://w3c.github.io/edit-context/); not in Firefox. */
type EditContext = EventTarget & {
  readonly text: string;
  readonly selectionStart: number;
  readonly selectionEnd: number;
  updateText: (start: number, end: number, text: string) => void;
  updateSelection: (start: number, end: number) => void;
};
declare const TextUpdateEvent: new (type: string, init: object) => Event;

export const editContextOf = (element: Element): EditContext | undefined =>
  (element as { editContext?: EditContext | null }).editContext ?? undefined;

/** Puts text in the place of what is selected, as a browser does when it is typed. */
export function updateText(context: EditContext, text: string): void {
  const ends = [context.selectionStart, context.selectionEnd];
  const [updateRangeStart, updateRangeEnd] = [Math.min(...ends), Math.max(...ends)];
  const at = updateRangeStart + text.length;
  context.updateText(updateRangeStart, updateRangeEnd, text);
  context.updateSelection(at, at);
  const selection = { selectionStart: at, selectionEnd: at };
  context.dispatchEvent(
    new TextUpdateEvent('textupdate', { text, updateRangeStart, updateRangeEnd, ...selection }),
  );
}
