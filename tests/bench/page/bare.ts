import '../../../components/ui/tokens.css';
import '../../../components/ui/base.css';
import '../../../components/panel.css';
import '../../../components/chat/message/message.css';
import '../../../components/markdown/markdown.css';
import { startDrawing } from '../../../components/markdown/streaming.ts';
import { openDatabase } from '../../../lib/storage/database.ts';
import { messageRow } from '../../../lib/storage/search/index.ts';
import { searchTexts } from '../../../lib/storage/search/query.ts';
import { chatOf } from './rows.ts';

declare const chrome: { runtime: { sendMessage: (message: object) => Promise<unknown> } };

let asking = new AbortController();

/** What the panel is compared with, and what puts large chats into the extension's databases. */
const bare = {
  /** Asks when Enter is pressed, as plainly as a page can; by the worker if it is to be written down first (floor.js). */
  askOnEnter(url: string, by: 'page' | 'worker'): void {
    const field = document.querySelector('textarea');
    const body = JSON.stringify({
      model: 'bench',
      stream: true,
      messages: [{ role: 'user', content: 'Go' }],
    });
    const onKeyDown = ({ key }: KeyboardEvent): void => {
      if (key !== 'Enter') return;
      if (by === 'page') void fetch(url, { method: 'POST', body });
      else void chrome.runtime.sendMessage({ floor: url, body });
    };
    asking.abort();
    asking = new AbortController();
    field?.addEventListener('keydown', onKeyDown, { signal: asking.signal });
    field?.focus();
  },
  /** Appends what comes to a text node. */
  async append(url: string): Promise<number> {
    const text = document.createTextNode('');
    document.querySelector('pre')?.replaceChildren(text);
    const { body } = await fetch(url, { method: 'POST' });
    for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) text.appendData(piece);
    return text.length;
  },
  /** Draws a finished answer at once. */
  async draw(text: string): Promise<void> {
    const drawing = startDrawing(document.getElementById('app') ?? document.body);
    drawing.grow(text);
    drawing.end();
    await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
  },
  /** A chat of so many messages, the last at `at`. @param name of the database */
  async fill(name: string, id: string, count: number, at: number, searched: boolean): Promise<void> {
    const db = await openDatabase(name);
    const { conversation, messages } = chatOf(id, count, at);
    const stores = ['messages', 'texts'] as const;
    for (let from = 0; from < count; from += 2000) {
      const tx = db.transaction(stores, 'readwrite', { durability: 'relaxed' });
      for (const message of messages(from, Math.min(count, from + 2000))) {
        void tx.objectStore('messages').put(message);
        if (searched) void tx.objectStore('texts').put(messageRow(message));
      }
      await tx.done;
    }
    await db.put('conversations', conversation);
    db.close();
  },
  /** @returns milliseconds of each round of one search, and how many hits it had */
  async search(name: string, text: string, rounds: number): Promise<{ ms: number[]; hits: number }> {
    const db = await openDatabase(name);
    const ms: number[] = [];
    let hits = 0;
    for (let round = 0; round < rounds; round++) {
      const begin = performance.now();
      hits = (await searchTexts(db, { text })).hits.length;
      ms.push(performance.now() - begin);
    }
    db.close();
    return { ms, hits };
  },
};

export type Bare = typeof bare;
Object.assign(window, { bare });
