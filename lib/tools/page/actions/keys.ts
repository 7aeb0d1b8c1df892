import { isSecret } from '../dom/fields/private-fields.ts';
import { describe } from '../dom/marks.ts';
import { type ActArgs, keyIn } from './act-args.ts';
import { type Done, NEEDS_USER, nothing } from './done.ts';
import { leftToUser } from './fill.ts';
import { enterLink } from './mouse.ts';
import { doNativeKey } from './native-keys.ts';
import { MODIFIER } from './events/key-events.ts';
import { focusOn } from './focus.ts';
import { pressKey, whyLocked } from './typing.ts';
import { pauseIn } from './user-typing.ts';

/** Keys that change what a field holds; of those that choose or step only where there is something to. */
const EDITS = /^(.|Backspace|Delete)$/u;
const STEPS = /^(Arrow\w+|Home|End)$/;

export async function pressKeyOn(element: Element, { key = '' }: ActArgs, isNamed: boolean): Promise<Done> {
  const what = describe(element);
  const held = key.split('+').slice(0, -1);
  const unknown = held.find((each) => each !== '' && !MODIFIER.test(each));
  if (unknown !== undefined)
    return nothing(
      `${JSON.stringify(unknown)} is no key that is held with another: those are Alt, Control, Meta and Shift`,
    );
  if (isSecret(element) && (EDITS.test(keyIn(key)) || (isStepped(element) && STEPS.test(keyIn(key)))))
    return nothing(`${what} ${whyLocked(element)}`);
  if (Element.prototype.matches.call(element, ':disabled')) return nothing(`${what} is disabled`);
  const left = leftToUser(await pauseIn(element), element, what, /^(Backspace|Delete)$/.test(key));
  if (left) return left;
  if (isNamed) focusOn(element);
  const pressing = () => pressKey(element, key, doNativeKey);
  const done = keyIn(key) === 'Enter' ? await enterLink(element, what, pressing) : await pressing();
  return { did: `Pressed ${key} on ${what}.`, why: NEEDS_USER, ...done };
}

const isStepped = (element: Element): boolean =>
  element instanceof HTMLSelectElement ||
  (element instanceof HTMLInputElement && /^(range|number)$/.test(element.type));
