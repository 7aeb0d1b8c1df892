import type { Dialog } from 'playwright-core';
import type { Commands } from '../../lib/protocol/commands.ts';
import { launchBrowser } from '../../scripts/browser.ts';
import { buildExtension } from '../../scripts/build.ts';
import { type FirefoxWithExtension, openFirefox } from '../e2e/support/firefox.ts';

/** A page, and what is evaluated in it. */
export type ZooPage = { evaluate: (expression: string) => Promise<unknown>; close: () => Promise<void> };

/** What is asked of Portside's worker. */
export type WorkerAccess = {
  command: <K extends keyof Commands>(
    name: K,
    ...request: Parameters<Commands[K]>
  ) => Promise<ReturnType<Commands[K]>>;
  /** Answers each approval of a chat with "Allow for this chat", as a user would who knows what they want. */
  allowAll: (conversationId: string) => Promise<void>;
};

/** A browser with Portside in it. */
export type ZooBrowser = WorkerAccess & {
  /** Opens a page in the front, or behind one of `front`. */
  visit: (url: string, front: string, isBehind: boolean) => Promise<ZooPage>;
  close: () => Promise<void>;
};

type Options = Pick<ZooPage, 'evaluate'>;

export async function openChromium(): Promise<ZooBrowser> {
  const extension = await buildExtension({ browser: 'chrome', granted: true });
  const { context, options, close } = await launchBrowser({ extension, headless: true });
  return {
    ...(await throughOptions({ evaluate: (expression) => options.evaluate(expression) })),
    async visit(url, front, isBehind) {
      const page = await context.newPage();
      const dialogs: Dialog[] = [];
      page.on('dialog', (dialog) => dialogs.push(dialog)); // it stays open: the model has to deal with it
      await page.goto(url, { waitUntil: 'load' });
      if (isBehind) await (await context.newPage()).goto(front);
      return {
        evaluate: (expression) => page.evaluate(expression),
        close: async () => {
          await Promise.all(dialogs.map((dialog) => dialog.dismiss().catch(() => undefined)));
          const others = context.pages().filter((each) => each !== options);
          await Promise.all(others.map((each) => each.close()));
        },
      };
    },
    close,
  };
}

/** @param running is used and left open; without it there is a Firefox of its own */
export async function openZooFirefox(running?: FirefoxWithExtension): Promise<ZooBrowser> {
  const { open, visit, close } = running ?? (await openFirefox());
  const options = await open('options.html');
  return {
    ...(await throughOptions({ evaluate: (expression) => options.evaluate(expression) })),
    async visit(url, front, isBehind) {
      const page = await visit(url);
      const before = isBehind ? await visit(front) : page;
      await before.bringToFront();
      return {
        evaluate: (expression) => page.evaluate(expression),
        close: async () => {
          await page.close();
          if (isBehind) await before.close();
        },
      };
    },
    close: running ? () => options.close() : close,
  };
}

/** What is asked of the worker, by the extension's own options page. */
export async function throughOptions(options: Options): Promise<WorkerAccess> {
  await options.evaluate(ALLOW);
  return {
    async command(name, ...[request]) {
      const envelope = JSON.stringify({ command: name, request });
      const answer = (await options.evaluate(
        `(globalThis.browser ?? chrome).runtime.sendMessage(${envelope})`,
      )) as
        | { ok: true; reply: ReturnType<Commands[typeof name]> }
        | { ok: false; error: { message: string } };
      if (!answer.ok) throw new Error(answer.error.message);
      return answer.reply;
    },
    allowAll: async (conversationId) =>
      void (await options.evaluate(`zooAllow(${JSON.stringify(conversationId)})`)),
  };
}

/** Subscribes to a chat, and answers what waits in it for the user. */
const ALLOW = `{
  const { runtime } = globalThis.browser ?? chrome;
  const asked = new Set();
  const allow = (events) => {
    for (const { rows, snapshot } of events)
      for (const { callId, wait } of (rows ?? snapshot)?.toolCalls ?? []) {
        if (wait === undefined || asked.has(callId)) continue;
        asked.add(callId);
        runtime.sendMessage({ command: 'resolveCall', request: { callId, decision: 'allow', scope: 'chat' } });
      }
  };
  let port;
  globalThis.zooAllow = (conversationId) => {
    port?.disconnect(); // a worker that was idle has ended, and its ports
    port = runtime.connect({ name: 'events' });
    port.onMessage.addListener(allow);
    port.postMessage({ type: 'subscribe', subscription: 1, conversationId });
  };
}`;
