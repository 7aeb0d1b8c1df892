import { describe, expect, it } from 'vitest';
import { type Chord, CHORDS, isPressed } from '../../components/ui/keys/chords.ts';

const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
/** A key event, without a browser. */
const keys = (key: string, held: Partial<KeyboardEvent> = {}) =>
  ({ key, code: '', ...none, ...held }) as KeyboardEvent;

describe('the keys of a chord', () => {
  it.each<[Chord, KeyboardEvent]>([
    [CHORDS.newChat, keys('O', { ctrlKey: true, shiftKey: true })],
    [CHORDS.history, keys('k', { metaKey: true })],
    [CHORDS.allow, keys('Enter', { ctrlKey: true })],
    [CHORDS.escape, keys('Escape')],
    [CHORDS.help, keys('?', { shiftKey: true })],
    [CHORDS.toApproval, keys('a', { altKey: true })],
    [CHORDS.toMessage, keys('µ', { altKey: true, code: 'KeyM' })],
  ])('%j are pressed: %o', (chord, event) => {
    expect(isPressed(chord, event)).toBe(true);
  });

  it.each<[Chord, KeyboardEvent]>([
    [CHORDS.newChat, keys('o', { ctrlKey: true })],
    [CHORDS.history, keys('k')],
    [CHORDS.allow, keys('Enter')],
    [CHORDS.help, keys('?', { ctrlKey: true })],
    [CHORDS.toApproval, keys('a', { altKey: true, ctrlKey: true })],
    [CHORDS.toMessage, keys('µ', { code: 'KeyM' })],
  ])('%j are not: %o', (chord, event) => {
    expect(isPressed(chord, event)).toBe(false);
  });
});
