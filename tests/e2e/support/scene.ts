import type { Locator, Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { settings } from '../../../entrypoints/gallery/setups.ts';
import type { Message } from '../../../lib/types/message.ts';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { readConversation } from '../../../scripts/start/extension.ts';
import { startMcpServer, type TestMcpServer } from '../../fakes/mcp-server.ts';
import { type ModelServer, startModelServer } from '../../fakes/model-server.ts';
import type { Portside } from './browser.ts';
import { borrowPortside } from './shared-browser.ts';
import { addServer, offered, provider, server } from './inputs.ts';
import { until } from './until.ts';

export { addServer, offered, provider, server, until };

/** The panel, as a user uses it. */
export type Chat = {
  /** Types into the panel and presses Send. */
  ask: (text: string) => Promise<void>;
  /** The panel's messages as a user reads them. */
  articles: (name: 'You' | 'Assistant') => Locator;
  toolCall: (tool: string) => Locator;
  /** Opens the steps that have folded to a line each; resolves when at least one stands open. */
  unfold: () => Promise<void>;
  /** Presses Stop if it is there: at once, since the run may just end by itself. Resolves when none is live. */
  stop: () => Promise<void>;
  /** Resolves when no run is live in the panel. */
  idle: () => Promise<void>;
  /** The newest conversation as the database holds it; reading it wakes no worker. */
  stored: () => Promise<{ messages: Message[]; toolCalls: ToolCall[] }>;
};

/** A browser with Portside in it, a model server that says what the test scripts, and a real MCP server. */
export type Scene = Chat & {
  portside: Portside;
  model: ModelServer;
  mcp: TestMcpServer;
  close: () => Promise<void>;
};

/**
 * `allow`: tools that need no approval, as if the user had set them to Allow in Settings. `trusted`: the MCP server is.
 * `pictures`: actions keep small ones of their page, as they do at first; each costs as much as the action.
 */
type Options = { allow?: string[]; trusted?: boolean; pictures?: boolean };

/** @param portside in a browser of its own */
export async function openScene(options: Options = {}, portside?: Portside): Promise<Scene> {
  return sceneIn(portside ?? (await borrowPortside()), options);
}

async function sceneIn(
  portside: Portside,
  { allow = [], trusted = false, pictures = false }: Options,
  ids?: { provider: number; server: number },
): Promise<Scene> {
  const [model, mcp] = await Promise.all([startModelServer(), startMcpServer()]);
  // What a request holds is the test's alone.
  await portside.command('saveSettings', { system: '', ...(!pictures && { actionPictures: false }) });
  await portside.command('saveProvider', { ...provider(model.url), ...(ids && { id: ids.provider }) });
  const id = await addServer(portside, { ...server(mcp.url, { trusted }), ...(ids && { id: ids.server }) });
  for (const name of allow) {
    await portside.command('setTool', { serverId: id, name, permission: 'allow' });
  }
  return {
    portside,
    model,
    mcp,
    ...chatIn(portside),
    close: async () => {
      try {
        await portside.close();
      } finally {
        await Promise.all([model.close(), mcp.close()]);
      }
    },
  };
}

/**
 * A scene for each test of a file in one installation of Portside, which takes a fifth of the time: without the chats,
 * and other servers of the test before, the settings as they are at first. Call it at the file's top.
 */
export function scenes(options: Options = {}) {
  let last: Scene | undefined;
  let isSpoilt = false;
  afterAll(() => last?.close());
  return {
    /** What this test changes stays: the next one gets an installation of its own. */
    spoil: () => void (isSpoilt = true),
    async next(): Promise<Scene> {
      if (isSpoilt) await last?.close();
      if (isSpoilt || !last) {
        isSpoilt = false;
        return (last = await openScene(options));
      }
      const { portside, model, mcp } = last;
      await portside.settle();
      await portside.command('erase', { what: 'chats' });
      for (const { server: saved } of await portside.command('listServers')) {
        if (saved && saved.id !== 1) await portside.command('removeServer', { id: saved.id });
      }
      // As the page that erases chats does; its address and what was typed there go too, where one was opened.
      await portside.options.evaluate('localStorage.clear()');
      if (new URL(portside.options.url()).hash !== '') {
        await portside.options.evaluate("history.replaceState(null, '', location.pathname)");
        await portside.options.reload();
      }
      await portside.command('saveSettings', settings);
      last = await sceneIn(portside, options, { provider: 1, server: 1 });
      await Promise.all([model.close(), mcp.close()]);
      await portside.panel.getByRole('heading', { level: 1, name: 'New chat' }).waitFor();
      return last;
    },
  };
}

export function chatIn(portside: Portside): Chat {
  const stop = () => portside.panel.getByRole('button', { name: 'Stop', exact: true });
  const idle = () => stop().waitFor({ state: 'detached' });
  return {
    ask: async (text) => {
      await portside.panel.getByRole('textbox', { name: 'Message' }).fill(text);
      await portside.panel.getByRole('button', { name: 'Send', exact: true }).click();
    },
    articles: (name) => portside.panel.getByRole('article', { name }),
    toolCall: (tool) => portside.panel.getByRole('group', { name: `Tool call: ${tool}` }),
    unfold: () => unfold(portside.panel),
    stop: async () => {
      await stop().evaluateAll((buttons) => buttons.forEach((each) => (each as HTMLElement).click()));
      await idle();
    },
    idle,
    stored: async () => {
      const newest = await newestConversation(portside);
      return newest === undefined
        ? { messages: [], toolCalls: [] }
        : await readConversation(portside.options, newest);
    },
  };
}

/** The name of calls that have folded to a line. */
export const FOLDED = /^(Used \S+|\d+ steps:|\S+ · 1 denied)/;

/** Opens what has folded; waits for the first. By a key: of two clicks in one place the panel takes only the first. */
export async function unfold(panel: Page): Promise<void> {
  const folded = panel.getByRole('button', { name: FOLDED, expanded: false });
  await panel.getByRole('button', { name: FOLDED }).first().waitFor();
  for (const line of (await folded.all()).toReversed()) await line.press('Enter');
}

/** So long without traffic that a server is pinged before a non-idempotent call. */
export const shortSilence = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1500));

