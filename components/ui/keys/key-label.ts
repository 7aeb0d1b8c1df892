import { t } from '../../../locales/texts/panel.ts';

type Names = Texts.Panel['keyNames'];

/** A key by its name in the catalogue (`keyNames`); a single letter or sign is itself. */
export type KeyName = keyof Names['names'] | (string & {});

/** What is printed on this computer's key. */
export function keyLabel(key: KeyName): string {
  const { names, mac } = t(($) => $.keyNames);
  if (isMac() && key in mac) return mac[key as keyof typeof mac];
  return key in names ? names[key as keyof typeof names] : key;
}

/** A button's tooltip with the keys that do the same: "New chat (Ctrl+Shift+O)". */
export function withKeys(label: string, chord: readonly KeyName[]): string {
  return `${label} (${chord.map(keyLabel).join(isMac() ? '' : '+')})`;
}

/** Keys as they stand within the button that does the same: "Ctrl ⏎". */
export function keyHint(chord: readonly KeyName[]): string {
  return chord.map((key) => (key === 'Enter' ? '⏎' : keyLabel(key))).join(isMac() ? '' : ' ');
}

const ariaNames = (): Record<string, string> => ({ Mod: isMac() ? 'Meta' : 'Control', Up: 'ArrowUp' });

/** Keys as `aria-keyshortcuts` has them: "Control+Shift+O". */
export const ariaKeys = (chord: readonly KeyName[]): string =>
  chord.map((key) => ariaNames()[key] ?? key).join('+');

const isMac = (): boolean => /Mac/.test(navigator.platform);
