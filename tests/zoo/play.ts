import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { UserPlace, ZooBrowser, ZooPage } from './browsers.ts';
import type { Case, Model } from './case.ts';
import type { StepModel } from './model.ts';
import type { ZooSite } from './site.ts';

/** `false success`: the tools called it done, and the page says that it is not. */
export type Verdict = 'passed' | 'honest failure' | 'failed' | 'false success';
export type Outcome = { verdict: Verdict; told: string[] };

export type Zoo = { browser: ZooBrowser; model: StepModel; site: ZooSite };

/** Milliseconds. */
const CASE_MS = 90_000;
const CHECKS_MS = 1_500;
const CHECK_MS = 100;
/** What is not there yet is looked for again, as a model does that knows pages. */
const LOOKS_FOR_ONE = 3;
const LOOK_MS = 500;
const TOOK_FOCUS = 'The focus, or the front, was taken from the user.';
/** Of a snapshot: role, name, reference and text. */
const LINE = /^ *- (\w+)(?: ("(?:[^"\\]|\\.)*"))? \[ref=(\w+)\](?: \[[^\]]*\])*(?::(?: (.+))?)?$/gm;
/** What others wrote is marked as such. */
const MARKED = /^<(external-\w+)>\n([^]*)\n<\/\1>$/;
/** Tools that look and change nothing. */
const LOOKS = /^(snapshot|find_in_page|list_tabs|read_\w+|open_tab)$/;
/** What a field, a box or a list is told to hold is called done, whatever changed around it. */
const CLAIMS = /^.* (holds|has) ".*" (now|chosen now); before: |^.* is (not )?checked now; before: /m;
/** Whether a tool does not call the last thing that was done a success. */
function isHonest(told: string[]): boolean {
  const last = told.at(-1) ?? '';
  return (
    isDenied(last) ||
    /Nothing visible changed since Enter|The page changes there by itself, too|a picker that only their own press opens/.test(
      last,
    ) ||
    (/Nothing visible changed/.test(last) && !CLAIMS.test(last))
  );
}

/** Plays a case in a chat and a tab of its own. */
export async function play(zoo: Zoo, played: Case, usual: UserPlace): Promise<Outcome> {
  const user = played.user ?? usual;
  const expected = played.expected ?? (user === 'in another tab' ? played.expectedBehind : undefined);
  const { browser, model, site } = zoo;
  const url = `${site.url}/${played.page}?${randomUUID()}`;
  const page = await browser.visit(url, `${site.url}/blank`, user);
  const told: string[] = [];
  try {
    const tab = (await browser.command('listTabs')).find((each) => each.url === url)?.id ?? -1;
    await begin(zoo);
    const ended = new AbortController();
    const late = sleep(CASE_MS, undefined, { signal: ended.signal }).then(() => {
      throw new Error(`It took more than ${CASE_MS} ms.`);
    });
    const steps = stepsOf(played, modelOf(zoo, tab, told));
    const broke = await Promise.race([steps, late]).catch((error: unknown) => String(error));
    ended.abort();
    late.catch(() => undefined);
    if (broke !== undefined) return { verdict: 'failed', told: [...told, broke] };
    const isSo = await holds(page, played.check);
    if (!(await page.isUserLeft())) return { verdict: 'failed', told: [...told, TOOK_FOCUS] };
    return { verdict: verdictOf(expected, isSo, told), told };
  } finally {
    await Promise.race([model.end(), sleep(2_000)]);
    await page.close();
  }
}

async function stepsOf({ steps }: Case, model: Model): Promise<void> {
  for (const step of steps) await step(model);
}

/** Has the run of a new chat ask the model. */
async function begin({ browser, model, site }: Zoo): Promise<void> {
  model.begin();
  const conversationId = randomUUID();
  await browser.allowAll(conversationId);
  const message = { id: randomUUID(), text: `Go on: ${site.url}` };
  await browser.command('startRun', { conversationId, runId: randomUUID(), message });
}

function modelOf({ model, site }: Zoo, tab: number, told: string[]): Model {
  const call = async (name: string, args: object = {}): Promise<string> => {
    const whole = await model.call(name, name === 'open_tab' ? args : { tab, ...args });
    const said = whole.replace(MARKED, '$2');
    if (!LOOKS.test(name)) told.push(said);
    return said;
  };
  const find: Model['find'] = async (what, refOf) => {
    let seen = '';
    for (let look = 0; look < LOOKS_FOR_ONE; look += 1) {
      if (look > 0) await sleep(LOOK_MS);
      seen = await call('snapshot');
      const ref = refOf(seen);
      if (ref !== undefined) return ref;
    }
    throw new Error(`No ${what} in:\n${seen}`);
  };
  return {
    other: site.other,
    site: site.url,
    call,
    find,
    ref: (role, name, which = 0) => find(`${role} ${String(name)}`, (seen) => refIn(seen, role, name, which)),
  };
}

function refIn(seen: string, ...[role, name, which = 0]: Parameters<Model['ref']>): string | undefined {
  const found = [...seen.matchAll(LINE)].filter(
    ([, itsRole, itsName = '""', , text = '']) =>
      itsRole === role && isNamed((JSON.parse(itsName) as string) || text, name),
  );
  return found[which]?.[3];
}

const isNamed = (its: string, name: string | RegExp): boolean =>
  typeof name === 'string' ? its === name : name.test(its);

/** Whether the page says so, now or soon: it may still move. */
async function holds(page: ZooPage, check: string): Promise<boolean> {
  for (let waited = 0; waited < CHECKS_MS; waited += CHECK_MS) {
    // A page with an open dialog does not answer.
    const isSo = page.evaluate(check).catch(() => false);
    if ((await Promise.race([isSo, sleep(CHECKS_MS)])) === true) return true;
    await sleep(CHECK_MS);
  }
  return false;
}

const isDenied = (said: string): boolean => said.startsWith('{"isError":true');

function verdictOf(expected: Case['expected'], isSo: boolean, told: string[]): Verdict {
  // It can be done, so the table is wrong; or it was done, and a plan would have ended there.
  if (isSo) return expected !== undefined || told.some(isDenied) ? 'failed' : 'passed';
  if (!isHonest(told)) return 'false success';
  return expected ?? 'failed';
}
