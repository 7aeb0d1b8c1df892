import * as dom from '../dom/dom.ts';
import { sitesOfFrame } from '../dom/frames.ts';
import { allowEffects, NONE, notAskedAbout, NotAskedAbout, refuseSubmits } from '../dom/effects.ts';
import {
  actOn,
  countChanges,
  describe,
  describeRefs,
  isMarked,
  lookLater,
  markAnew,
  takesKeys,
} from '../dom/marks.ts';
import { elementOf, isElsewhere, refOf } from '../dom/refs.ts';
import { tellFocus } from '../dom/told-focus.ts';
import { type ActArgs, keyIn, refsIn } from './act-args.ts';
import { aimAt } from './aim.ts';
import { brokeOff, type Checked, type Done, nothing, seenBehind } from './done.ts';
import { check, fillForm, selectOption, setSlider, typeText } from './fill.ts';
import { pressKeyOn } from './keys.ts';
import { click, dragOnto, pointAt, isInNewTab, baseTarget } from './mouse.ts';
import { scroll } from './scroll.ts';
import { outline } from './sight.ts';
import { pause, throwIfStopped, untilStopped } from './stopping.ts';
import type { Field } from './typing.ts';
import { upload } from './upload.ts';

/** Each does it to an element; without one to what has the focus, or to the page. */
const actions = {
  click,
  drag: dragOnto,
  fill_form: fillForm,
  hover: pointAt,
  press_key: pressKeyOn,
  scroll,
  select_option: selectOption,
  set_checked: check,
  set_slider: setSlider,
  type_text: typeText,
  upload_file: upload,
};

export type ActionName = keyof typeof actions;

/** They press what has to be in sight for that. */
const AIMED = /^(click|drag|hover|select_option|set_checked|set_slider)$/;
/** Milliseconds between two looks whether what a scroll brought has come, and how many there are at most. */
const SETTLE_MS = 150;
const MOST_LOOKS = 8;

/**
 * Does something in this document, which was marked before: another one, that came since, is not touched.
 * @param judged what the elements were when the user, or a permission of theirs, allowed it, by their references; null where the
 * user names them
 * @param sites whose frames may be touched
 * @returns null where it is not of this document
 */
export async function act(
  id: string,
  name: ActionName,
  args: ActArgs,
  judged: Record<string, string> | null,
  sites: string[],
): Promise<Done | null> {
  // What names nothing scrolls the page.
  const isAimed = refsIn(args).length > 0 || args.key !== undefined;
  if (!isMarked(id) || (isAimed && !sitesOfFrame().every((site) => sites.includes(site)))) return null;
  const done = await untilStopped(id, async () => {
    if (await bringIntoSight(id, name, refsIn(args))) markAnew(id);
    return actNow(id, name, args, judged);
  });
  if (done === 'stopped') return { did: 'It was stopped, and may have been done in part.', isError: true };
  if (!done?.recheck && !done?.last) return done;
  const { recheck, last, ...told } = done;
  lookLater(id, { ...(recheck && { recheck }), ...(last && { last }) });
  return { ...told, isRechecked: true };
}

/**
 * What comes of a scroll does not come of the action that needs it.
 * @returns whether one was, once what it brought is there
 * @throws Stopped
 */
export async function bringIntoSight(id: string, name: ActionName, refs: string[]): Promise<boolean> {
  if (!AIMED.test(name) || !refs.map(elementOf).toReversed().map(moveIntoSight).includes(true)) return false;
  let seen: ReturnType<typeof countChanges> = -1;
  for (let look = 0; look < MOST_LOOKS && seen !== countChanges(id); look += 1) {
    seen = countChanges(id);
    await pause(SETTLE_MS);
  }
  return true;
}

/** @returns whether it had to be moved */
function moveIntoSight(element: Element | undefined): boolean {
  const placeOf = (): string =>
    JSON.stringify(element && Element.prototype.getBoundingClientRect.call(element));
  const before = placeOf();
  if (element) aimAt(element);
  return placeOf() !== before;
}

