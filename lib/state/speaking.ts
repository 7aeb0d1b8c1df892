import { signal, type ReadonlySignal } from '@preact/signals';
import { nextSpoken } from './speech.ts';

/** So many characters a second a fast voice reads: what is spoken never runs far ahead of being heard. */
const CHARACTERS_PER_SECOND = 25;
/** The region changes no more often than this. */
const SHORTEST_MS = 1000;
/** Short sentences are spoken together, up to so many characters. */
const AT_ONCE = 240;

/**
 * What a screen reader is told of an answer while it streams: whole sentences, at the pace of a voice, however fast they
 * come. `later` is a timer.
 */
export function createSpeaking(later: (task: () => void, ms: number) => void) {
  const words = signal('');
  const texts = new Map<string, { text: string; at: number; over: boolean }>();
  const hushed = new Set<string>();
  let announced: string[] = [];
  let waiting = false;
  /** Counts the silences: what was to be heard before one keeps nothing waiting after it. */
  let silences = 0;
  let isNews = false;

  function take(): string {
    const said = announced.splice(0);
    let count = said.join(' ').length;
    for (const [id, entry] of texts) {
      let piece = nextSpoken(entry.text, entry.at, entry.over);
      for (; piece && count < AT_ONCE; piece = nextSpoken(entry.text, entry.at, entry.over)) {
        entry.at = piece.end;
        if (piece.said !== '') said.push(piece.said);
        count += piece.said.length;
      }
      if (!entry.over || piece) break;
      texts.delete(id);
    }
    return said.join(' ');
  }

  /** Looks for more no more often than it may be said, however fast the text grows. */
  function speak(): void {
    isNews = true;
    if (waiting) return;
    isNews = false;
    const next = take();
    words.value = next;
    waiting = true;
    const before = silences;
    const heard = (next.length / CHARACTERS_PER_SECOND) * 1000;
    later(
      () => {
        if (before !== silences) return;
        waiting = false;
        if (isNews || next !== '') speak();
      },
      Math.max(SHORTEST_MS, heard),
    );
  }

  const set = (messageId: string, entry: { text: string; at?: number; over: boolean }): void => {
    if (hushed.has(messageId)) return;
    texts.set(messageId, { at: 0, ...texts.get(messageId), ...entry });
  };

  return {
    /** What is being spoken; empty for nothing. */
    words: words as ReadonlySignal<string>,
    /** The text of a message, all that has come. */
    follow(messageId: string, text: string, over: boolean): void {
      set(messageId, { text, over });
      speak();
    },
    /** The message was there before speech was on: only what comes from now on is spoken. */
    skip: (messageId: string, text: string): void => set(messageId, { text, at: text.length, over: false }),
    /** Speaks this next, once. */
    announce(said: string): void {
      announced.push(said);
      speak();
    },
    /** Not a word more of the messages that are being spoken. */
    hush(): void {
      for (const id of texts.keys()) hushed.add(id);
      texts.clear();
      announced = [];
      silences += 1;
      waiting = false;
      words.value = '';
    },
  };
}

export type Speaking = ReturnType<typeof createSpeaking>;
