/** How the next `confirm` or `prompt` is answered. Without a `text` a prompt takes what stands in it. */
export type DialogAnswer = { accept: boolean; text?: string };

/**
 * A dialog that a page opened, in its words: that of `print` by the browser; the picker of a `file` that it asked for; or a
 * download that it began, which was stopped. `isWanted`: it was answered as `handle_dialog` said.
 */
export type Dialog = {
  kind: 'alert' | 'confirm' | 'prompt' | 'print' | 'file' | 'download';
  message: string;
  preset: string;
  answer: DialogAnswer;
  isWanted: boolean;
};

/** Begins the name of the ports by which documents tell of their dialogs, one for each action. */
export const WATCH_PORT = 'dialogs:';

/**
 * Puts functions in the place of the browser's, for as long as an action takes, that go by watchPage (watch-page.ts), in the world of
 * extensions. It says for each document which:
 * - `dialogs`: `alert`, `confirm` and `prompt` ask it how the dialog is answered, and call the browser's own where it does not
 *   say; `print`, and a press on a file field, tell it; those by which a script presses a link that saves a file, also one that is
 *   in no document, ask whether they may;
 * - `focus`: of a page without the focus it hears when a script moves it there, and the page takes it as there;
 * - `frames`: what waits for being drawn, in a tab that is behind, is done when it says so.
 *
 * In each it follows links whose address is a script, as the page's own.
 *
 * Injected by itself into the world of the page's own scripts, so it refers to nothing outside of it. A page that finds it can lie
 * about its own dialogs and focus, and do no more. What a page has put in their place itself stays.
 */
