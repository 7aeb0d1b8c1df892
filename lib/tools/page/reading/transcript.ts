import type { FrameReading } from '../../../types/page.ts';
import * as dom from '../dom/dom.ts';
import { type Cue, cuesIn, linesOf, secondsOf } from './captions.ts';
import { ofText } from './selection.ts';

/** Bytes of a file with captions, and milliseconds that it may take. */
const MOST_BYTES = 2_000_000;
const MOST_MS = 8_000;
/** Files that are tried. */
const MOST_FILES = 3;

/** Where pages name files with captions; a player's thumbnails and chapters are in tracks, too. */
const FILES =
  'track:not([kind=metadata i], [kind=chapters i]), a[href$=".vtt" i], a[href$=".srt" i], link[type="text/vtt"], link[type="application/x-subrip"], podcast\\:transcript';

/**
 * What is said in the video or podcast of this page, where the page has it: in the panel that it shows, in captions that it has loaded, or
 * in a file of its own site, which is fetched without cookies and no further than it is. Null for none.
 */
export async function readTranscript(document: Document): Promise<FrameReading | null> {
  const text = linesOf(panelCues(document)) || shownCaptions(document) || (await fetched(document));
  return text === '' ? null : ofText(document, text);
}

/** The captions that the page's players have loaded; nothing is fetched. */
export function shownCaptions(document: Document): string {
  const players = dom.select(document, 'video, audio') as HTMLMediaElement[];
  const tracks = players.flatMap(({ textTracks }) => [...textTracks]);
  const cues = tracks.map(({ kind, cues: loaded }) =>
    /^(captions|subtitles)$/.test(kind) ? [...(loaded ?? [])].map(toCue) : [],
  );
  return linesOf(cues.find((each) => each.length > 0) ?? []);
}

const toCue = (cue: TextTrackCue): Cue => ({ at: cue.startTime, text: (cue as VTTCue).text ?? '' });

/** YouTube's, once the user opened it. */
function panelCues(document: Document): Cue[] {
  return dom.select(document, 'ytd-transcript-segment-renderer').map((segment) => {
    const words = (part: string): string => {
      const found = dom.first(segment, part);
      return found ? (dom.textContent(found) ?? '') : '';
    };
    return { at: secondsOf(words('.segment-timestamp')), text: words('.segment-text') };
  });
}

async function fetched(document: Document): Promise<string> {
  const named = dom.select(document, FILES).map((element) => {
    return (
      dom.attribute(element, dom.localName(element) === 'track' ? 'src' : 'href') ??
      dom.attribute(element, 'url') ??
      ''
    );
  });
  const own = [...captionTracks(document), ...named].flatMap((address) => {
    const url = address === '' ? null : URL.parse(address, document.baseURI);
    return url && url.origin === location.origin ? [url.href] : [];
  });
  for (const url of new Set(own.slice(0, MOST_FILES))) {
    const text = linesOf(cuesIn(await textAt(url).catch(() => '')));
    if (text !== '') return text;
  }
  return '';
}

/** YouTube's captions of the video that is shown: a page that went on to another one keeps the list of the first. */
function captionTracks(document: Document): string[] {
  const video = new URLSearchParams(location.search).get('v');
  if (!/(^|\.)youtube\.com$/.test(location.hostname) || video === null) return [];
  for (const script of dom.select(document, 'script:not([src])')) {
    const source = dom.textContent(script) ?? '';
    const from = source.indexOf('"captionTracks":');
    if (from === -1 || !source.includes(`"videoId":${JSON.stringify(video)}`)) continue;
    const to = source.indexOf(']', source.indexOf('"baseUrl":', from));
    const [, address] = /"baseUrl":("[^"]{1,4000}")/.exec(source.slice(from, to)) ?? [];
    if (address !== undefined) return [`${JSON.parse(address) as string}&fmt=vtt`];
  }
  return [];
}

/** As `fetchUrl` asks for an address. */
async function textAt(url: string): Promise<string> {
  const response = await fetch(url, {
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    redirect: 'manual',
    signal: AbortSignal.timeout(MOST_MS),
  });
  if (!response.ok || Number(response.headers.get('content-length') ?? 0) > MOST_BYTES) return '';
  const blob = await response.blob();
  return blob.size > MOST_BYTES ? '' : blob.text();
}
