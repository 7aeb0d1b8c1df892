import * as dom from './dom.ts';
import { lasting } from './lasting.ts';

/** What a press does beyond the page, which is asked about. */
export type Effects = { submits: boolean; downloads: boolean };

export const NONE: Effects = { submits: false, downloads: false };

/** Milliseconds that are spent on what lies in an element. */
const MOST_MS = 500;

/** What presses on elements turned out to do, which could not be told before. */
const turnedOut = lasting('portsideEffects', () => new WeakMap<Element, Effects>());

/** What a press on an element does, as far as markup says, of what lies in it, too, or as it turned out before. */
export function effectsOf(element: Element | undefined): Effects {
  if (!element) return NONE;
  const inside = dom.selectDeep(element, 'button, input, label', performance.now() + MOST_MS);
  const known = turnedOut.get(element);
  return {
    submits: known?.submits === true || [...inside, ...around(element)].some(isSubmitter),
    downloads: known?.downloads === true || [...around(element)].some(isDownload),
  };
}

/**
 * What a key that is pressed on an element does, as far as markup says, or as it turned out before. It goes to none of
 * what lies in it.
 * @param key as `keyIn` has it
 */
export function effectsOfKey(element: Element | undefined, key: string): Effects {
  if (!element) return NONE;
  const known = turnedOut.get(element);
  const pressed = /^(Enter| )$/.test(key) ? [...around(element)] : [];
  return {
    submits: known?.submits === true || pressed.some(isSubmitter),
    downloads: known?.downloads === true || pressed.some(isDownload),
  };
}

/** What a press on an element ticks in its place: the control that its label names, or the only one that lies in it. */
export function pressedFor(element: Element): Element | undefined {
  const inside = dom.selectDeep(element, 'button, input, select, label', performance.now() + MOST_MS);
  const labels = [...around(element)].filter((each) => each instanceof HTMLLabelElement);
  const away = labels.find((label) => isLabelAway(label, element));
  if (away) return away.control ?? undefined;
  const controls = new Set(
    [...inside, ...labels].map((each) => (each instanceof HTMLLabelElement ? each.control : each) ?? element),
  );
  const [control] = controls;
  return controls.size === 1 && control !== element ? control : undefined;
}

/** Whether it presses what lies elsewhere, as a label does that a stranger wrote into an entry. */
export const isLabelAway = (each: Element, element: Element): boolean =>
  each instanceof HTMLLabelElement &&
  each.control !== null &&
  !Node.prototype.contains.call(element, each.control);

function* around(element: Element): Generator<Element> {
  for (let at: Element | null = element; at; at = dom.elementAround(at)) yield at;
}

/** Also a label's, which presses what it labels. */
function isSubmitter(element: Element): boolean {
  const pressed = element instanceof HTMLLabelElement ? element.control : element;
  const isButton = pressed instanceof HTMLButtonElement || pressed instanceof HTMLInputElement;
  const isSubmit = isButton && /^(submit|image)$/.test(pressed.type);
  return isSubmit && pressed.form !== null && !closesDialog(pressed.form, pressed);
}

/** Whether to send a form only closes the dialog that it lies in. */
const closesDialog = (form: Element, button: Element | null): boolean =>
  /^dialog$/i.test((button && dom.attribute(button, 'formmethod')) ?? dom.attribute(form, 'method') ?? '');

/** The button that Enter in a field of a form presses. */
export const defaultButtonOf = (form: HTMLFormElement): Element | undefined =>
  dom.select(form, 'button, input').find((each) => /^(submit|image)$/.test((each as HTMLInputElement).type));

/** Whether Enter in an element sends a form, as far as markup says (https://html.spec.whatwg.org/#implicit-submission). */
export const sendsByEnter = (element: Element | undefined): boolean =>
  (element instanceof HTMLInputElement && element.form !== null) ||
  // What a host of a shadow tree has in it can't be told by it.
  (element !== undefined && dom.shadowRoot(element) !== null);

/** Hosts of other sites that are named. */
const MOST_HOSTS = 3;

/**
 * To which other sites the forms go, as far as markup says, that an element is of, or what lies in it or around it: as
 * ` of a form that goes to pay.example`. Empty where they stay.
 */
export function leavingForm(element: Element): string {
  const inside = dom.selectDeep(element, 'button, input, label', performance.now() + MOST_MS);
  const hosts = [...new Set([...inside, ...around(element)].flatMap((each) => actionHost(each) ?? []))];
  const named = hosts.slice(0, MOST_HOSTS).join(', ');
  const more = hosts.length > MOST_HOSTS ? ' and others' : '';
  return named && ` of a form that goes to ${named}${more}`;
}

