import type { BarePage } from '../e2e/support/bare-browser.ts';
import type { Message } from '../../lib/types/message.ts';
import type { Run } from '../../lib/types/run.ts';
import type { Conversation } from '../../lib/types/conversation.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import type { Question } from './plan.ts';

/**
 * A turn as the panel's log shows it, under its first message's id: the text of each of its messages that has one, and its
 * calls' tools and states.
 */
export type Turn = { id: string; name: string; texts: string[]; calls: string[] };

export type Stored = {
  conversations: Conversation[];
  messages: Message[];
  runs: Run[];
  toolCalls: ToolCall[];
  /** Texts. */
  drafts: string[];
};

export const OPEN: ReadonlySet<ToolCall['status']> = new Set(['pending', 'approved', 'running']);

/** What the user can read in a panel, the steps that were folded into a line opened. */
export const transcriptOf = (panel: BarePage): Promise<Turn[]> =>
  panel.evaluate(`(async () => {
    for (const line of document.querySelectorAll('article .line[aria-expanded=false]')) line.click();
    await new Promise((drawn) => setTimeout(drawn));
    return [...document.querySelectorAll('article[data-turn]')].map((article) => ({
      id: article.dataset.turn,
      name: article.getAttribute('aria-label'),
      // What is off screen is not drawn: it has no innerText.
      texts: [...article.querySelectorAll(':scope > .prose, .bubble > .plain')]
        .filter((text) => text.checkVisibility())
        .map((text) => text.textContent.trim()),
      calls: [...article.querySelectorAll('.tool[data-status]')].map((card) =>
        card.getAttribute('aria-label').split(' ').at(-1) + ' ' + card.dataset.status),
    }));
  })()`);

/** Types a question into the composer and presses Send. False when there is nothing that can be pressed. */
export const send = (panel: BarePage, { text, typedMs }: Question): Promise<boolean> =>
  panel.evaluate(`(async () => {
    const field = document.querySelector('textarea[aria-label="Message"]');
    field.focus();
    const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set;
    set.call(field, ${JSON.stringify(text)});
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await new Promise((drawn) => setTimeout(drawn, ${typedMs}));
    const button = [...document.querySelectorAll('button')].find((each) => each.getAttribute('aria-label') === 'Send');
    if (!button || button.disabled) return false;
    button.click();
    return true;
  })()`);

/** Presses the first button of this name, if there is one that can be pressed. */
export const press = (panel: BarePage, name: string): Promise<boolean> =>
  panel.evaluate(`(() => {
    const button = [...document.querySelectorAll('button')].find((each) =>
      !each.disabled && (each.getAttribute('aria-label') ?? each.textContent.trim()) === ${JSON.stringify(name)});
    button?.click();
    return Boolean(button);
  })()`);

/** What is in the composer, where sending it has failed. */
export const unsent = (panel: BarePage): Promise<string> =>
  panel.evaluate(`document.querySelector('[role=alert]') === null
    ? ''
    : document.querySelector('textarea[aria-label="Message"]').value`);

/** All that can be read in a panel, and what is in its composer. */
export const wordsOf = (panel: BarePage): Promise<string[]> =>
  panel.evaluate(
    `[document.body.innerText, document.querySelector('textarea[aria-label="Message"]')?.value ?? '']`,
  );

/** What the database holds; reading it wakes no worker. */
export const readStored = (page: BarePage): Promise<Stored> =>
  page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('portside');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const names = ['conversations', 'messages', 'runs', 'toolCalls', 'drafts'];
      const reading = opening.result.transaction(names);
      const rows = names.map((name) => [name, reading.objectStore(name).getAll()]);
      reading.oncomplete = () => {
        opening.result.close();
        resolve(Object.fromEntries(rows.map(([name, { result }]) => [name, result])));
      };
      reading.onerror = () => reject(reading.error);
    };
  })`);

/** The turns that a panel that shows this conversation has to show, oldest first. */
export function turnsOf({ messages, toolCalls }: Stored, { id, leafId }: Conversation): Turn[] {
  const own = new Map(messages.filter((each) => each.conversationId === id).map((each) => [each.id, each]));
  const path: Message[] = [];
  for (let at = leafId; at !== null; at = own.get(at)?.parentId ?? null) {
    const message = own.get(at);
    if (!message) break;
    path.unshift(message);
  }
  const turns: Turn[] = [];
  for (const { id: messageId, role, content } of path) {
    if (role !== 'user' && role !== 'assistant') continue;
    const texts = content.trim() === '' ? [] : [content.trim()];
    const calls = toolCalls
      .filter((call) => call.messageId === messageId)
      .toSorted((a, b) => a.position - b.position)
      .map((call) => `${call.toolName} ${shownStatus(call)}`);
    const last = turns.at(-1);
    if (role === 'assistant' && last?.name === 'Assistant') {
      last.texts.push(...texts);
      last.calls.push(...calls);
    } else turns.push({ id: messageId, name: role === 'user' ? 'You' : 'Assistant', texts, calls });
  }
  return turns;
}

/** Where nothing is live, a call that was not made and waits for no approval is cancelled to the user. */
const shownStatus = ({ status, wait }: ToolCall): string =>
  OPEN.has(status) && !wait ? 'cancelled' : status;

/** How the screen differs from what is stored; undefined when it does not. */
export function differenceOf(shown: Turn[], stored: Turn[]): string | undefined {
  const told = (turns: Turn[]) =>
    turns.map(({ id, name, texts, calls }) => `${name} ${id}: ${JSON.stringify(texts)} [${calls.join()}]`);
  const [here, there] = [told(shown), told(stored)];
  const at = Math.max(here.length, there.length);
  const first = Array.from({ length: at }, (_, index) => index).find((index) => here[index] !== there[index]);
  return first === undefined
    ? undefined
    : `turn ${first + 1} of ${at}: shown ${here[first] ?? 'nothing'}, stored ${there[first] ?? 'nothing'}`;
}
