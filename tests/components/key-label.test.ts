import { afterEach, describe, expect, it, vi } from 'vitest';
import { CHORDS, sendChord } from '../../components/ui/keys/chords.ts';
import { ariaKeys, keyHint, withKeys } from '../../components/ui/keys/key-label.ts';

afterEach(() => vi.unstubAllGlobals());

describe('keys', () => {
  it.each([
    ['Linux x86_64', 'New chat (Ctrl+Shift+O)', 'Send (Ctrl+Enter)', 'Ctrl ⏎', 'Control+Shift+O'],
    ['MacIntel', 'New chat (⌘⇧O)', 'Send (⌘Enter)', '⌘⏎', 'Meta+Shift+O'],
  ])('are called as they are printed on this computer’s: %s', (platform, newChat, send, hint, aria) => {
    vi.stubGlobal('navigator', { platform });
    expect(withKeys('New chat', CHORDS.newChat)).toBe(newChat);
    expect(withKeys('Send', sendChord(false))).toBe(send);
    expect(keyHint(CHORDS.allow)).toBe(hint);
    expect(ariaKeys(CHORDS.newChat)).toBe(aria);
  });
});