function actionHost(element: Element): string | undefined {
  const field = element instanceof HTMLLabelElement ? element.control : element;
  if (!field || !/^(button|input|select|textarea)$/.test(dom.localName(field))) return undefined;
  const { form, baseURI } = field as HTMLInputElement;
  const button = form && (isSubmitter(field) ? field : defaultButtonOf(form));
  const given = (button && dom.attribute(button, 'formaction')) || (form && dom.attribute(form, 'action'));
  const { protocol = '', host = '' } = (given && URL.parse(given, baseURI)) || {};
  const isHere = host === location.host || host === URL.parse(window.origin)?.host;
  return /^https?:$/.test(protocol) && !isHere ? host : undefined;
}

export function isDownload(element: Element): boolean {
  const href = /^a(rea)?$/.test(dom.localName(element)) ? dom.attribute(element, 'href') : null;
  if (href === null) return false;
  const { protocol = '', href: address = '' } = URL.parse(href, document.baseURI) ?? {};
  // A page makes these itself, of whatever it likes.
  const isMade = /^(blob|data):$/.test(protocol);
  return isMade || dom.attribute(element, 'download') !== null || pageless.has(address);
}

/** Addresses that links here led to, of which no page came. */
const pageless = lasting('portsidePageless', () => new Set<string>());

/** Has the next call of what is acted on, or of the same link, asked about as one that saves a file: no page came of where it led. */
export function notePageless(): void {
  const link = acting && Element.prototype.closest.call(acting, 'a[href], area[href]');
  const address = URL.parse((link && dom.attribute(link, 'href')) ?? '', document.baseURI);
  if (!link) noteDownload();
  else if (address && /^https?:$/.test(address.protocol)) pageless.add(address.href);
}

/** Thrown in place of a press that does what its call was not allowed to. */
export class NotAskedAbout extends Error {
  readonly effects: Effects;
  constructor(effects: Effects) {
    super();
    this.effects = effects;
  }
}

/** What the call that is under way may do. */
let allowed = NONE;
/** The element that it names. */
let acting: Element | undefined;
export function allowEffects(effects: Effects, named?: Element): void {
  allowed = effects;
  acting = named;
}

/** Whether a download that an action set off may not be; the next call of the same element is asked about it then. */
export function refuseDownload(): boolean {
  if (allowed.downloads) return false;
  noteDownload();
  return true;
}

function noteDownload(): void {
  if (acting) turnedOut.set(acting, { submits: turnedOut.get(acting)?.submits === true, downloads: true });
}

/** @throws NotAskedAbout where a press that is sent to just this element would do what was not asked about */
export function requireAsked(pressed: Element): void {
  const all = [...around(pressed)];
  const effects = { submits: all.some(isSubmitter), downloads: all.some(isDownload) };
  const isMore = (effects.submits && !allowed.submits) || (effects.downloads && !allowed.downloads);
  if (isMore) throw new NotAskedAbout(effects);
}

/** @throws NotAskedAbout where a key would send a form, and that was not asked about */
export function requireSending(): void {
  if (!allowed.submits) throw new NotAskedAbout({ submits: true, downloads: false });
}

/**
 * Keeps forms from being sent by what an action sets off, a script's `requestSubmit` too, where the user was not asked about that.
 * `form.submit()` has no event, and is not seen.
 * @returns its end: whether one would have been sent
 */
export function refuseSubmits(near: Element): () => boolean {
  let isRefused = false;
  const refuse = (event: Event): void => {
    const { target, submitter } = event as SubmitEvent;
    if (allowed.submits || (dom.isElement(target as Node) && closesDialog(target as Element, submitter)))
      return;
    isRefused = true;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  // It does not leave a shadow tree.
  const trees = [window, ...dom.shadowTreesAt(near, performance.now() + MOST_MS)];
  for (const tree of trees) tree.addEventListener('submit', refuse, true);
  return () => {
    for (const tree of trees) tree.removeEventListener('submit', refuse, true);
    return isRefused;
  };
}

/** Remembers it of the element that the call names, so that the next call is asked about it. */
export function notAskedAbout(named: Element, { effects }: NotAskedAbout): string {
  turnedOut.set(named, effects);
  const what = effects.submits ? 'sends a form' : 'downloads a file';
  return `It stopped before a press that ${what}, of which the user was not asked. Do it again: they are asked then.`;
}