/** A card takes no input before: what was meant for something else would decide. */
export const GUARDED_MS = 700;

export const READ_TOOLS = 'Allow this server’s read tools for this chat';

/**
 * Presses a button of an approval or a server’s form once it takes input, and again until it is gone.
 * @returns what the card showed once it took input
 */
export async function decide(
  dialog: Locator,
  button:
    | 'Allow once'
    | 'Allow all'
    | 'Allow for this chat'
    | typeof READ_TOOLS
    | 'Always allow'
    | 'Deny'
    | `Never on this site: ${string}`
    | 'Submit'
    | 'Continue'
    | 'Keep'
    | 'No'
    | 'Decline'
    | 'Cancel',
): Promise<string> {
  await dialog.waitFor();
  await new Promise((resolve) => setTimeout(resolve, GUARDED_MS)); // each press that it ignores costs as much as one that counts
  const shown = (await dialog.textContent()) ?? '';
  await until(`the approval takes ${button}`, async () => {
    if ((await dialog.count()) === 0) return true;
    const isMore = ['Allow for this chat', READ_TOOLS, 'Always allow'].includes(button);
    const menu = isMore ? 'More ways to allow' : button.startsWith('Never') && 'More ways to deny';
    const press = async (): Promise<void> => {
      if (menu) await dialog.getByRole('button', { name: menu }).click({ timeout: 1000 });
      const role = menu ? 'menuitem' : 'button';
      await dialog.getByRole(role, { name: button, exact: true }).click({ timeout: 1000 });
    };
    await press().catch(() => undefined);
    return false;
  });
  return shown;
}

/** From the database and not by a command, which would wake the worker. */
async function newestConversation({ options }: Portside): Promise<string | undefined> {
  const newest: string | null = await options.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('portside');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const byUpdated = opening.result.transaction('conversations').objectStore('conversations').index('by-updated');
      const reading = byUpdated.openCursor(null, 'prev');
      reading.onsuccess = () => resolve(reading.result ? reading.result.value.id : null);
      reading.onerror = () => reject(reading.error);
      reading.transaction.oncomplete = () => opening.result.close();
    };
  })`);
  return newest ?? undefined;
}
