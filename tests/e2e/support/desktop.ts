import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { vi } from 'vitest';
import { buildExtension } from '../../../scripts/build.ts';
import { findOnPath } from '../../../scripts/setup/programs.mjs';
import { launchWatched, type WatchedBrowser } from './watched-browser.ts';

const missing = ['Xvfb', 'openbox', 'xdotool'].filter((name) => !findOnPath([name]));

/** Why tests on a desktop cannot run here, for `skipIf` and a suite's name; empty when they can. */
export const noDesktop = missing.length === 0 ? '' : ` (skipped: ${missing.join(', ')} not installed)`;
if (noDesktop !== '') console.warn(`Tests on a desktop cannot run${noDesktop}.`);

const [WIDTH, HEIGHT] = [1280, 900];
/** A menu's window is there before it takes keys. */
const LISTENS_MS = 60;
/** Of the browser's own parts: Chromium once never ended that of a panel that was closed, which then stayed, closed by no click. */
const WITHOUT_ANIMATION = '--animation-duration-scale=0';
/** Chromium ignores "Allow" for half a second after its dialog appears, and does not tell when. Tried one by one. */
const DIALOG_MS = [800, 1600, 3200, 6400];

/** A screen of its own with a window manager, on which the browser's own menus and dialogs can be used. */
export type Desktop = {
  /** Presses keys by their X names, one after another. */
  press: (...keys: string[]) => Promise<void>;
  type: (text: string) => Promise<void>;
  /**
   * Right-clicks the middle of an element, and picks the extension's entry of this number, or its only one.
   * @param below so many of the browser's own stand below: `Inspect`, and where nothing but the page is clicked its source
   */
  pickFromContextMenu: (element: Locator, entry?: number, below?: number) => Promise<void>;
  click: (x: number, y: number) => Promise<void>;
  /** Clicks the browser's newest notification, which it draws itself in the corner where no other program does. */
  clickNotification: () => Promise<void>;
  close: () => Promise<void>;
};

/** Starts Xvfb on a free display, and openbox; until `close`, `DISPLAY` names it. */
export async function startDesktop(): Promise<Desktop> {
  const { server, display } = await startScreen();
  vi.stubEnv('DISPLAY', display);
  const windowManager = spawn('openbox', [], { stdio: 'ignore' });
  const programs = [windowManager, server];
  const kill = () => programs.forEach((program) => program.kill());
  process.once('exit', kill);
  // A window that is there before its manager gets no keyboard.
  await vi.waitUntil(() => xdotool('get_num_desktops').catch(() => ''), { timeout: 30_000 });
  return {
    press: async (...keys) => void (await xdotool('key', ...keys)),
    type: async (text) => void (await xdotool('type', '--delay', '1', text)),
    pickFromContextMenu,
    click,
    clickNotification: () => click(WIDTH - 280, HEIGHT - 45),
    async close() {
      vi.unstubAllEnvs();
      process.off('exit', kill);
      for (const program of programs) await end(program);
    },
  };
}

/** A headed Chromium with the extension, on a desktop. */
export type HeadedBrowser = WatchedBrowser & {
  desktop: Desktop;
  /**
   * Does what makes the browser ask, and presses "Allow" in each of its dialogs: again, should one have missed it.
   * @param granted a permission or an origin's pattern, or what is so once it is allowed
   * @param of.dialogs that come one after another
   * @param of.after so many milliseconds at least
   */
  allow: (
    ask: () => Promise<void>,
    granted: string | (() => Promise<boolean>),
    of?: { dialogs?: number; after?: number },
  ) => Promise<void>;
  /** Does what makes the browser ask, and presses "Deny" until it is said that access was denied. */
  deny: (ask: () => Promise<void>, said: Locator) => Promise<void>;
  /** Presses the toolbar button's key; again, should the browser have missed it, which tells all of the extension's pages. */
  pressToolbarButton: () => Promise<void>;
};

/**
 * @param of.granted false: the extension as people get it, which asks for every host
 * @param of.profile kept afterwards; without it the profile is a temporary one
 */
export async function openOnDesktop({
  granted,
  ...of
}: {
  granted: boolean;
  profile?: string;
}): Promise<HeadedBrowser> {
  const extension = await buildExtension({ browser: 'chrome', granted });
  const desktop = await startDesktop();
  try {
    const browser = await launchWatched({ extension, headless: false, args: [WITHOUT_ANIMATION], ...of });
    const close = async () => {
      await browser.close();
      await desktop.close();
    };
    return { ...browser, desktop, ...answering(browser.options, desktop), close };
  } catch (error) {
    await desktop.close();
    throw error;
  }
}

