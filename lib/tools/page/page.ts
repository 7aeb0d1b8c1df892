import type { Picture } from '../../types/picture.ts';
import type { FileReading } from '../../types/page.ts';
import { act, bringIntoSight } from './actions/act.ts';
import { aroundFrame, pointOfRef } from './actions/frame-cover.ts';
import type { DialogAnswer } from './actions/page-override.ts';
import { askForFrame } from './actions/served-frames.ts';
import { goOnBehind, watchPage } from './actions/watch-page.ts';
import { isPressedFor } from './actions/upload.ts';
import { fillField } from './dom/fields/field.ts';
import { showsSecret } from './dom/fields/private-fields.ts';
import { framesOf, numberedFrame, originOfFrame, sitesOfFrame } from './dom/frames.ts';
import {
  changesSince,
  countChanges,
  describeFocus,
  describeRefs,
  forget,
  isScrolled,
  mark,
  markAnew,
  takesKeys,
} from './dom/marks.ts';
import { allowEffects, effectsOf, effectsOfKey, NONE, sendsByEnter } from './dom/effects.ts';
import { documentId } from './dom/lasting.ts';
import { followOwnChanges } from './dom/own-changes.ts';
import { elementOf, keepPlaces, placeOfRef } from './dom/refs.ts';
import { oneLine } from './dom/inner-words.ts';
import { readSeen } from './reading/seen.ts';
import { hideMark, showMark } from './actions/sight.ts';
import { fingerprint } from './reading/fingerprint.ts';
import { openAskBox } from './asking/ask-box.ts';
import { readField, readSelection, selectedText } from './reading/selection.ts';
import { type Filter, findInSnapshot, readSnapshot, shownWords } from './snapshot.ts';
import { followTyping } from './actions/user-typing.ts';
import { readTranscript, shownCaptions } from './reading/transcript.ts';
import { readTables } from './reading/tables.ts';

/** Bytes of a file that a tab shows; base64 of more does not fit into a message of the browser's. */
const MOST_FILE_BYTES = 40_000_000;
/** Characters of a selection. */
const MOST_SELECTED = 40_000;
/** Characters that are told of what stands where an element was. */
const MOST_AROUND = 3_000;
/** Characters of a snapshot in which a text is looked for. */
const MOST_SEARCHED = 400_000;
/** Bytes; a message of the browser's holds no more in base64 than 64 MiB. */
const MOST_PICTURE_BYTES = 20_000_000;
const PICTURE_TYPES = /^image\/(png|jpeg|gif|webp)$/;

