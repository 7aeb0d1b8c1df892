import type { FrameReading, PageContent, PageReading } from '../../../types/page.ts';
import { parsed, readArticle } from './article.ts';
import { findIn } from './find.ts';
import { toMarkdown } from './markdown.ts';
import { drawnOnly, framesLeftOut, leftOut, seenFrames } from './frame-readings.ts';
import { withoutUnseen } from './unseen.ts';

/** Turns what was read of a page into what a model gets: Markdown, what is missing of it, and where it goes on. */
export function composePage(reading: PageReading): PageContent {
  const { part, readId, most } = reading;
  const frames = seenFrames(reading.frames).map(withoutUnseenCharacters);
  const texts =
    part === 'page' ? pageTexts(frames) : frames.map(({ html, base }) => toMarkdown(parsed(html, base).body));
  const all = texts.filter((each) => each !== '').join('\n\n');
  const text = reading.query === undefined || all === '' ? all : findIn(all, reading.query);
  const content = fitted(reading, text, { most, readId, notes: notesOn(frames, part) });
  return all === '' ? { ...content, isUnseen: true } : content;
}

/** Looking for them takes longer than all else: it is not the page's own thread's work. */
function withoutUnseenCharacters(frame: FrameReading): FrameReading {
  const { text: html, hidden } = withoutUnseen(frame.html);
  return { ...frame, html, hidden: frame.hidden + hidden };
}

/** The same for a text that comes from elsewhere, such as a PDF. */
export function fitted(
  { title, url }: Pick<PageReading, 'title' | 'url'>,
  text: string,
  { most, readId, notes = [] }: { most: number; readId: string; notes?: string[] },
): PageContent {
  const bytes = new TextEncoder().encode(text).length;
  const cut = cutBySections(
    text,
    bytes > most ? Math.floor((most * text.length) / bytes) : text.length,
    readId,
  );
  const parts = [cut.text, ...notes].filter((each) => each !== '');
  return { title: title.trim() || url, text: parts.join('\n\n'), ...(cut.isCut && { whole: text }) };
}

function pageTexts(frames: FrameReading[]): string[] {
  const [main, ...inner] = frames;
  if (!main) return [];
  const { text } = readArticle(main);
  const more = inner.map((frame) => {
    const words = toMarkdown(parsed(frame.html, frame.base).body);
    return words === ''
      ? ''
      : `## In a frame of ${hostOf(frame.url)}${frame.title === '' ? '' : `: ${frame.title}`}\n\n${words}`;
  });
  const captions = frames.flatMap(({ captions: said }) => said ?? []).map((said) => withoutUnseen(said).text);
  return [text, ...more, ...captions.map((said) => `## Transcript\n\n${said}`)];
}

const hostOf = (url: string): string => (URL.canParse(url) && new URL(url).host) || 'this page';

/** What a reader has to know of what is not there. */
function notesOn(frames: FrameReading[], part: PageReading['part']): string[] {
  const sum = (of: (frame: FrameReading) => number): number =>
    frames.reduce((all, each) => all + of(each), 0);
  const hidden = sum((each) => each.hidden);
  const unread = part === 'page' ? sum((each) => each.frames.length) - (frames.length - 1) : 0;
  const addresses = frames.flatMap(({ isLeftOut, url }) => (isLeftOut ? addressesOf(frames, url) : []));
  const drawn = frames.flatMap((each) => each.drawn);
  return [
    hidden > 0 && leftOut(hidden),
    addresses.length > 0 && framesLeftOut(addresses),
    unread > 0 &&
      `[Left out: ${unread} ${unread === 1 ? 'frame' : 'frames'} of other sites, which Portside may not read.]`,
    ...drawn.map(drawnOnly),
    frames.some(({ isCut }) => isCut) && '[The page is too long to be read whole: its end is missing.]',
  ].filter((note) => note !== false);
}

/** Of frames of an origin, as the page that holds them has them; one may have led to another site since. */
function addressesOf(frames: FrameReading[], origin: string): string[] {
  const found = frames.flatMap((each) => each.frames).filter((each) => URL.parse(each)?.origin === origin);
  return found.length > 0 ? found : [origin];
}

/** A part of a text under a heading, and where it begins, in characters. */
type Section = { heading: string; at: number };

/** Headings that are named of what was cut. */
const MOST_NAMED = 40;

/**
 * The beginning of a long text in Markdown, cut before a heading where one is near, else before a paragraph or a line;
 * what comes then is named, with where it begins. A short one as it is.
 * @param most characters
 * @param readId what `read_more` knows the text by
 */
export function cutBySections(text: string, most: number, readId: string): { text: string; isCut: boolean } {
  if (text.length <= most) return { text, isCut: false };
  const sections = sectionsOf(text);
  const at = cutAt(text, most, sections);
  const rest = sections.filter((section) => section.at >= at);
  const named = rest.slice(0, MOST_NAMED).map(({ heading, at: from }) => `${heading} (offset ${from})`);
  const more = rest.length > MOST_NAMED ? [`and ${rest.length - MOST_NAMED} more sections`] : [];
  const note =
    `[Cut: these are the first ${at} of ${text.length} characters. Read on with the tool read_more: ` +
    `${JSON.stringify({ result: readId, offset: at })}.` +
    `${named.length > 0 ? `\nWhat follows:\n${[...named, ...more].join('\n')}` : ''}]`;
  return { text: `${text.slice(0, at).trimEnd()}\n\n${note}`, isCut: true };
}

/** Headings outside of code. */
function sectionsOf(text: string): Section[] {
  const sections: Section[] = [];
  let isCode = false;
  let at = 0;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    if (!isCode && /^#{1,6} /.test(line)) sections.push({ heading: line.slice(0, 120), at });
    at += line.length + 1;
  }
  return sections;
}

function cutAt(text: string, most: number, sections: Section[]): number {
  const least = most * 0.6;
  const heading = sections.findLast(({ at }) => at <= most)?.at ?? 0;
  if (heading >= least) return heading;
  for (const end of ['\n\n', '\n', ' ']) {
    const at = text.lastIndexOf(end, most);
    if (at >= least) return at + end.length;
  }
  return /[\uDC00-\uDFFF]/.test(text.charAt(most)) ? most - 1 : most;
}