async function actNow(
  id: string,
  name: ActionName,
  args: ActArgs,
  judged: Record<string, string> | null,
): Promise<Checked | null> {
  const refs = refsIn(args);
  const [ref] = refs;
  const element = ref === undefined ? undefined : elementOf(ref);
  if (ref !== undefined && !element) return null;
  const target = element ?? takesKeys();
  if (judged && name === 'press_key' && !element && !Object.hasOwn(judged, refOf(target)))
    return nothing(
      `the key would go to ${describe(target)} now, which did not have the focus when it was allowed: if that is meant, give its reference, ${refOf(target)}`,
    );
  const unknown = refs.find((each) => judged && !Object.hasOwn(judged, each));
  if (unknown !== undefined)
    return nothing(`what ${unknown} is was not known when it was allowed: try again`);
  const now = describeRefs(Object.keys(judged ?? {}));
  const changed = Object.entries(judged ?? {}).find(([each, before]) => now[each] !== before);
  if (changed)
    return nothing(
      `${changed[0]} was ${changed[1]} when it was allowed, and is ${now[changed[0]] ?? 'gone'} now`,
    );
  const moved = judged ? refs.find(isElsewhere) : undefined;
  if (moved !== undefined)
    return nothing(
      `${now[moved]} was drawn anew since it was allowed, where something else stands around it: take a snapshot, and try again`,
    );
  if (target !== dom.bodyOf(document)) outline(target);
  actOn(id, target, args.text);
  allowEffects(args.may ?? NONE, target);
  const submitting = refuseSubmits(target);
  const sending = watchSent(target);
  try {
    const refusing = watchInvalid();
    const acted = await actions[name](target, args, ref !== undefined);
    const done = seenBehind({ ...acted, ...sending() });
    tellFocus();
    if (submitting()) throw new NotAskedAbout({ submits: true, downloads: false });
    const [field] = refusing();
    const isSent = name === 'click' || args.submit === true || keyIn(args.key ?? '') === 'Enter';
    return field && isSent ? { ...done, did: `${done.did} ${notSent(field)}`, isError: true } : done;
  } catch (error) {
    throwIfStopped();
    if (error instanceof NotAskedAbout) return { did: notAskedAbout(target, error), isError: true };
    return brokeOff(describe(target), error);
  } finally {
    sending();
    submitting();
  }
}

/** Fields for which a form is not sent (https://html.spec.whatwg.org/#interactively-validate-the-constraints). @returns their end */
function watchInvalid(): () => Field[] {
  const fields: Field[] = [];
  const note = ({ target }: Event): void => void fields.push(target as Field);
  addEventListener('invalid', note, true);
  return () => {
    removeEventListener('invalid', note, true);
    return fields;
  };
}

const notSent = (field: Field): string =>
  `The form was not sent: ${describe(field)} is not valid. ${'validationMessage' in field ? String(field.validationMessage) : ''}`;

/**
 * Notes which form an action has sent to a new tab, which Chromium opens in front, and Firefox not at all. One that only asks for a
 * page of the document's own site is not sent: its address is opened behind instead.
 * @param near what is acted on: the event does not leave its shadow tree
 * @returns its end: where the form leads
 */
function watchSent(near: Element): () => Pick<Done, 'opens' | 'sends'> {
  let sent: Pick<Done, 'opens' | 'sends'> = {};
  const note = (event: Event): void => {
    const { target: form, submitter, defaultPrevented } = event as SubmitEvent;
    if (defaultPrevented || !(form instanceof HTMLFormElement)) return;
    const given = (name: string): string | null =>
      (submitter && dom.attribute(submitter, `form${name}`)) ?? dom.attribute(form, name);
    const url = URL.parse(given('action') || document.URL, document.baseURI);
    const method = given('method')?.toLowerCase();
    if (!url || method === 'dialog' || !isInNewTab(given('target') ?? baseTarget())) return;
    const isAsking = method !== 'post' && url.origin === self.origin;
    if (!isAsking || document.characterSet !== 'UTF-8') return void (sent = { sends: url.href });
    event.preventDefault();
    const fields = [...new FormData(form, submitter)].map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll(/\r?\n|\r/g, '\r\n') : value.name,
    ]);
    url.search = String(new URLSearchParams(fields));
    sent = { opens: url.href };
  };
  const tree = dom.treeOf(near);
  const trees = tree === document ? [window] : [window, tree];
  for (const each of trees) each.addEventListener('submit', note);
  return () => {
    for (const each of trees) each.removeEventListener('submit', note);
    return sent;
  };
}
