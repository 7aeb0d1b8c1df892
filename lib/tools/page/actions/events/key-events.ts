import { held } from './fire-pointer.ts';

/** Those of keys without a character of their own (https://w3c.github.io/uievents-key/). */
const KEY_CODES: Record<string, number> = {
  Alt: 18,
  ArrowDown: 40,
  ArrowLeft: 37,
  ArrowRight: 39,
  ArrowUp: 38,
  Backspace: 8,
  CapsLock: 20,
  Control: 17,
  Delete: 46,
  End: 35,
  Enter: 13,
  Escape: 27,
  Home: 36,
  Insert: 45,
  Meta: 91,
  PageDown: 34,
  PageUp: 33,
  Shift: 16,
  Tab: 9,
};
/** The keys of signs on an American keyboard: plain and with Shift, and their key code. */
const SIGNS: [signs: string, code: string, keyCode: number][] = [
  [' ', 'Space', 32],
  [';:', 'Semicolon', 186],
  ['=+', 'Equal', 187],
  [',<', 'Comma', 188],
  ['-_', 'Minus', 189],
  ['.>', 'Period', 190],
  ['/?', 'Slash', 191],
  ['`~', 'Backquote', 192],
  ['[{', 'BracketLeft', 219],
  ['\\|', 'Backslash', 220],
  [']}', 'BracketRight', 221],
  ['\'"', 'Quote', 222],
  ...[...')!@#$%^&*('].map((sign, digit): [string, string, number] => [
    `${digit}${sign}`,
    `Digit${digit}`,
    48 + digit,
  ]),
];
export const MODIFIER = /^(Alt|Control|Meta|Shift)$/;
const LEFT = 1;

/** Those beyond 16 bits have a length of two. */
export const isCharacter = (key: string): boolean => /^.$/u.test(key);

/** The key that has a character or a name, as a keyboard tells it; none for what no American one has. */
function keyOf(key: string): { code: string; keyCode: number } {
  const upper = key.toUpperCase();
  if (/^[A-Z]$/.test(upper)) return { code: `Key${upper}`, keyCode: upper.charCodeAt(0) };
  const [, code, keyCode] = SIGNS.find(([signs]) => signs.includes(key)) ?? [];
  if (code !== undefined && keyCode !== undefined) return { code, keyCode };
  if (isCharacter(key)) return { code: '', keyCode: key.length === 1 ? upper.charCodeAt(0) : 0 };
  const [, number] = /^F(\d\d?)$/.exec(key) ?? [];
  const named = number === undefined ? (KEY_CODES[key] ?? 0) : 111 + Number(number);
  return { code: MODIFIER.test(key) ? `${key}Left` : key, keyCode: named };
}

/** Sends an event of a key. @returns false when the page cancelled it */
export function sendKey(
  target: Element,
  type: string,
  key: string,
  modifiers: EventModifierInit = {},
): boolean {
  const { code, keyCode: ofKey } = keyOf(key);
  const isPress = type === 'keypress';
  const keyCode = isPress && isCharacter(key) ? key.charCodeAt(0) : ofKey;
  // Firefox takes each as it is told, also those that follow from one another.
  const codes = { keyCode, which: keyCode, charCode: isPress ? keyCode : 0 };
  const init = { bubbles: true, cancelable: true, composed: true, ...modifiers };
  const location = MODIFIER.test(key) ? LEFT : 0;
  const { defaultView: view } = target.ownerDocument;
  return target.dispatchEvent(new KeyboardEvent(type, { ...init, key, code, location, ...codes, view }));
}

/**
 * Holds modifiers down.
 * @param receiver what gets a key at that moment
 * @returns releases them
 */
export function holdKeys(named: readonly string[], receiver: () => Element): () => void {
  const keys = named.filter((key) => MODIFIER.test(key));
  for (const [at, key] of keys.entries()) sendKey(receiver(), 'keydown', key, held(keys.slice(0, at + 1)));
  return () => {
    for (const [at, key] of [...keys.entries()].toReversed())
      sendKey(receiver(), 'keyup', key, held(keys.slice(0, at)));
  };
}