function answering(
  options: Page,
  { press }: Desktop,
): Pick<HeadedBrowser, 'allow' | 'deny' | 'pressToolbarButton'> {
  const isGranted = async (name: string): Promise<boolean> => {
    const all = await options.evaluate(
      'chrome.permissions.getAll().then((all) => Object.values(all).flat())',
    );
    return (all as string[]).includes(name);
  };
  return {
    async allow(ask, granted, { dialogs = 1, after = 0 } = {}) {
      const isDone = typeof granted === 'string' ? () => isGranted(granted) : granted;
      for (const wait of DIALOG_MS) {
        await ask();
        for (let dialog = 0; dialog < dialogs; dialog += 1) {
          await setTimeout(Math.max(wait, after));
          await press('Tab', 'Return');
        }
        if (await vi.waitUntil(isDone, { timeout: 3000 }).catch(() => false)) return;
        await press('Escape');
      }
      throw new Error(`The browser did not allow ${String(granted)}.`);
    },
    async deny(ask, said) {
      await ask();
      const isSaid = async (): Promise<boolean> => {
        await press('Escape');
        return said.isVisible();
      };
      await vi.waitUntil(isSaid, { timeout: 15_000, interval: 250 });
    },
    async pressToolbarButton() {
      const count = 'globalThis.presses ??= (chrome.action.onClicked.addListener(() => presses++), 0)';
      const before = await options.evaluate(count);
      const isHeard = async () => (await options.evaluate('presses')) !== before;
      for (let tries = 0; tries < 5; tries += 1) {
        await press('alt+shift+o');
        if (await vi.waitUntil(isHeard, { timeout: 3000 }).catch(() => false)) return;
        console.warn('The browser missed the toolbar button’s key.');
      }
      throw new Error('The browser told of no press of the toolbar button.');
    },
  };
}

async function startScreen(): Promise<{ server: ChildProcess; display: string }> {
  // It chooses a free display by itself and tells its number on the descriptor named here. When its last program leaves it
  // would begin anew, and turn away one that comes meanwhile.
  const server = spawn(
    'Xvfb',
    ['-displayfd', '3', '-screen', '0', `${WIDTH}x${HEIGHT}x24`, '-nolisten', 'tcp', '-noreset'],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  );
  const failed = once(server, 'exit').then(([code]) => {
    throw new Error(`Xvfb ended with ${String(code)} before it had a display.`);
  });
  const [number] = (await Promise.race([once(server.stdio[3] as Readable, 'data'), failed])) as [Buffer];
  failed.catch(() => undefined); // From here on its end is expected.
  return { server, display: `:${number.toString().trim()}` };
}

async function xdotool(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('xdotool', args);
  return stdout.trim();
}

const click = async (x: number, y: number): Promise<void> =>
  void (await xdotool('mousemove', String(Math.round(x)), String(Math.round(y)), 'click', '1'));

/** A menu is an X window of its own, which is how its opening and closing are seen. */
async function visibleWindows(): Promise<string[]> {
  return (await xdotool('search', '--onlyvisible', '--class', '')).split('\n');
}

async function pickFromContextMenu(element: Locator, entry?: number, below = 1): Promise<void> {
  const menu = await openMenu(element);
  const up = Array.from({ length: below }, () => 'Up');
  // Where there are several, they are in a menu of their own.
  const down = Array.from({ length: entry ?? 0 }, () => 'Down');
  // A menu that begins to listen in the middle must have heard one End: the first Up goes to its last entry, Inspect.
  const ends = ['End', 'End', 'End', 'End'];
  const keys = [...ends, ...up, ...(entry === undefined ? [] : ['Right']), ...down, 'Return'];
  await setTimeout(LISTENS_MS);
  for (let tries = 0; tries < 20; tries += 1) {
    await xdotool('key', ...keys); // Again, should the menu not have listened yet.
    if (await isGone(menu)) return;
  }
  throw new Error('The menu did not close.');
}

/** The window of the menu that a right-click opens; again, should the window have been moving its parts. */
async function openMenu(element: Locator): Promise<string> {
  const before = await visibleWindows();
  for (let tries = 0; tries < 10; tries += 1) {
    const { x, y } = await element.evaluate(middleOnScreen);
    await xdotool('mousemove', String(x), String(y), 'click', '3');
    const found = async () => (await visibleWindows()).find((window) => !before.includes(window));
    const menu = await vi.waitUntil(found, { timeout: 1000, interval: 20 }).catch(() => undefined);
    if (menu !== undefined) return menu;
  }
  throw new Error('The menu did not open.');
}

/** Not too soon given up: keys that are pressed again go to the panel, if they were taken, and edit what was asked. */
const isGone = (menu: string): Promise<boolean> =>
  vi
    .waitUntil(async () => !(await visibleWindows()).includes(menu), { timeout: 3000, interval: 20 })
    .catch(() => false);

/** A browser window has its bars above the page and the panel beside it; its other edges are a few pixels wide. */
function middleOnScreen(element: Element): { x: number; y: number } {
  const { left, width, top, height } = element.getBoundingClientRect();
  const bars = window.outerHeight - window.innerHeight;
  return {
    x: Math.round(window.screenX + left + width / 2),
    y: Math.round(window.screenY + bars + top + height / 2),
  };
}

async function end(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  const ended = once(program, 'exit');
  program.kill();
  await ended;
}
