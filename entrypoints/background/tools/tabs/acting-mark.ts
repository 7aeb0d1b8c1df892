import { browser } from 'wxt/browser';
import type { Happening } from '../../../../lib/runs/deps.ts';
import { OWN_CALLS } from '../../../../lib/protocol/chats.ts';
import { MARK_PORT } from '../../../../lib/tools/page/actions/sight.ts';
import { directionOf } from '../../../../lib/types/languages.ts';
import type { PageTab } from '../../../../lib/types/page.ts';
import type { createPages } from '../../page/pages.ts';
import { language } from '../../../../locales/translate.ts';
import { t } from '../../../../locales/texts/worker.ts';

/** Milliseconds in which a tab takes its mark: what is done there waits for that. */
const SHOWN_MS = 1_000;

/** The port of a tab's mark, which goes with it. */
type MarkPort = { tabId: number; close: () => void };

type ActingDeps = {
  pages: Pick<ReturnType<typeof createPages>, 'call'>;
  /** The user stopped what a chat does. */
  stop: (conversationId: string) => void;
};

/** The marks of tabs in which runs act: each is there while its run works. */
export function createActing({ pages, stop }: ActingDeps) {
  const chats = new Map<number, Set<string>>();
  const ports = new Map<number, MarkPort>();

  /** Marks a tab, once in each of its documents. One that takes no mark is acted on all the same. */
  async function show(tab: PageTab, conversationId: string): Promise<void> {
    if (conversationId === OWN_CALLS) return; // the user tries it, and no run acts
    chats.set(tab.id, new Set([...(chats.get(tab.id) ?? []), conversationId]));
    const words = {
      label: t(($) => $.acting.label),
      stop: t(($) => $.acting.stop),
      direction: directionOf(language()),
    };
    await pages
      .call(tab, 'showMark', false, [words], SHOWN_MS)
      .catch((error: unknown) => console.debug('A tab took no mark.', error));
  }

  function ended(conversationId: string): void {
    for (const [tabId, acting] of chats) {
      acting.delete(conversationId);
      if (acting.size > 0) continue;
      chats.delete(tabId);
      ports.get(tabId)?.close();
    }
  }

  return {
    show,
    /** A run that ended or waits for the user acts nowhere. */
    runEvent: (conversationId: string, { type }: Happening): void => {
      if (type === 'run_end' || type === 'approval_required') ended(conversationId);
    },
    opened(port: MarkPort): void {
      if (!chats.has(port.tabId)) return port.close();
      ports.get(port.tabId)?.close();
      ports.set(port.tabId, port);
    },
    gone(port: MarkPort): void {
      if (ports.get(port.tabId) === port) ports.delete(port.tabId);
    },
    stopped: ({ tabId }: MarkPort): void => chats.get(tabId)?.forEach(stop),
    /** Does something while a tab's mark is out of sight. */
    async unmarked<T>(tab: PageTab, work: () => Promise<T>): Promise<T> {
      if (!ports.has(tab.id)) return work();
      const hide = (isHidden: boolean) =>
        pages
          .call(tab, 'hideMark', false, [isHidden], SHOWN_MS)
          .catch((error: unknown) => console.debug(error));
      await hide(true);
      return work().finally(() => void hide(false));
    },
  };
}

/** Register while the worker starts. */
export function listenForMarks(told: (how: 'opened' | 'gone' | 'stopped', port: MarkPort) => void): void {
  browser.runtime.onConnect.addListener((port) => {
    const tabId = port.sender?.tab?.id;
    if (port.name !== MARK_PORT || port.sender?.id !== browser.runtime.id || tabId === undefined) return;
    const mark = { tabId, close: () => port.disconnect() };
    // A mark asks for nothing else, whatever took its page over.
    port.onMessage.addListener(() => told('stopped', mark));
    port.onDisconnect.addListener(() => told('gone', mark));
    told('opened', mark);
  });
}
