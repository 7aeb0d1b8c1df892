/** Seconds of speech in one line. */
const LINE_S = 30;

/** When it is said, in seconds, and what. */
export type Cue = { at: number; text: string };

/** What a file of WebVTT or SubRip says: lines after one with an arrow, until an empty one. */
export function cuesIn(file: string): Cue[] {
  const cues: Cue[] = [];
  let cue: Cue | undefined;
  for (const line of file.split(/\r?\n/)) {
    const arrow = line.indexOf('-->');
    if (arrow !== -1) cues.push((cue = { at: secondsOf(line.slice(0, arrow)), text: '' }));
    else if (line.trim() === '') cue = undefined;
    else if (cue) cue.text += `${line}\n`;
  }
  return cues;
}

/** `1:02:03.500` as seconds. */
export const secondsOf = (time: string): number =>
  time
    .trim()
    .split(':')
    .reduce((sum, part) => sum * 60 + (Number.parseFloat(part.replace(',', '.')) || 0), 0);

/** Without tags, and what captions that roll say twice. */
export function linesOf(cues: Cue[]): string {
  const lines: string[] = [];
  let began = Number.NEGATIVE_INFINITY;
  let last = '';
  for (const { at, text } of cues) {
    for (const part of text.replaceAll(/<[^<>]*>/g, '').split('\n')) {
      const words = part.trim();
      if (words === '' || words === last) continue;
      last = words;
      const isNew = at - began >= LINE_S;
      if (isNew) began = at;
      if (isNew) lines.push(`[${clock(at)}] ${words}`);
      else lines[lines.length - 1] += ` ${words}`;
    }
  }
  return lines.join('\n');
}

function clock(seconds: number): string {
  const two = (part: number): string => String(Math.floor(part)).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), (seconds / 60) % 60];
  return `${hours > 0 ? `${hours}:${two(minutes)}` : Math.floor(minutes)}:${two(seconds % 60)}`;
}
