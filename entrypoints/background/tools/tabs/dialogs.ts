import { browser } from 'wxt/browser';
import type { Happening } from '../../../../lib/runs/deps.ts';
import {
  type Dialog,
  WATCH_PORT,
  type DialogAnswer,
  leaveFreely,
  overridePage,
} from '../../../../lib/tools/page/actions/page-override.ts';
import { FRAME_MS } from '../../../../lib/tools/page/actions/served-frames.ts';
import { quoted } from '../../../../lib/tools/own/own-tool.ts';
import type { PageTab } from '../../../../lib/types/page.ts';
import type { createPages } from '../../page/pages.ts';

/** Characters of what a dialog says, and dialogs of one action, that are told. */
const MOST_MESSAGE = 1_000;
const MOST_TOLD = 10;

/** Milliseconds in which a tab goes where it is led. */
const LEFT_MS = 10_000;

/** What a chat may answer in a document. It is gone with the next question there, the document, or the run. */
type Wanted = DialogAnswer & { document: number };

type Port = Parameters<Parameters<typeof browser.runtime.onConnect.addListener>[0]>[0];

/** The dialogs that pages open while a run acts in them (`alert`, `confirm`, `prompt`), and how they are answered. */
export function createDialogs(pages: Pick<ReturnType<typeof createPages>, 'call' | 'runInMain'>) {
  /** By chat and tab. */
  const wanted = new Map<string, Wanted>();
  const keyOf = (conversationId: string, { id }: PageTab): string => `${conversationId} ${id}`;

  /**
   * Has the next `confirm` or `prompt` of the document in a tab answered so, should an action of the chat open it.
   * @param document the one that is meant, where that is told
   * @returns whether it is there
   */
  async function answerNext(
    conversationId: string,
    tab: PageTab,
    answer: DialogAnswer,
    document?: number,
  ): Promise<boolean> {
    const [now] = await pages.call(tab, 'identity');
    if (!now || now.id !== (document ?? now.id)) return false;
    wanted.set(keyOf(conversationId, tab), { ...answer, document: now.id });
    return true;
  }

  /** Null for none, and once another document is there. */
  async function answerFor(conversationId: string, tab: PageTab): Promise<DialogAnswer | null> {
    const key = keyOf(conversationId, tab);
    const said = wanted.get(key);
    if (!said) return null;
    const { document, ...answer } = said;
    const [now] = await pages.call(tab, 'identity');
    if (now?.id === document) return answer;
    wanted.delete(key);
    return null;
  }

  /**
   * Is told by the documents of a tab that `mark` is called in with that id what dialogs they open, until it ends.
   * @returns `opened`: so far
   */
  function watch(id: string, conversationId: string, tab: PageTab) {
    const opened: Dialog[] = [];
    const ports = new Set<Port>();
    const tellAnswered = (): void => {
      for (const port of ports) port.postMessage('answered');
    };
    const connected = (port: Port): void => {
      const { name, sender } = port;
      if (name !== WATCH_PORT + id || sender?.id !== browser.runtime.id || sender.tab?.id !== tab.id) return;
      ports.add(port);
      port.onMessage.addListener((dialog: Dialog | 'frame') => {
        if (dialog === 'frame')
          return void setTimeout(() => ports.has(port) && port.postMessage('frame'), FRAME_MS);
        if (opened.length < MOST_TOLD) opened.push(dialog);
        if (!dialog.isWanted) return;
        wanted.delete(keyOf(conversationId, tab));
        tellAnswered();
      });
      port.onDisconnect.addListener(() => ports.delete(port));
    };
    browser.runtime.onConnect.addListener(connected);
    return {
      opened,
      /** A tab in which that fails is acted on all the same: its dialogs stop it. */
      override: () =>
        pages
          .runInMain(tab, overridePage, [id])
          .catch((error: unknown) => console.debug('A tab keeps its dialogs.', error)),
      end(): void {
        browser.runtime.onConnect.removeListener(connected);
        for (const port of ports) port.disconnect();
      },
    };
  }

  return {
    answerNext,
    answerFor,
    watch,
    /** Has the tab left without the browser's question about it, where its page would have that asked. */
    leaveFreely: (tab: PageTab) =>
      pages
        .runInMain(tab, leaveFreely, [LEFT_MS])
        .catch((error: unknown) => console.debug('A tab keeps its question.', error)),
    /** What the user allowed was for this run. */
    runEvent(conversationId: string, { type }: Happening): void {
      if (type !== 'run_end') return;
      for (const key of wanted.keys()) if (key.startsWith(`${conversationId} `)) wanted.delete(key);
    },
  };
}

/** Whether an action came to nothing since the page asked first, and nothing said how to answer. */
export const isHeldUp = (dialogs: Dialog[]): boolean =>
  dialogs.some(({ kind, isWanted }) => !/^(alert|file|print)$/.test(kind) && !isWanted);

/** A line on each of the dialogs, which are answered by now, in the page's words. */
export function dialogLines(dialogs: Dialog[]): string[] {
  const lines = dialogs.map(({ kind, message, preset, answer, isWanted }) => {
    const said = quoted(message, MOST_MESSAGE);
    if (kind === 'download')
      return `The page began to download a file${message === '' ? '' : ` (${said})`}, of which the user was not asked: it was stopped. Do it again: they are asked then.`;
    if (kind === 'print') return PRINT;
    if (kind === 'file') return FILE;
    if (kind === 'alert') return `The page showed an alert, which was closed: ${said}`;
    const asked = `The page asked (${kind}): ${said}.`;
    if (!isWanted) return `${asked} It was answered with Cancel.`;
    const given =
      kind === 'prompt' && answer.accept
        ? `${quoted(answer.text ?? preset)} and OK`
        : answer.accept
          ? 'OK'
          : 'Cancel';
    return `${asked} It was answered with ${given}, as handle_dialog said.`;
  });
  const isAsked = isHeldUp(dialogs.filter(({ kind }) => kind !== 'download'));
  return [...lines, ...(isAsked ? [CANCELLED] : [])];
}

const PRINT =
  'The page asked the browser to print it: the dialog for that waits for the user, and the page with it.';
const FILE =
  'The page asked the user for a file, in a picker that only their own press opens: call upload_file with the reference of what was pressed, or of a file field; if that takes none, use ask_user.';
const CANCELLED =
  'What waits for OK was not done. If that is what the user wants, call handle_dialog, and then do this again.';
