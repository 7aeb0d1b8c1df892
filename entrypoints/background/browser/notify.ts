import { browser } from 'wxt/browser';
import { createSerial } from '../../../lib/async.ts';
import type { Happening } from '../../../lib/runs/deps.ts';
import { givenName, plainName, visible } from '../../../lib/state/shown-text.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { withoutCache } from '../../../lib/storage/configuration/cache.ts';
import { loadSetting } from '../../../lib/storage/configuration/settings.ts';
import { OWN_NAME } from '../../../lib/types/tools/tool-source.ts';
import { t } from '../../../locales/texts/worker.ts';
import type { Place } from '../../../lib/protocol/panel.ts';
import { openPanel } from '../../../lib/open-panel.ts';

/** A notification's id is this and the chat's. */
export const PREFIX = 'chat:';
/** Characters of a message. */
const MOST = 140;

/** `key`: what it is about; null: there is nothing to tell any more. */
type Notice = { key: string; text: string } | null;

/**
 * Has the browser notify the user of chats that no panel shows and that need an answer, or have one. One a chat.
 * @param isSeen whether a visible panel shows the chat
 */
export function createNotify(db: Database, isSeen: (conversationId: string) => boolean) {
  const serial = createSerial();
  /** One after another, so that the last notice is the one that stays. */
  const inOrder = (task: () => Promise<void>): Promise<void> =>
    serial(task).catch((error: unknown) => console.warn('A notification went wrong.', error));

  async function tell(id: string, { key, text }: { key: string; text: string }): Promise<void> {
    const chat = await db.get('conversations', id);
    if (!chat || chat.deletedAt !== undefined || isSeen(id)) return;
    if ((await putNotified(db, id, key)) === key) return;
    await browser.notifications.create(PREFIX + id, {
      type: 'basic',
      iconUrl: browser.runtime.getURL('/icons/128.png'),
      title: visible(chat.title) || t(($) => $.notification.untitled),
      message: visible(text),
    });
  }

  async function clear(id: string): Promise<void> {
    if ((await putNotified(db, id, undefined)) !== undefined) await notificationsOf()?.clear(PREFIX + id);
  }

  /** Something happened in this chat. */
  function runEvent(id: string, event: Happening): Promise<void> {
    if (!isNotable(event) || notificationsOf() === undefined) return Promise.resolve();
    return inOrder(async () => {
      if (!(await loadSetting(db, 'notify'))) return;
      const notice = await noticeOf(db, id, event);
      await (notice ? tell(id, notice) : clear(id));
    });
  }

  const gone = (ids: string[]): Promise<void> =>
    inOrder(async () => {
      for (const id of ids) await clear(id);
    });

  return { runEvent, gone, seen: (id: string) => inOrder(() => clear(id)) };
}

/** Absent as long as the user did not let Portside notify. */
export const notificationsOf = (): typeof browser.notifications | undefined => browser.notifications;

const NOTABLE = new Set<string>(['server_request', 'approval_required', 'approval_resolved', 'run_end']);
const isNotable = ({ type }: Happening): boolean => NOTABLE.has(type);

async function noticeOf(db: Database, id: string, happened: Happening): Promise<Notice> {
  if (happened.type === 'server_request')
    return {
      key: happened.request.id,
      text: t(($) => $.notification.asks, { server: givenName(happened.request.serverName) }),
    };
  if (happened.type === 'approval_required') {
    const { callId, wait, toolName, serverId } = happened;
    const { name = '' } = (serverId === null ? undefined : await db.get('servers', serverId)) ?? {};
    const [tool, server] = [plainName(toolName), givenName(name)];
    if (wait === 'hand_over')
      return { key: callId, text: t(($) => $.notification.asks, { server: server || OWN_NAME }) };
    const text =
      wait === 'unknown'
        ? t(($) => $.notification.unknown, { tool })
        : t(($) => $.notification.asksToRun, { tool, server: server || 'none' });
    return { key: `${callId} ${wait}`, text };
  }
  if (happened.type !== 'run_end' || happened.reason === 'cancelled') return null;
  return { key: happened.runId, text: await endOf(db, id, happened) };
}

type RunEnd = { reason: string; error?: { message: string } };

async function endOf(db: Database, id: string, { reason, error }: RunEnd): Promise<string> {
  if (reason === 'limit') return t(($) => $.notification.limit);
  if (reason !== 'done') return error?.message ?? t(($) => $.notification.stopped);
  const chat = await db.get('conversations', id);
  const answer = chat?.leafId ? await db.get('messages', chat.leafId) : undefined;
  return firstWords(answer?.content ?? '') || t(($) => $.notification.empty);
}

/** How a text in markdown begins, without its marks. */
export function firstWords(markdown: string): string {
  const plain = markdown
    .slice(0, 10 * MOST)
    // oxlint-disable-next-line portside/linear-regex -- cut above
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    // oxlint-disable-next-line portside/linear-regex -- cut above
    .replaceAll(/^\s*(?:#{1,6}|>|[-*+]|\|)\s+|^\s*```.*$|\s\|\s/gm, ' ')
    .replaceAll(/[*`]+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (plain.length <= MOST) return plain;
  const cut = plain.slice(0, MOST - 1);
  return `${cut.slice(0, cut.lastIndexOf(' ') + 1 || cut.length).trim()}…`;
}

/**
 * A click on a notification shows its chat. Register while the worker starts.
 * @param turnTo has the chat shown by the panel that stands there, or by the next one that does
 */
export function listenForNotificationClicks(
  turnTo: (place: Place, conversationId: string) => Promise<void>,
): void {
  function clicked(id: string): void {
    if (!id.startsWith(PREFIX)) return;
    // Where it does not open, the window comes to the front all the same, and its panel shows the chat once it is opened.
    openPanel();
    show(id).catch((error: unknown) => console.warn('The chat was not shown.', error));
  }

  async function show(id: string): Promise<void> {
    const { id: windowId } = await browser.windows.getLastFocused();
    if (windowId === undefined) return;
    const [tab] = await browser.tabs.query({ active: true, windowId });
    await turnTo({ windowId, ...(tab?.id !== undefined && { tabId: tab.id }) }, id.slice(PREFIX.length));
    await browser.windows.update(windowId, { focused: true });
    await notificationsOf()?.clear(id);
  }

  // There are none before the user has allowed them.
  const listen = (): void => notificationsOf()?.onClicked.addListener(clicked);
  listen();
  browser.permissions.onAdded.addListener(listen);
}

const KEY = 'notified';

/** By conversation: what its notification was last about. Kept, so that a worker that starts anew tells nothing twice. */
type Notified = Record<string, string>;

/**
 * Writes nothing where it is about that already, as of most chats that are looked at, and of each one that begins.
 * @returns what the conversation's notification was about before
 */
async function putNotified(db: Database, id: string, about: string | undefined): Promise<string | undefined> {
  const rows = withoutCache(db);
  if (((await rows.get('settings', KEY)) as Notified | undefined)?.[id] === about) return about;
  const tx = rows.transaction('settings', 'readwrite');
  const { [id]: before, ...others } = ((await tx.store.get(KEY)) ?? {}) as Notified;
  if (before !== about) await tx.store.put(about === undefined ? others : { ...others, [id]: about }, KEY);
  await tx.done;
  return before;
}
