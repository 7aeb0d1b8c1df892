import type { KeyName } from './key-label.ts';

/** Keys pressed at once. */
export type Chord = readonly KeyName[];

/** What the panel's keys do, and which they are: for what listens to them, the keyboard help, and the tooltips of buttons that do the same. */
export const CHORDS = {
  newChat: ['Mod', 'Shift', 'O'],
  history: ['Mod', 'K'],
  toApproval: ['Alt', 'A'],
  toMessage: ['Alt', 'M'],
  escape: ['Escape'],
  help: ['?'],
  steer: ['Alt', 'Enter'],
  prompts: ['/'],
  context: ['@'],
  edit: ['Up'],
  allow: ['Mod', 'Enter'],
  deny: ['Escape'],
} as const satisfies Record<string, Chord>;

/** The keys that send, as the settings have it. */
export const sendChord = (enterSends: boolean): Chord => (enterSends ? ['Enter'] : ['Mod', 'Enter']);

/** Whether these keys are pressed. With Alt a Mac types another letter, so the key itself counts there. */
export function isPressed(chord: Chord, event: KeyboardEvent): boolean {
  const last = chord.at(-1) ?? '';
  const isHeld = (name: KeyName): boolean => chord.includes(name);
  const isLast =
    event.key.toLowerCase() === last.toLowerCase() || (isHeld('Alt') && event.code === `Key${last}`);
  return (
    isLast &&
    (event.ctrlKey || event.metaKey) === isHeld('Mod') &&
    (event.altKey || !isHeld('Alt')) &&
    (event.shiftKey || !isHeld('Shift'))
  );
}