export function overridePage(id: string): void {
  const { CustomEvent, Proxy, Reflect } = globalThis;
  const { defineProperty, getOwnPropertyDescriptor } = Object;

  const ask = (detail: string): string | undefined => {
    let answer: string | undefined;
    const take = (event: Event): void => {
      answer = (event as CustomEvent<string>).detail;
    };
    addEventListener(`${id}-answer`, take);
    dispatchEvent(new CustomEvent(id, { detail }));
    removeEventListener(`${id}-answer`, take);
    return answer;
  };
  const overridden = ask('')?.split(' ');
  if (!overridden) return; // nothing watches it

  type Call = (native: () => unknown, self: unknown, given: unknown[]) => unknown;
  const put = (owner: object | undefined, name: string, call: Call): (() => void) | undefined => {
    const property = owner && getOwnPropertyDescriptor(owner, name);
    const native: unknown = property?.value;
    if (
      !property ||
      typeof native !== 'function' ||
      !Function.prototype.toString.call(native).includes('[native code]')
    )
      return undefined;
    // A proxy of a function has its name, its length and its text.
    const override = new Proxy(native, {
      apply: (_native, self, given: unknown[]) =>
        call(() => Reflect.apply(native, self, given) as unknown, self, given),
    });
    try {
      defineProperty(owner, name, { ...property, value: override });
    } catch {
      return undefined;
    }
    return () => {
      if (getOwnPropertyDescriptor(owner, name)?.value === override) defineProperty(owner, name, property);
    };
  };

  const dialogs = () => [
    // Told before: the page stops until the user has answered it.
    put(window, 'print', (native) => (ask('print'), native())),
    ...(['alert', 'confirm', 'prompt'] as const).map((kind) =>
      put(window, kind, (native, _self, given) => {
        given.splice(2);
        for (const [at, each] of given.entries())
          given[at] = each === undefined && kind !== 'alert' ? '' : `${each as string}`;
        const [message = '', preset = ''] = given as string[];
        const answer = ask(`${kind}\0${message}\0${preset}`);
        if (answer === undefined) return native();
        if (kind === 'alert') return undefined;
        const isAccepted = answer.startsWith('+');
        if (kind === 'confirm') return isAccepted;
        return isAccepted ? answer.slice(1) : null;
      }),
    ),
  ];

  const { HTMLElement, HTMLAnchorElement, HTMLInputElement, SVGElement, EventTarget, Element, Document } =
    window as unknown as typeof globalThis;
  /** Whether a press on it would save a file, and may not. */
  const isKept = (pressed: unknown): boolean => {
    if (!(pressed instanceof HTMLElement)) return false;
    const link = pressed.closest('a[href]');
    if (!(link instanceof HTMLAnchorElement)) return false;
    const saves = link.hasAttribute('download') || /^(blob|data):$/.test(link.protocol);
    return saves && ask(`download\0${link.download}\0`)?.startsWith('+') === false;
  };
  /** Also of a field that is in no document. */
  const tellFile = (pressed: unknown): void => {
    if (pressed instanceof HTMLInputElement && pressed.type === 'file') ask('file');
  };
  const presses = () => [
    put(HTMLElement?.prototype, 'click', (native, self) => {
      tellFile(self);
      return isKept(self) ? undefined : native();
    }),
    put(HTMLInputElement?.prototype, 'showPicker', (native, self) => (tellFile(self), native())),
    put(EventTarget?.prototype, 'dispatchEvent', (native, self, [event]) =>
      (event as Event | undefined)?.type === 'click' && isKept(self) ? false : native(),
    ),
  ];

  const tellMoved: Call = (native) => {
    native();
    ask('focus');
  };
  const focus = () => [
    ...[HTMLElement, SVGElement].flatMap((each) =>
      ['focus', 'blur'].map((name) => put(each?.prototype, name, tellMoved)),
    ),
    put(Document?.prototype, 'hasFocus', () => true),
  ];

  /** What waits for being drawn; the browser knows of it, too, should it draw. */
  const waiting = new Map<unknown, (time: number) => unknown>();
  /** Animations under way, of whose end a page that is not drawn hears nothing. */
  const moving = new Set<Animation>();
  const ended = new WeakSet<object>();
  const tellEnd = (moved: Animation): void => {
    ended.add(moved);
    moved.finish(); // settles its promise
    moved.dispatchEvent(new AnimationPlaybackEvent('finish', { currentTime: moved.currentTime }));
    const { target = null } = moved.effect instanceof KeyframeEffect ? moved.effect : {};
    if (moved instanceof CSSTransition)
      target?.dispatchEvent(
        new TransitionEvent('transitionend', { bubbles: true, propertyName: moved.transitionProperty }),
      );
    if (moved instanceof CSSAnimation)
      target?.dispatchEvent(
        new AnimationEvent('animationend', { bubbles: true, animationName: moved.animationName }),
      );
  };
  const moveOn = (): void => {
    for (const each of document.getAnimations()) moving.add(each);
    for (const each of moving) {
      if (/running|paused/.test(each.playState)) continue;
      moving.delete(each);
      if (each.playState === 'finished' && !ended.has(each)) tellEnd(each);
    }
    if (moving.size > 0) ask('frame');
  };

  const frames = () => {
    const cancel = window.cancelAnimationFrame;
    const onFrame = (): void => {
      moveOn();
      const due = [...waiting];
      waiting.clear();
      for (const [handle, callback] of due)
        try {
          cancel(handle as number);
          callback(performance.now());
        } catch (error) {
          reportError(error);
        }
    };
    addEventListener(`${id}-frame`, onFrame);
    return [
      put(window, 'requestAnimationFrame', (native, _self, given) => {
        const [callback] = given;
        if (typeof callback !== 'function') return native();
        given[0] = (time: number) => {
          if (waiting.delete(handle)) callback(time);
        };
        const handle = native();
        waiting.set(handle, callback as (time: number) => unknown);
        ask('frame');
        return handle;
      }),
      put(window, 'cancelAnimationFrame', (native, _self, [handle]) => {
        waiting.delete(handle);
        return native();
      }),
      put(Element?.prototype, 'animate', (native) => {
        const moved = native() as Animation;
        // The browser's own comes as the page is drawn again.
        moved.addEventListener('finish', (event) => {
          if (event.isTrusted && ended.has(moved)) event.stopImmediatePropagation();
        });
        moving.add(moved);
        ask('frame');
        return moved;
      }),
      () => removeEventListener(`${id}-frame`, onFrame),
    ];
  };

  const follow = (event: Event): void => {
    event.preventDefault();
    location.assign((event as CustomEvent<string>).detail);
  };
  addEventListener(`${id}-follow`, follow);

  const restores = [
    () => removeEventListener(`${id}-follow`, follow),
    ...(overridden.includes('dialogs') ? [...dialogs(), ...presses()] : []),
    ...(overridden.includes('focus') ? focus() : []),
    ...(overridden.includes('frames') ? frames() : []),
  ];
  addEventListener(
    `${id}-end`,
    () => {
      for (const restore of restores) restore?.();
    },
    { once: true },
  );
}

/**
 * Keeps this document for some time from having the browser ask whether to leave it, which no script can answer: what its
 * listeners wish of their event counts for nothing. Injected by itself into the world of the page's own scripts.
 * @param ms in which the tab goes where it is led
 */
export function leaveFreely(ms: number): void {
  const { prototype } = BeforeUnloadEvent;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const returned = getOwnPropertyDescriptor(prototype, 'returnValue') ?? {};
  const { onbeforeunload } = window;
  Object.assign(window, { onbeforeunload: null });
  defineProperty(prototype, 'preventDefault', { configurable: true, value: () => undefined });
  defineProperty(prototype, 'returnValue', { ...returned, set: () => undefined });
  setTimeout(() => {
    Reflect.deleteProperty(prototype, 'preventDefault');
    defineProperty(prototype, 'returnValue', returned);
    if (window.onbeforeunload === null) Object.assign(window, { onbeforeunload });
  }, ms);
}
