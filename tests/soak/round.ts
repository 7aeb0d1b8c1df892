import { setTimeout as sleep } from 'node:timers/promises';
import type { BareBrowser, BarePage } from '../e2e/support/bare-browser.ts';
import type { Run } from '../../lib/types/run.ts';
import { screenDiffers, until, type Violation, wrongIn } from './oracle.ts';
import type { Fault, Question } from './plan.ts';
import { press, readStored, send, type Stored, unsent, wordsOf } from './screen.ts';
import type { Servers } from './servers.ts';

export type Scene = Servers & {
  browser: BareBrowser;
  /** A page that reads the database. */
  reader: BarePage;
  panel: BarePage;
};

export type Outcome = {
  done: Partial<Record<Fault | 'sent again' | 'unfinished run', number>>;
  violations: Violation[];
};

/** A run goes on while its request is made again; a worker that died is woken by an alarm half a minute later at the latest. */
const ENDS_MS = 75_000;
const OPENS_MS = 20_000;
const GLANCE_MS = 40;
const QUOTA_MS = 700;

const PANEL = 'sidepanel.html';

/** The wall clock of a page or a worker goes on an hour later. */
const jump = `{
  const Before = Date;
  globalThis.Date = class Date extends Before {
    constructor(...of) {
      if (of.length > 0) super(...of);
      else super(Date.now());
    }
    static now() {
      return Before.now() + 3_600_000;
    }
  };
}`;

/**
 * Plays a round in a chat of its own, and says what was wrong after each of its questions.
 * @param sent is called after each Send: there a test brings in what is to be found
 */
export async function playRound(
  scene: Scene,
  questions: Question[],
  sent: (scene: Scene) => Promise<void> = async () => {},
): Promise<Outcome> {
  const outcome: Outcome = { done: {}, violations: [] };
  const others: BarePage[] = [];
  const count = (what: keyof Outcome['done']): void =>
    void (outcome.done[what] = (outcome.done[what] ?? 0) + 1);
  await press(scene.panel, 'New chat');
  for (const question of questions) {
    await until(() => send(scene.panel, question), ENDS_MS);
    const sentAt = Date.now();
    await sent(scene);
    const faults = (async () => {
      for (const { fault, atMs } of question.faults) {
        await sleep(Math.max(0, sentAt + atMs - Date.now()));
        if (await inflict(scene, fault, others)) count(fault);
      }
    })();
    const wrong = await untilQuiet(scene, question.text, () => count('sent again'), faults);
    if (wrong) outcome.violations.push(wrong);
    outcome.violations.push(...(await wrongOnScreens(scene, question, others)));
  }
  const stored = await readStored(scene.reader);
  outcome.violations.push(
    ...wrongIn(
      stored,
      questions.map((question) => withEffects(scene, question)),
    ),
  );
  for (const { reason } of runsOf(stored, questions)) if (reason !== 'done') count('unfinished run');
  for (const page of [scene.panel, ...others])
    outcome.violations.push(
      ...page.errors.splice(0).map((what): Violation => ({ kind: 'page error', what })),
    );
  for (const page of others) await page.close();
  return outcome;
}

/** Before the next question, which would have a deaf panel subscribe again. */
async function wrongOnScreens(scene: Scene, { text }: Question, others: BarePage[]): Promise<Violation[]> {
  const own = await screenDiffers(scene.reader, scene.panel, text);
  const wrong: Violation[] = own === undefined ? [] : [{ kind: 'screen', what: own }];
  for (const page of others) {
    const difference = await screenDiffers(scene.reader, page);
    if (difference !== undefined) wrong.push({ kind: 'screen', what: `another panel: ${difference}` });
  }
  return wrong;
}

function withEffects({ mcp }: Scene, { text }: Question): { text: string; effects: number } {
  const id = /\d+-\d+/.exec(text)?.[0];
  const effects = mcp.executions.filter(({ tool, args }) => tool === 'write_note' && args['text'] === id);
  return { text, effects: effects.length };
}

/** Those of the round's chat. */
function runsOf({ messages, runs }: Stored, questions: Question[]): Run[] {
  const own = new Set(
    messages
      .filter(({ role, content }) => role === 'user' && questions.some(({ text }) => text === content))
      .map(({ conversationId }) => conversationId),
  );
  return runs.filter(({ conversationId }) => own.has(conversationId));
}

/** @returns whether it could be */
async function inflict(scene: Scene, fault: Fault, others: BarePage[]): Promise<boolean> {
  const { browser, mcp, spoil } = scene;
  switch (fault) {
    case 'worker death':
      return browser.endWorker();
    case 'MCP server restart':
      await mcp.restart();
      return true;
    case 'cut stream':
    case 'stalled stream':
      spoil(fault === 'cut stream' ? 'cut' : 'stall');
      return true;
    case 'panel closed and opened': {
      const { errors } = scene.panel;
      await scene.panel.close();
      await sleep(150); // no user is faster
      scene.panel = await openPanel(browser);
      scene.panel.errors.push(...errors);
      return true;
    }
    case 'second panel':
    case 'second window':
      others.push(await openPanel(browser, fault === 'second window'));
      return true;
    case 'quota exceeded': {
      const origin = await scene.reader.evaluate<string>('location.origin');
      await scene.reader.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 0 });
      await sleep(QUOTA_MS);
      await scene.reader.send('Storage.overrideQuotaForOrigin', { origin });
      return true;
    }
    case 'clock jump':
      for (const page of [scene.panel, ...others]) await page.evaluate(jump);
      await browser.inWorker(jump); // one that is to come has the browser's clock
      return true;
  }
}

export async function openPanel(browser: BareBrowser, newWindow = false): Promise<BarePage> {
  const panel = await browser.open(PANEL, { newWindow });
  await until(() => panel.evaluate<boolean>(`Boolean(document.querySelector('textarea'))`), OPENS_MS);
  return panel;
}

/** Until the question is stored and nothing goes on any more; what waits for the user is answered. */
async function untilQuiet(
  scene: Scene,
  text: string,
  sentAgain: () => void,
  faults: Promise<void>,
): Promise<Violation | undefined> {
  const end = Date.now() + ENDS_MS;
  let isOver = false;
  void faults.then(() => (isOver = true));
  for (;;) {
    const stored = await readStored(scene.reader);
    const isStored = stored.messages.some(({ role, content }) => role === 'user' && content === text);
    const live = stored.runs.filter(({ status }) => status !== 'ended');
    if (isOver && isStored && live.length === 0) return faults.then(() => undefined);
    if (Date.now() > end) {
      await faults;
      return isStored
        ? { kind: 'live run', what: live.map(({ status }) => status).join() }
        : { kind: 'lost', what: `${text}; the panel says ${JSON.stringify(await wordsOf(scene.panel))}` };
    }
    // While it is closed and opened there is no panel to press anything in.
    await press(scene.panel, 'Skip').catch(() => false);
    if (isOver && !isStored && (await unsent(scene.panel)) === text) {
      sentAgain();
      await press(scene.panel, 'Send');
    }
    await sleep(GLANCE_MS);
  }
}
