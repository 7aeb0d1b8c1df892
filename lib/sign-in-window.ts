import { browser } from 'wxt/browser';
import { AppError } from './errors.ts';
import type { SignInStart, WindowOutcome } from './types/credentials.ts';
import { t } from '../locales/texts/errors.ts';

/**
 * Has the browser show the page where the user signs in. A page does that, since the answer goes to the caller
 * only, and a worker may end before the user is done. `isAgain`: tries without a window first.
 */
export async function showSignIn({
  url,
  isAgain,
}: Extract<SignInStart, { state: 'window' }>): Promise<WindowOutcome> {
  try {
    await closeLeftWindow();
    const unseen = isAgain && (await launch(url, false).catch(() => undefined));
    // What is wrong is left to the window.
    if (unseen && !new URL(unseen).searchParams.has('error')) return { answer: unseen };
    return { answer: await launch(url, true) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

/** Under this key stands the id of the window while it is open. */
const WINDOW = 'sign-in-window';

async function launch(url: string, interactive: boolean): Promise<string> {
  const opened = ({ id, type }: OpenedWindow): void => {
    if (type === 'popup' && localStorage.getItem(WINDOW) === null) localStorage.setItem(WINDOW, String(id));
  };
  browser.windows.onCreated.addListener(opened);
  try {
    const answer = await browser.identity.launchWebAuthFlow({ url, interactive });
    if (answer === undefined) throw new Error(t(($) => $.errors.signIn.emptyWindow));
    return answer;
  } finally {
    browser.windows.onCreated.removeListener(opened);
    localStorage.removeItem(WINDOW);
  }
}

type OpenedWindow = { id?: number | undefined; type?: string | undefined };

/** A window outlives the page that asked for it. Its answer is lost, and it stands in the way of the next one. */
async function closeLeftWindow(): Promise<void> {
  const id = localStorage.getItem(WINDOW);
  if (id === null) return;
  localStorage.removeItem(WINDOW);
  const left = await browser.windows.get(Number(id)).catch(() => undefined);
  // After the browser was started anew, the id may be another window's.
  if (left?.type === 'popup') await browser.windows.remove(Number(id)).catch(() => undefined);
}

/**
 * Does what shows a sign-in's window unless a page of Portside does so already: browsers have room for one. A page that
 * is closed makes room.
 * @throws AppError `sign_in_elsewhere`
 */
export async function oneSignIn<T>(job: () => Promise<T>): Promise<T> {
  return navigator.locks.request('sign-in', { ifAvailable: true }, async (lock) => {
    if (lock) return job();
    throw new AppError({ code: 'sign_in_elsewhere', ...t(($) => $.errors.signIn.elsewhere) });
  });
}