/** What is called in a page, in the world of its own that extensions' scripts have there. Nothing runs before. */
export const pageFunctions = {
  /**
   * The document, as the user sees it; null for one in a frame of its parent's origin, which that one reads itself, and
   * for a frame too small to see.
   */
  page: (_which: string) => {
    if (!isRead()) return null;
    const captions = shownCaptions(document);
    return { ...readSeen(document), ...framesOf(document), ...(captions !== '' && { captions }) };
  },
  transcript: async () => {
    const found = window === window.top ? await readTranscript(document) : null;
    return found && { ...found, ...originOfFrame() };
  },
  selection: (which: string) => {
    const found = readSelection(document, which);
    return found && (found === 'private' ? found : { ...found, ...originOfFrame() });
  },
  /** What is selected, as text, and in which document. */
  selected: () => ({
    text: selectedText(document).slice(0, MOST_SELECTED),
    url: location.href,
    isFramed: window !== window.top,
  }),
  openAskBox,
  /** By which it is seen later whether the document is another one, or changed. */
  fingerprint: () => fingerprint(document),
  field: (id: string, which: string) => readField(document, id, which),
  fill: fillField,
  picture: readPicture,
  snapshot: (ref: string, filter: Filter, from: number) => {
    followTyping();
    followOwnChanges();
    return inPlace(readSnapshot(document, ref, filter, undefined, from));
  },
  find: (text: string, role: string) => {
    followTyping();
    followOwnChanges();
    return inPlace(findInSnapshot(document, text, role));
  },
  tables: (ref: string, from: number) => inPlace(readTables(document, ref, from)),
  file: readFile,
  /** @param key that is pressed, as `keyIn` has it: without a reference it goes to what has the focus */
  describe: (refs: string[], key: string | null) => {
    keepPlaces(refs);
    const isToFocus = key !== null && refs.length === 0;
    const pressed = isToFocus ? [takesKeys()] : refs.map(elementOf);
    const effects = pressed.map((each) => (key === null ? effectsOf(each) : effectsOfKey(each, key)));
    return {
      sites: sitesOfFrame(),
      ...(window === window.top && { document: documentId() }),
      targets: isToFocus ? describeFocus() : describeRefs(refs),
      submits: effects.some(({ submits }) => submits),
      sends: pressed.some(sendsByEnter),
      downloads: effects.some(({ downloads }) => downloads),
      presses: refs.some((ref) => isPressedFor(elementOf(ref))),
    };
  },
  /** Whether the document shows texts, and has an element. `goesOn`: what goes on only as it is drawn does from now on. */
  shows: (id: string, text: string, gone: string, ref: string) => {
    followOwnChanges();
    const goesOn = goOnBehind(id);
    askForFrame();
    const all = text + gone === '' ? '' : shownWords(document, MOST_SEARCHED);
    const has = (words: string): boolean => words !== '' && all.includes(oneLine(words));
    return {
      ...framesOf(document),
      hasText: has(text),
      hasGone: has(gone),
      hasRef: elementOf(ref) !== undefined,
      goesOn,
    };
  },
  /** Browsers' own Back passes over pages on which the user pressed nothing. */
  travel: (by: number) => history.go(by),
  /** Whose the document is, and what tells it from the ones before and after it in its tab. */
  identity: () => ({ ...originOfFrame(), id: documentId() }),
  /** Which document it is, and whether it shows what must be in no picture. */
  inSight: () => ({ id: documentId(), showsSecret: showsSecret(document) }),
  /** What is now where an element was that is gone. */
  around: (ref: string) => {
    const place = placeOfRef(ref);
    return inPlace(place === undefined ? '' : readSnapshot(document, place, 'all', MOST_AROUND));
  },
  holds: (ref: string) => elementOf(ref) !== undefined,
  showMark,
  hideMark,
  /** Before an action of a run, whose dialogs are answered as `next` says. */
  mark: (id: string, site: string, next: DialogAnswer | null) => {
    allowEffects(NONE);
    watchPage(id, site, next);
    return mark(id);
  },
  pointOfRef,
  aroundFrame,
  bringIntoSight,
  isScrolled,
  markAnew,
  act,
  /** What goes on in a tab that is behind goes on meanwhile. */
  countChanges: (id: string) => {
    askForFrame();
    return countChanges(id);
  },
  changesSince,
  forget,
};

export type PageFunctions = typeof pageFunctions;

/** Of a frame with where it is from. */
function inPlace(found: string): { text: string } & ReturnType<typeof framesOf> {
  const frame = found && numberedFrame();
  const text = frame ? `In ${frame}:\n${found}` : found;
  return { text, ...framesOf(document) };
}

function isRead(): boolean {
  if (window === window.top) return true;
  try {
    if (window.frameElement) return false;
  } catch {
    return innerWidth > 50 && innerHeight > 50; // another origin's
  }
  return innerWidth > 50 && innerHeight > 50;
}

/** The bytes of what the tab shows, such as a PDF; null when they can't be had or are too many. */
async function readFile(): Promise<FileReading | null> {
  const response = await fetch(location.href);
  const blob = await response.blob();
  if (!response.ok || blob.size > MOST_FILE_BYTES) return null;
  const data = await base64(blob);
  return { url: location.href, title: document.title, file: { mimeType: document.contentType, data } };
}

/** The picture of that address, if this frame may have it; null when it may not, or when it is none that models take. */
async function readPicture(src: string): Promise<Picture | null> {
  if (!/^(https?|data|blob):/.test(src)) return null;
  const response = await fetch(src).catch(() => null);
  if (!response?.ok) return null;
  const blob = await response.blob();
  if (!PICTURE_TYPES.test(blob.type) || blob.size > MOST_PICTURE_BYTES) return null;
  return { mimeType: blob.type, data: await base64(blob) };
}

/** A blob's bytes. */
async function base64(blob: Blob): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.addEventListener('error', () => reject(reader.error ?? new Error()));
    reader.readAsDataURL(blob);
  });
  return url.slice(url.indexOf(',') + 1);
}
