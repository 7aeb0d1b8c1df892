import { isSecret } from '../dom/fields/private-fields.ts';
import { describe } from '../dom/marks.ts';
import { type ActArgs, keyIn } from './act-args.ts';
import { type Done, NEEDS_USER, nothing } from './done.ts';
import { leftToUser } from './fill.ts';
import { doNativeKey } from './native-keys.ts';
import { focusOn } from './pointer.ts';
import { pressKey, whyLocked } from './typing.ts';
import { pauseIn } from './user-typing.ts';

/** Keys that change what a field holds. */
const EDITS = /^(.|Backspace|Delete)$/u;

export async function pressKeyOn(element: Element, { key = '' }: ActArgs, isNamed: boolean): Promise<Done> {
  const what = describe(element);
  if (isSecret(element) && EDITS.test(keyIn(key))) return nothing(`${what} ${whyLocked(element)}`);
  if (Element.prototype.matches.call(element, ':disabled')) return nothing(`${what} is disabled`);
  const left = leftToUser(await pauseIn(element), element, what, /^(Backspace|Delete)$/.test(key));
  if (left) return left;
  if (isNamed) focusOn(element);
  await pressKey(element, key, doNativeKey);
  return {
    did: `Pressed ${key} on ${what}.`,
    why: NEEDS_USER,
  };
}
