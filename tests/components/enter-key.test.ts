import { describe, expect, it } from 'vitest';
import { enterDoes, otherWay, usualWay, type SendSettings } from '../../components/composer/enter-key.ts';

const none = { shiftKey: false, altKey: false, ctrlKey: false, metaKey: false };
const usual: SendSettings = { enterSends: true, whileLive: 'queue' };

describe('Enter', () => {
  it('sends, and breaks the line with Shift', () => {
    expect(enterDoes(none, usual)).toBe('queue');
    expect(enterDoes({ ...none, shiftKey: true }, usual)).toBeNull();
    expect(enterDoes({ ...none, ctrlKey: true, shiftKey: true }, usual)).toBeNull();
  });

  it('steers with Alt, and takes the other way with Ctrl or ⌘', () => {
    expect(enterDoes({ ...none, altKey: true }, usual)).toBe('steer');
    expect(enterDoes({ ...none, ctrlKey: true }, usual)).toBe('now');
    expect(enterDoes({ ...none, metaKey: true }, usual)).toBe('now');
  });

  it('ends the run first where the user wants that, and Ctrl then waits for it', () => {
    const now: SendSettings = { ...usual, whileLive: 'now' };
    expect(enterDoes(none, now)).toBe('now');
    expect(enterDoes({ ...none, ctrlKey: true }, now)).toBe('queue');
    expect([usualWay(now), otherWay(now)]).toEqual(['now', 'queue']);
  });

  it('only breaks the line where the user wants that, and Ctrl sends in the usual way', () => {
    const off: SendSettings = { ...usual, enterSends: false };
    expect(enterDoes(none, off)).toBeNull();
    expect(enterDoes({ ...none, ctrlKey: true }, off)).toBe('queue');
    expect(enterDoes({ ...none, metaKey: true }, { ...off, whileLive: 'now' })).toBe('now');
  });
});
