import * as dom from '../dom/dom.ts';
import { elementAt, fire, hover, nextTask, type Point } from './pointer.ts';

/** Moves of a drag: what reacts to some distance, or to what is passed, sees them. */
const MOVES = 12;
/** Milliseconds that what is dragged is held still: libraries lift and lower it in timers. */
const HELD_MS = 60;

const held = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, HELD_MS));

/**
 * Drags an element to a point, by the browser's own drag and drop where the page has it draggable
 * (https://html.spec.whatwg.org/#drag-and-drop-processing-model), else by the pointer.
 * @returns whether something took the drop; of a drag by the pointer that is not known
 */
export async function drag(from: Element, start: Point, end: Point): Promise<boolean | undefined> {
  hover(from, start);
  const isMouse = fire(from, 'pointerdown', { ...start, buttons: 1 });
  if (isMouse) fire(from, 'mousedown', { ...start, buttons: 1, detail: 1 });
  await held();
  const source = draggableAround(from);
  const data = new DataTransfer();
  if (source && sendDrag(source, 'dragstart', start, data)) return dragNatively(source, start, end, data);
  const { ownerDocument: document } = from;
  const target = (point: Point): Element => elementAt(document, point) ?? from;
  for (const point of way(start, end)) {
    fire(target(point), 'pointermove', { ...point, buttons: 1 });
    if (isMouse) fire(target(point), 'mousemove', { ...point, buttons: 1 });
    await nextTask();
  }
  await held();
  fire(target(end), 'pointermove', { ...end, buttons: 1 });
  const last = target(end);
  fire(last, 'pointerup', end);
  if (isMouse) fire(last, 'mouseup', { ...end, detail: 1 });
  return undefined;
}

async function dragNatively(source: Element, start: Point, end: Point, data: DataTransfer): Promise<boolean> {
  await held();
  let over: Element | undefined;
  let isTaken = false;
  const { ownerDocument: document } = source;
  for (const point of way(start, end)) {
    const now = elementAt(document, point) ?? source;
    sendDrag(source, 'drag', point, data);
    if (now !== over) {
      sendDrag(now, 'dragenter', point, data);
      if (over) sendDrag(over, 'dragleave', point, data);
      over = now;
    }
    isTaken = !sendDrag(now, 'dragover', point, data);
    await nextTask();
  }
  await held();
  // What is dragged may have made room for itself meanwhile.
  over = elementAt(document, end) ?? over;
  if (over) isTaken = !sendDrag(over, 'dragover', end, data) || isTaken;
  if (over) sendDrag(over, isTaken ? 'drop' : 'dragleave', end, data);
  sendDrag(source, 'dragend', end, data);
  return isTaken;
}

/** Drops files onto an element, as from the user's desktop. @returns whether the page took them */
export function dropFiles(target: Element, point: Point, data: DataTransfer): boolean {
  sendDrag(target, 'dragenter', point, data);
  // What a page refuses by `dropEffect` can't be seen: of a transfer that a script made it stays `none`.
  const isTaken = !sendDrag(target, 'dragover', point, data);
  sendDrag(target, isTaken ? 'drop' : 'dragleave', point, data);
  return isTaken;
}

/** @returns whether the page lets the browser go on with it */
function sendDrag(target: Element, type: string, { x, y }: Point, dataTransfer: DataTransfer): boolean {
  const init = { bubbles: true, cancelable: true, composed: true, clientX: x, clientY: y, dataTransfer };
  return target.dispatchEvent(
    new DragEvent(type, { ...init, view: target.ownerDocument.defaultView, button: 0, buttons: 1 }),
  );
}

function* way(start: Point, end: Point): Generator<Point> {
  for (let move = 1; move <= MOVES; move += 1) {
    const part = move / MOVES;
    yield { x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part };
  }
}

/** Links and pictures are draggable by themselves, which nothing but a drop zone for addresses cares about. */
function draggableAround(element: Element): Element | undefined {
  for (let at: Element | null = element; at; at = dom.elementAround(at))
    if (dom.attribute(at, 'draggable') === 'true') return at;
  return undefined;
}
