import type { Database } from '../../lib/storage/schema.ts';
import { createPanel, type Panel } from '../../lib/state/panel.ts';
import type { WorkerLink } from '../../lib/state/panel-port.ts';

export type Page = { link: WorkerLink; close: () => void };

/** A question that was sent; `isLeft`: its panel closed before it knew what became of it. */
type Asked = { text: string; panel: Panel; window: number; isLeft?: true };

/** Two browser windows, each with a panel that may be open or closed, and what the user did in them. */
export function createUser(db: Database, openPage: (window: number) => Page, newId: () => string) {
  const windows = new Map<number, { panel: Panel; page: Page; paint: () => void }>();
  const asked: Asked[] = [];
  const kept = new Map<string, string>();
  /** The pages' own storage. */
  const store = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  /** By window: the question whose chat has to be shown there; undefined where another one was turned to since. */
  const expected = new Map<number, string | undefined>();

  function open(window: number): void {
    if (windows.has(window)) return;
    const paints: (() => void)[] = [];
    const page = openPage(window);
    const panel = createPanel(page.link, {
      newId,
      ownWindow: async () => window,
      nextFrame: (paint) => void paints.push(paint),
      store,
    });
    windows.set(window, { panel, page, paint: () => paints.splice(0).forEach((each) => each()) });
    panel.start({ windowId: window });
  }

  function close(window: number): void {
    const { page, panel } = windows.get(window) ?? {};
    const last = asked.findLast((each) => each.panel === panel);
    if (last && panel?.starting.value) last.isLeft = true;
    page?.close();
    windows.delete(window);
  }

  function ask(window: number, isNew: boolean): void {
    open(window);
    const { panel } = windows.get(window) ?? {};
    if (!panel || panel.starting.value) return;
    // What could not be sent is in the composer still: it is sent again, in the chat that it was typed in. The draft of a
    // new chat that another window is about to send is typed over.
    const unsent = asked.find((each) => each.window === window && each.text === panel.text.value)?.text;
    if (isNew && unsent === undefined) panel.show(null);
    const text = unsent ?? `Question ${asked.length + 1}`;
    if (unsent === undefined) asked.push({ text, panel, window });
    expected.set(window, text);
    panel.type(text);
    void panel.send();
  }

  async function turnTo(window: number, to: number): Promise<void> {
    const chats = await db.getAll('conversations');
    const chat = chats[to % Math.max(1, chats.length)];
    const there = windows.get(window);
    if (!chat || !there) return;
    there.panel.show(chat);
    expected.delete(window);
  }

  return {
    windows,
    kept,
    asked,
    expected,
    open,
    close,
    ask,
    turnTo,
    turnToNew(window: number): void {
      windows.get(window)?.panel.show(null);
      expected.delete(window);
    },
    isRunning: (): boolean => [...windows.values()].some(({ panel }) => panel.live.value),
    stop: (window: number): void => void windows.get(window)?.panel.stop(),
  };
}
