import * as dom from '../dom/dom.ts';
import { cancelPointer, elementsAround, fire, moveOnto, type Point } from './events/fire-pointer.ts';
import { CONTROLS, elementAt, innermostAt } from './aim.ts';
import { focusNear } from './focus.ts';
import { nextTask, pause } from './stopping.ts';

/** Moves of a drag: what reacts to some distance, or to what is passed, sees them. */
const MOVES = 12;
/** Milliseconds that what is dragged is held still: libraries lift and lower it in timers. */
const HELD_MS = 60;

const held = (): Promise<void> => pause(HELD_MS);

/**
 * Drags an element to a point, by the browser's own drag and drop where the page has it draggable
 * (https://html.spec.whatwg.org/#drag-and-drop-processing-model), else by the pointer.
 * @returns whether something took the drop; of a drag by the pointer that is not known
 * @throws Stopped, once what was dragged is back and let go: else it would hang on the user's own pointer
 */
export async function drag(from: Element, start: Point, end: Point): Promise<boolean | undefined> {
  const { ownerDocument: document } = from;
  const pressed = innermostAt(from, start);
  moveOnto(pressed, start);
  const isMouse = fire(pressed, 'pointerdown', { ...start, buttons: 1 });
  if (isMouse && fire(pressed, 'mousedown', { ...start, buttons: 1, detail: 1 })) focusNear(pressed);
  const target = (point: Point): Element => elementAt(document, point) ?? from;
  const move = (point: Point): void => moveOnto(target(point), point, { buttons: 1, isMouse });
  let isNative = false;
  try {
    await held();
    const points = way(start, end);
    const [first = end] = points;
    // Browsers take it for a drag once it has moved.
    move(first);
    const source = draggableAround(from);
    const data = new DataTransfer();
    isNative = source?.isConnected === true && sendDrag(source, 'dragstart', start, data);
    if (isNative) cancelPointer(target(first));
    if (source && isNative) return await dragNatively(source, start, points, data);
    for (const point of points.slice(1)) {
      await nextTask();
      move(point);
    }
    await held();
  } catch (error) {
    if (!isNative) {
      move(start);
      fire(target(start), 'pointercancel', start);
      if (isMouse) fire(target(start), 'mouseup', { ...start, detail: 1 });
    }
    throw error;
  }
  move(end); // what lies there may have made room since
  const last = target(end);
  fire(last, 'pointerup', end);
  if (isMouse) fire(last, 'mouseup', { ...end, detail: 1 });
  const around = elementsAround(pressed);
  const both = elementsAround(last).find((each) => around.includes(each));
  // A link or a button would do what was not asked for.
  if (both && !Element.prototype.closest.call(both, CONTROLS)) fire(both, 'click', { ...end, detail: 1 });
  return undefined;
}

async function dragNatively(
  source: Element,
  start: Point,
  points: Point[],
  data: DataTransfer,
): Promise<boolean> {
  let over: Element | undefined;
  let isTaken = false;
  const { ownerDocument: document } = source;
  const end = points.at(-1) ?? start;
  try {
    await held();
    for (const point of points) {
      const now = elementAt(document, point) ?? source;
      sendDrag(source, 'drag', point, data);
      if (now !== over) {
        sendDrag(now, 'dragenter', point, data, over);
        if (over) sendDrag(over, 'dragleave', point, data, now);
        over = now;
      }
      isTaken = !sendDrag(now, 'dragover', point, data);
      await nextTask();
    }
    await held();
  } catch (error) {
    if (over) sendDrag(over, 'dragleave', start, data);
    sendDrag(source, 'dragend', start, data);
    throw error;
  }
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

/** @param other what is left for the target, or entered from it. @returns whether the page lets the browser go on with it */
function sendDrag(
  target: Element,
  type: string,
  { x, y }: Point,
  dataTransfer: DataTransfer,
  other?: Element,
): boolean {
  const { defaultView: view } = target.ownerDocument;
  const places = {
    clientX: x,
    clientY: y,
    screenX: x + (view?.screenX ?? 0),
    screenY: y + (view?.screenY ?? 0),
  };
  const cancelable = !/^drag(leave|end)$/.test(type);
  const init = {
    bubbles: true,
    cancelable,
    composed: true,
    ...places,
    dataTransfer,
    view,
    button: 0,
    buttons: 1,
  };
  return target.dispatchEvent(new DragEvent(type, { ...init, relatedTarget: other ?? null }));
}

const way = (start: Point, end: Point): Point[] =>
  Array.from({ length: MOVES }, (_each, move) => {
    const part = (move + 1) / MOVES;
    return { x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part };
  });

/** Links and pictures are draggable by themselves, which nothing but a drop zone for addresses cares about. */
function draggableAround(element: Element): Element | undefined {
  for (let at: Element | null = element; at; at = dom.elementAround(at))
    if (dom.attribute(at, 'draggable') === 'true') return at;
  return undefined;
}
