import { effectsOf } from '../dom/effects.ts';
import { describe } from '../dom/marks.ts';
import { roleOf } from '../dom/roles.ts';
import type { ActArgs } from './act-args.ts';
import { type Done, freePoint, nothing } from './done.ts';
import { dropFiles } from './dragging.ts';
import type { Point } from './events/fire-pointer.ts';
import { elementAt } from './aim.ts';
import {
  fileInputBehind,
  fileInputNear,
  fileInputOf,
  filesOf,
  filesTold,
  setFiles,
  transferOf,
  whyNotTaken,
} from './uploading.ts';

const TAKES_NO_FILES =
  'it may take other files, or only what the user chooses (isTrusted): then ask them to do it';

/** Whether a file input has to be found by a press on an element. A press that would send a form finds none. */
export const isPressedFor = (element: Element | undefined): boolean =>
  element !== undefined &&
  !fileInputOf(element) &&
  roleOf(element) === 'button' &&
  !effectsOf(element).submits;

export async function upload(
  element: Element,
  { files: sent = [], mayPress = false }: ActArgs,
): Promise<Done> {
  const transfer = transferOf(filesOf(sent));
  const direct = fileInputOf(element);
  if (direct) return given(element, direct, transfer);
  const point = freePoint(element);
  if ('did' in point) return point;
  const what = describe(element);
  const isPressed = mayPress && isPressedFor(element);
  const behind = isPressed ? await fileInputBehind(element, point) : undefined;
  const found = behind ?? (roleOf(element) === 'button' ? fileInputNear(element) : undefined);
  // A press may have laid something else over it.
  const over = isPressed ? element : (elementAt(document, point) ?? element);
  const done = found ? await given(element, found, transfer) : await dropped(element, over, point, transfer);
  return isPressed ? pressed(done, what) : done;
}

async function dropped(named: Element, over: Element, point: Point, transfer: DataTransfer): Promise<Done> {
  const what = describe(named);
  if (dropFiles(over, point, transfer))
    return { did: `Dropped ${filesTold(transfer.files)} onto ${what}.`, why: TAKES_NO_FILES };
  const near = fileInputNear(named);
  if (near) return given(named, near, transfer);
  return {
    did: `${what} takes no files: it has no file input, and nothing there took the drop.`,
    isError: true,
  };
}

/** Its button was pressed, whatever came of it. */
const pressed = ({ isUndone: _none, did, ...done }: Done, what: string): Done => ({
  ...done,
  did: `Pressed ${what}. ${did}`,
});

async function given(named: Element, input: HTMLInputElement, transfer: DataTransfer): Promise<Done> {
  const what = named === input ? describe(input) : `the file input of ${describe(named)}`;
  const whyNot = whyNotTaken(input, [...transfer.files]);
  if (whyNot !== undefined) return nothing(`${what} ${whyNot}`);
  const before = filesTold(input.files) || 'none';
  // A list that is shared with the input: what the page takes out of that is gone here, too.
  const wanted = filesTold(transfer.files);
  const { got, now } = await setFiles(input, transfer);
  const told = `Files in ${what} now: ${now || 'none'}; before: ${before}.`;
  if (got !== wanted) return { did: `It was not taken: ${told}`, isError: true };
  if (now === got) return { did: told, why: TAKES_NO_FILES };
  return {
    did: `It was given ${got}, and the page took that out at once, to keep it or not to: look. ${told}`,
  };
}
