/** How the next `confirm` or `prompt` is answered. Without a `text` a prompt takes what stands in it. */
export type DialogAnswer = { accept: boolean; text?: string };

/** A dialog that a page opened, in its words. `isWanted`: it was answered as `handle_dialog` said. */
export type Dialog = {
  kind: 'alert' | 'confirm' | 'prompt';
  message: string;
  preset: string;
  answer: DialogAnswer;
  isWanted: boolean;
};

/** Begins the name of the ports by which documents tell of their dialogs, one for each action. */
export const DIALOG_PORT = 'dialogs:';

/**
 * Puts functions in the place of `alert`, `confirm` and `prompt` that ask watchDialogs (dialogs.ts), in the world of
 * extensions, how the dialog is answered, and call the browser's own where it does not say. Injected by itself into the
 * world of the page's own scripts, so it refers to nothing outside of it. A page that finds it can lie about its own dialogs,
 * and do no more. What a page has put in their place itself stays: it opens no dialog of the browser's.
 */
export function overrideDialogs(id: string): void {
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
  if (ask('') === undefined) return; // not of the site that is acted on

  const restores = (['alert', 'confirm', 'prompt'] as const).map((kind) => {
    const property = getOwnPropertyDescriptor(window, kind);
    const native: unknown = property?.value;
    if (typeof native !== 'function' || !Function.prototype.toString.call(native).includes('[native code]'))
      return undefined;
    // A proxy of a function has its name, its length and its text.
    const override = new Proxy(native, {
      apply(_native, self, given: unknown[]) {
        const texts = given
          .slice(0, 2)
          .map((each) => (each === undefined && kind !== 'alert' ? '' : `${each as string}`));
        const [message = '', preset = ''] = texts;
        const answer = ask(`${kind}\0${message}\0${preset}`);
        if (answer === undefined) return Reflect.apply(native, self, texts) as unknown;
        if (kind === 'alert') return undefined;
        const isAccepted = answer.startsWith('+');
        if (kind === 'confirm') return isAccepted;
        return isAccepted ? answer.slice(1) : null;
      },
    });
    try {
      defineProperty(window, kind, { ...property, value: override });
    } catch {
      return undefined;
    }
    return () => {
      if (getOwnPropertyDescriptor(window, kind)?.value === override)
        defineProperty(window, kind, property ?? {});
    };
  });
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
