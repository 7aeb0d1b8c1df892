import { browser } from 'wxt/browser';
import { announceIntent } from '../../../lib/broadcasts.ts';
import { openPanel } from '../../../lib/open-panel.ts';
import type { Intent } from '../../../lib/protocol/attached.ts';
import { startersOf } from '../../../lib/state/composer/starters.ts';
import { loadSettings } from '../../../lib/storage/configuration/settings.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import {
  type AskBox,
  ASK_PORT,
  type BoxAnswer,
  type BoxSaid,
  LONGEST_QUESTION,
} from '../../../lib/types/ask-box.ts';
import { directionOf } from '../../../lib/types/languages.ts';
import { STARTERS_OF } from '../../../lib/types/starter.ts';
import { language } from '../../../locales/translate.ts';
import { t } from '../../../locales/texts/worker.ts';
import type { createPages } from '../page/pages.ts';
import type { ClickedTab } from './context-menu.ts';

type AskBoxDeps = {
  pages: Pick<ReturnType<typeof createPages>, 'find' | 'call' | 'callEach'>;
  now: () => number;
};

/**
 * A small box over a page for a question about what is selected there. Off unless the user switched it on. In Firefox, whose events
 * of loading and of the mouse hand any frame to its page, in a closed shadow tree too, the question is written in the sidebar.
 */
export function createAskBox(db: Database, { pages, now }: AskBoxDeps) {
  const timestamp = (): string => new Date(now()).toISOString();

  /** Opens it, or closes the one about the same; where browsers let no extension in, nothing can be shown. */
  async function open({ id: tabId }: ClickedTab = {}): Promise<void> {
    const { askBox, starters, theme, enterSends } = await loadSettings(db);
    if (!(askBox || import.meta.env.FIREFOX) || tabId === undefined) return;
    const tab = await pages.find({ tabId });
    const found = await pages.callEach(tab, 'selected', []);
    const selected = found.find(({ text }) => text !== '');
    // Not as it is by now: it may have been led to another site.
    const { title = '', url = '' } = tab;
    const given = selected && {
      text: selected.text,
      title,
      url,
      ...(selected.isFramed && { frameUrl: selected.url }),
    };
    const part = selected ? 'selection' : 'page';
    const id = crypto.randomUUID();
    const page: Intent['page'] = { part, tabId, url: tab.url, ...(given && { given }) };
    const row = { id, windowId: tab.windowId, page, createdAt: timestamp() };
    if (import.meta.env.FIREFOX) {
      await db.put('intents', { ...row, asks: false });
      return announceIntent();
    }
    const box: AskBox = {
      id,
      quote: selected?.text ?? title,
      starters: startersOf(starters, STARTERS_OF.box),
      words: { ...t(($) => $.askBox.words), title: t(($) => $.askBox[part]) },
      language: language(),
      direction: directionOf(language()),
      theme,
      enterSends,
    };
    // Stored, since the worker may have died by the time it is asked; and what no worker opened asks nothing.
    await db.put('intents', { ...row, isDraft: true, asks: true });
    const [isOpen] = await pages.call(tab, 'openAskBox', false, [box]).catch((error: unknown) => {
      console.info('There can be no box over a page.', error);
      return [false];
    });
    if (!isOpen) await db.delete('intents', id);
  }

  /** Has the question asked as one from the context menu, or forgets it. */
  async function answered({ id, text }: BoxSaid, windowId: number): Promise<void> {
    const intent = await db.get('intents', id);
    if (!intent?.isDraft) return;
    if (text === null) return db.delete('intents', id);
    const { isDraft: _isDraft, ...asked } = intent;
    await db.put('intents', { ...asked, text, windowId, createdAt: timestamp() });
    announceIntent();
  }

  return { open, answered };
}

/** Register while the worker starts. */
export function listenForAskBoxes(answered: (said: BoxSaid, windowId: number) => Promise<void>): void {
  browser.runtime.onConnect.addListener((port) => {
    const { id, tab } = port.sender ?? {};
    if (port.name !== ASK_PORT || id !== browser.runtime.id || tab?.windowId === undefined) return;
    const { windowId } = tab;
    port.onMessage.addListener((message: unknown) => {
      const said = readSaid(message);
      if (!said) return;
      // The press in the page counts here, until something is awaited.
      const opening = said.text === null ? undefined : openPanel(windowId);
      const answer = async (): Promise<void> => {
        await answered(said, windowId);
        if (opening) port.postMessage({ isOpen: await opening } satisfies BoxAnswer);
      };
      answer().catch((error: unknown) => {
        console.error('What was to be asked could not be stored.', error);
        port.disconnect();
      });
    });
  });
}

/** Whatever took the page over. */
function readSaid(message: unknown): BoxSaid | undefined {
  const { id, text } = Object(message) as Record<string, unknown>;
  if (typeof id !== 'string') return undefined;
  if (text === null) return { id, text };
  return typeof text === 'string' && text.trim() !== ''
    ? { id, text: text.slice(0, LONGEST_QUESTION) }
    : undefined;
}
