import { setTimeout as sleep } from 'node:timers/promises';
import type { BareBrowser, BarePage } from '../e2e/bare-browser.ts';
import type { Message } from '../../lib/types/message.ts';
import type { Fault, Question } from './plan.ts';
import {
  differenceOf,
  press,
  readStored,
  send,
  type Stored,
  transcriptOf,
  turnsOf,
  unsent,
  wordsOf,
} from './screen.ts';
import type { Servers } from './servers.ts';

export type Scene = Servers & {
  browser: BareBrowser;
  /** A page that reads the database. */
  reader: BarePage;
  panel: BarePage;
};

export type Outcome = { done: Partial<Record<Fault | 'sent again', number>>; violations: string[] };

/** A run goes on while its request is made again; a worker that died is woken by an alarm half a minute later at the latest. */
const ENDS_MS = 75_000;
/** From a quiet database to a screen that says the same. */
const SHOWN_MS = 20_000;
const GLANCE_MS = 40;
const QUOTA_MS = 700;

const PANEL = 'sidepanel.html';

/** Plays a round in a chat of its own, and says what was wrong after it. */
export async function playRound(scene: Scene, questions: Question[]): Promise<Outcome> {
  const outcome: Outcome = { done: {}, violations: [] };
  const others: BarePage[] = [];
  const count = (what: keyof Outcome['done']): void =>
    void (outcome.done[what] = (outcome.done[what] ?? 0) + 1);
  await press(scene.panel, 'New chat');
  for (const question of questions) {
    await until(() => send(scene.panel, question.text), ENDS_MS);
    const sentAt = Date.now();
    const faults = (async () => {
      for (const { fault, atMs } of question.faults) {
        await sleep(Math.max(0, sentAt + atMs - Date.now()));
        if (await inflict(scene, fault, others)) count(fault);
      }
    })();
    const wrong = await untilQuiet(scene, question.text, () => count('sent again'), faults);
    if (wrong !== undefined) outcome.violations.push(wrong);
    for (const page of others.splice(0)) {
      const difference = await otherDiffers(scene, page);
      if (difference !== undefined) outcome.violations.push(`screen: another panel: ${difference}`);
      await page.close();
    }
  }
  const stored = await readStored(scene.reader);
  outcome.violations.push(...wrongIn(scene, stored, questions));
  const shown = await screenDiffers(scene, questions);
  if (shown !== undefined) outcome.violations.push(`screen: ${shown}`);
  outcome.violations.push(...scene.panel.errors.splice(0).map((error) => `page error: ${error}`));
  return outcome;
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
    case 'panel closed and opened':
      await scene.panel.close();
      await sleep(150); // no user is faster
      scene.panel = await openPanel(browser);
      return true;
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
      await scene.panel.evaluate('{ const now = Date.now; Date.now = () => now() + 3_600_000; }');
      return true;
  }
}

export async function openPanel(browser: BareBrowser, newWindow = false): Promise<BarePage> {
  const panel = await browser.open(PANEL, { newWindow });
  await until(() => panel.evaluate<boolean>(`Boolean(document.querySelector('textarea'))`), SHOWN_MS);
  return panel;
}

/** Until the question is stored and nothing goes on any more; what waits for the user is answered. */
async function untilQuiet(
  scene: Scene,
  text: string,
  sentAgain: () => void,
  faults: Promise<void>,
): Promise<string | undefined> {
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
        ? `live run: ${live.map(({ status }) => status).join()}`
        : `lost: ${text}; the panel says ${JSON.stringify(await wordsOf(scene.panel))}`;
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

function wrongIn({ mcp }: Scene, { messages, toolCalls, runs }: Stored, questions: Question[]): string[] {
  const wrong: string[] = [];
  for (const { text } of questions) {
    const stored = messages.filter(({ role, content }) => role === 'user' && content === text);
    if (stored.length !== 1) wrong.push(`${stored.length === 0 ? 'lost' : 'doubled'}: ${text}`);
    const id = /\d+-\d+/.exec(text)?.[0];
    const effects = mcp.executions.filter(({ tool, args }) => tool === 'write_note' && args['text'] === id);
    if (effects.length > 1) wrong.push(`side effect ${effects.length} times: ${text}`);
  }
  const own = new Set(
    messages
      .filter(({ role, content }) => role === 'user' && questions.some(({ text }) => text === content))
      .map(({ conversationId }) => conversationId),
  );
  const answered = new Set(runs.filter(({ reason }) => reason === 'done').map(({ id }) => id));
  for (const call of toolCalls.filter(({ conversationId }) => own.has(conversationId))) {
    const results = messages.filter(
      ({ role, parentId, sub }) =>
        role === 'tool' && parentId === call.messageId && sub === call.position + 1,
    );
    if (results.length > 1 || (results.length === 0 && answered.has(call.runId)))
      wrong.push(`${results.length} results: ${call.toolName} of ${call.messageId}`);
  }
  return wrong;
}

/** The panel shows the conversation of the last question, as the database holds it. */
const screenDiffers = (scene: Scene, questions: Question[]): Promise<string | undefined> =>
  differs(scene, scene.panel, async () => questions.at(-1)?.text);

/** Another panel shows some conversation as the database holds it. */
const otherDiffers = (scene: Scene, page: BarePage): Promise<string | undefined> =>
  differs(scene, page, async () => {
    const asked = (await transcriptOf(page)).findLast(({ name }) => name === 'You');
    return asked && /Question \d+-\d+.*/.exec(asked.text)?.[0];
  });

async function differs(
  scene: Scene,
  page: BarePage,
  askedIn: () => Promise<string | undefined>,
): Promise<string | undefined> {
  let difference: string | undefined;
  await until(async () => {
    const last = await askedIn();
    difference = last === undefined ? 'nothing is shown' : 'nothing was stored';
    const stored = await readStored(scene.reader);
    const asked = stored.messages.find((each: Message) => each.role === 'user' && each.content === last);
    const conversation = stored.conversations.find(({ id }) => id === asked?.conversationId);
    if (conversation) difference = differenceOf(await transcriptOf(page), turnsOf(stored, conversation));
    return difference === undefined;
  }, SHOWN_MS);
  return difference;
}

async function until(condition: () => Promise<boolean>, timeoutMs: number): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await condition()) && Date.now() < end) await sleep(GLANCE_MS);
}
