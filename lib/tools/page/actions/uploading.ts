import { bytesOf } from '../../../base64.ts';
import type { SentFile } from './act-args.ts';
import * as dom from '../dom/dom.ts';
import type { Point } from './events/fire-pointer.ts';
import { press } from './press.ts';
import { nextTask } from './stopping.ts';
import { dispatchChange } from './typing.ts';

/** Boxes around a button in which the file input that it opens is looked for. */
const MOST_AROUND = 4;

const isFileInput = (node: unknown): node is HTMLInputElement =>
  node instanceof Element && dom.localName(node) === 'input' && (node as HTMLInputElement).type === 'file';

export const filesOf = (sent: SentFile[]): File[] =>
  sent.map(({ name, mimeType, data }) => new File([bytesOf(data)], name, { type: mimeType }));

/** As a drop has them. */
export function transferOf(files: File[]): DataTransfer {
  const transfer = new DataTransfer();
  for (const file of files) asPage(transfer).items.add(asPage(file));
  return transfer;
}

/** For a call that the page's own code makes, as far as Firefox can tell: it shows a page no files that another's put into a transfer. */
const asPage = <T extends object>(object: T): T =>
  (object as { wrappedJSObject?: T }).wrappedJSObject ?? object;

/** The file input that an element is, labels, or alone has in it. */
export function fileInputOf(element: Element): HTMLInputElement | undefined {
  if (isFileInput(element)) return element;
  const label = Element.prototype.closest.call(element, 'label') as HTMLLabelElement | null;
  if (isFileInput(label?.control)) return label.control;
  return onlyIn(element);
}

/** The one that lies near an element, which most pages hide beside what opens it. */
export function fileInputNear(element: Element): HTMLInputElement | undefined {
  let around = dom.elementAround(element);
  for (let step = 0; around && around !== dom.bodyOf(document) && step < MOST_AROUND; step += 1) {
    const found = onlyIn(around);
    if (found) return found;
    around = dom.elementAround(around);
  }
  return undefined;
}

function onlyIn(element: Element): HTMLInputElement | undefined {
  const shadow = dom.shadowRoot(element);
  const inputs = [element, ...(shadow ? [shadow] : [])].flatMap((root) =>
    dom.select(root, 'input').filter(isFileInput),
  );
  return inputs.length === 1 ? inputs[0] : undefined;
}

/** The file input that a press opens, whose picker stays closed: the page calls `click` of it. */
export async function fileInputBehind(button: Element, point: Point): Promise<HTMLInputElement | undefined> {
  let found: HTMLInputElement | undefined;
  const onClick = (event: Event): void => {
    const [target] = event.composedPath();
    if (!isFileInput(target)) return;
    found = target;
    event.preventDefault();
  };
  window.addEventListener('click', onClick, { capture: true });
  try {
    await press(button, point, { button: 'left', count: 1 }, () => undefined);
    await nextTask();
  } finally {
    window.removeEventListener('click', onClick, { capture: true });
  }
  return found;
}

/** Why an input takes no such files; undefined: it does. */
export function whyNotTaken(input: HTMLInputElement, files: File[]): string | undefined {
  if (Element.prototype.matches.call(input, ':disabled')) return 'is disabled';
  if (input.webkitdirectory) return 'takes a folder, which only the user can choose';
  if (files.length > 1 && !input.multiple) return 'takes one file alone';
  const other = files.find((file) => !isAccepted(input.accept, file));
  return other && `takes only ${input.accept}, and ${other.name} is ${other.type || 'of no known type'}`;
}

/** By the input's `accept` (https://html.spec.whatwg.org/#attr-input-accept). */
function isAccepted(accept: string, { name, type }: File): boolean {
  const kinds = accept
    .toLowerCase()
    .split(',')
    .flatMap((kind) => kind.trim() || []);
  const fits = (kind: string): boolean => {
    if (kind.startsWith('.')) return name.toLowerCase().endsWith(kind);
    return kind.endsWith('/*') ? kind === '*/*' || type.startsWith(kind.slice(0, -1)) : type === kind;
  };
  return kinds.length === 0 || kinds.some(fits);
}

/** Has the input hold the files, as if the user had chosen them. @returns what it held right then, and holds now */
export async function setFiles(
  input: HTMLInputElement,
  { files }: DataTransfer,
): Promise<{ got: string; now: string }> {
  input.files = files;
  const got = filesTold(input.files);
  input.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  dispatchChange(input);
  await nextTask();
  return { got, now: filesTold(input.files) };
}

/** `"a.pdf" (1200 bytes, application/pdf)`; empty for none. */
export const filesTold = (files: Iterable<File> | null): string =>
  [...(files ?? [])]
    .map(({ name, size, type }) => `${JSON.stringify(name)} (${size} bytes${type && `, ${type}`})`)
    .join(', ');
