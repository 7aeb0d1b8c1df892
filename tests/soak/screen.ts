import type { BarePage } from '../e2e/bare-browser.ts';
import type { Message } from '../../lib/types/message.ts';
import type { Run } from '../../lib/types/run.ts';
import type { Conversation } from '../../lib/types/setup.ts';
import type { ToolCall } from '../../lib/types/tool.ts';

/** A turn as the panel's log shows it, with its calls' tools and states. */
export type Turn = { name: string; text: string; calls: string[] };

export type Stored = {
  conversations: Conversation[];
  messages: Message[];
  runs: Run[];
  toolCalls: ToolCall[];
};

/** What the user can read in a panel, the steps that were folded into a line opened. */
export const transcriptOf = (panel: BarePage): Promise<Turn[]> =>
  panel.evaluate(`(async () => {
    for (const line of document.querySelectorAll('article .line[aria-expanded=false]')) line.click();
    await new Promise((drawn) => setTimeout(drawn));
    return [...document.querySelectorAll('article')].map((article) => ({
    name: article.getAttribute('aria-label'),
    text: article.innerText,
    calls: [...article.querySelectorAll('.tool[data-status]')].map((card) =>
      card.getAttribute('aria-label').split(' ').at(-1) + ' ' + card.dataset.status),
    }));
  })()`);

/** Types a text into the composer and presses Send. False when there is nothing that can be pressed. */
export const send = (panel: BarePage, text: string): Promise<boolean> =>
  panel.evaluate(`(async () => {
    const field = document.querySelector('textarea[aria-label="Message"]');
    field.focus();
    const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set;
    set.call(field, ${JSON.stringify(text)});
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await new Promise((drawn) => setTimeout(drawn));
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
      const names = ['conversations', 'messages', 'runs', 'toolCalls'];
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
    if (role === 'user') turns.push({ name: 'You', text: content, calls: [] });
    if (role !== 'assistant') continue;
    const calls = toolCalls
      .filter((call) => call.messageId === messageId)
      .toSorted((a, b) => a.position - b.position)
      .map(({ toolName, status }) => `${toolName} ${status}`);
    const last = turns.at(-1);
    if (last?.name !== 'Assistant') turns.push({ name: 'Assistant', text: content, calls });
    else {
      last.text += content;
      last.calls.push(...calls);
    }
  }
  return turns;
}

const isOnceIn = (text: string, part: string): boolean => part === '' || text.split(part).length === 2;

/** How the screen differs from what is stored; undefined when it does not. */
export function differenceOf(shown: Turn[], stored: Turn[]): string | undefined {
  const isSame =
    shown.length === stored.length &&
    shown.every(
      ({ name, text, calls }, at) =>
        name === stored[at]?.name &&
        isOnceIn(text, stored[at].text.trim()) &&
        calls.join() === stored[at].calls.join(),
    );
  if (isSame) return undefined;
  const short = (turns: Turn[]) =>
    turns.map(({ name, text, calls }) => `${name}: ${text.slice(0, 60)} [${calls.join()}]`).join(' | ');
  return `shown "${short(shown).slice(0, 300)}", stored "${short(stored).slice(0, 300)}"`;
}
