import type { KeyName } from './key-label.ts';

/** Keys pressed at once. */
export type Chord = readonly KeyName[];

/** What the panel's keys do, and which they are: for the keyboard help and for the tooltips of buttons that do the same. */
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
