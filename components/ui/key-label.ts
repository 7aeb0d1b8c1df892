import { t } from '../../locales/texts/panel.ts';

type Names = Texts.Panel['keyNames'];

/** A key by its name in the catalogue (`keyNames`); a single letter or sign is itself. */
export type KeyName = keyof Names['names'] | (string & {});

/** What is printed on this computer's key. */
export function keyLabel(key: KeyName): string {
  const { names, mac } = t(($) => $.keyNames);
  if (isMac() && key in mac) return mac[key as keyof typeof mac];
  return key in names ? names[key as keyof typeof names] : key;
}

/** Keys pressed at once. */
export type Chord = KeyName[];

/** A button's tooltip with the keys that do the same: "New chat (Ctrl+Shift+O)". */
export function withKeys(label: string, ...chord: Chord): string {
  return `${label} (${chord.map(keyLabel).join(isMac() ? '' : '+')})`;
}

/** As a button's badge has them: "Ctrl ⏎". */
export const badgeText = (chord: Chord): string =>
  chord.map((key) => (key === 'Enter' ? '⏎' : keyLabel(key))).join(isMac() ? '' : ' ');

/** For `aria-keyshortcuts`. */
export const ariaKeys = (chord: Chord): string =>
  chord.map((key) => (key === 'Mod' ? (isMac() ? 'Meta' : 'Control') : key)).join('+');

const isMac = (): boolean => /Mac/.test(navigator.platform);
