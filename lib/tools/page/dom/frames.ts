import { type FrameReading, SANDBOXED, siteOf } from '../../../types/page.ts';
import * as dom from './dom.ts';
import { createLook } from './visibility/hidden.ts';

/** Milliseconds. */
const MOST_MS = 500;

/** Which frame a document is in, and which in it are hidden: one of another origin cannot tell that of itself. */
export const framesOf = (document: Document): Pick<FrameReading, 'at' | 'unseen' | 'origin'> => ({
  ...originOfFrame(),
  at: pathOf(window),
  unseen: window.length === 0 ? [] : unseenIn(document, performance.now() + MOST_MS),
});

/**
 * Whose site is in the tab, or in this frame, by its address, since a sandbox takes the origin of a site's page as well. What
 * has no address is of the page that holds it, which the sandbox keeps from being told unless that is the tab's own.
 */
export function originOfFrame(): Pick<FrameReading, 'origin'> {
  if (window === window.top) return { origin: siteOf(location.href) ?? 'null' };
  const origin = URL.parse(location.href.startsWith('about:') ? window.origin : location.href)?.origin;
  return origin === undefined && parent === top ? {} : { origin: origin ?? 'null' };
}

/** Whose frame is acted on here: a sandbox is a site of its own, also where it is read as of its page or by its address. */
export const sitesOfFrame = (): string[] => [
  ...[originOfFrame().origin ?? []].flat(),
  ...(isSandboxed() ? [SANDBOXED] : []),
];

/** A site may serve a page of others' in one, too. A file's has no origin either. */
const isSandboxed = (): boolean =>
  window.origin === 'null' && (window !== window.top || /^https?:$/.test(location.protocol));

/** What the frame is called where what lies in it is told; empty for the tab's own document. */
export function frameName(): string {
  if (window === window.top) return '';
  return `${isSandboxed() ? 'a sandboxed frame' : 'a frame'} of ${location.host || 'this page'}`;
}

/** The same, told apart from others of its host by its number. */
export function numberedFrame(): string {
  const frame = frameName();
  return frame && `${frame} ${frameNumber(window)}`;
}

/** Which frame it is of what it lies in, and that one of its own: `[frame=2.1]`. */
export const frameNumber = (of: Window): string =>
  `[frame=${pathOf(of)
    .split('/')
    .slice(0, -1)
    .map((at) => Number(at) + 1)
    .join('.')}]`;

/** Elements that may hold a frame. */
const HOLDERS = 'iframe, frame, object, embed';

function unseenIn(document: Document, until: number): string[] {
  const look = createLook(document);
  const holders = dom.selectDeep(document, HOLDERS, until) as HTMLIFrameElement[]; // of whichever document's classes
  const told = new Set(holders.map(({ contentWindow }) => contentWindow));
  return holders.flatMap((frame) => {
    // An embed tells no window: those that no other element tells may each be its own.
    if (dom.localName(frame) === 'embed')
      return look.placeOf(frame).seen === 'all'
        ? []
        : windowsIn(document).flatMap((each) => (told.has(each) ? [] : pathOf(each)));
    if (!frame.contentWindow) return [];
    if (look.placeOf(frame).seen !== 'all') return [pathOf(frame.contentWindow)];
    const inner = frame.contentDocument;
    return inner ? unseenIn(inner, until) : [];
  });
}

/** The element that holds the frame at a path; undefined where that is none of this document's own. */
export const holderAt = (path: string): HTMLIFrameElement | undefined =>
  (dom.selectDeep(document, HOLDERS, performance.now() + MOST_MS) as HTMLIFrameElement[]).find(
    ({ contentWindow }) => contentWindow && pathOf(contentWindow) === path,
  );

const windowsIn = ({ defaultView: of }: Document): Window[] =>
  of ? Array.from({ length: of.length }, (_each, at) => of[at] as Window) : [];

/** The only things that windows of other origins tell: who is around them, and in which order. */
export function pathOf(of: Window): string {
  if (of === of.top) return '';
  const { parent } = of;
  let at = 0;
  while (at < parent.length && parent[at] !== of) at += 1;
  return `${pathOf(parent)}${at}/`;
}
