import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, stream, text, usage } from '../../fakes/model-server.ts';
import { readRows, writeRows } from '../support/rows.ts';
import { decide, offered, openScene, type Scene, until } from '../support/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ allow: ['write_note', 'look_up'], trusted: true });
});
afterAll(() => scene.close());

const page = () => scene.portside.options;
const panel = () => scene.portside.panel;
const row = () => page().getByRole('listitem', { name: 'Morning news' });
const shown = async () => Object.keys((await page().evaluate('chrome.notifications.getAll()')) as object);
const alarm = () => page().evaluate('chrome.alarms.get("schedules").then((alarm) => alarm?.scheduledTime)');

/** Its last time passed with the computer asleep, and the alarm goes off. */
async function makeDue(): Promise<void> {
  const [schedule] = await readRows(page(), 'schedules');
  const missed = new Date();
  missed.setHours(8, 30, 0, 0);
  while (missed.getTime() > Date.now() || [0, 6].includes(missed.getDay()))
    missed.setDate(missed.getDate() - 1);
  if (schedule) await writeRows(page(), 'schedules', [{ ...schedule, next: missed.getTime() }]);
  await page().evaluate('chrome.alarms.create("schedules", { when: Date.now() })');
}

it('a schedule is written with a cron line that is read back, or told what is wrong with it', async () => {
  await page().evaluate("location.hash = '#schedules'");
  await page().getByText('There are no schedules yet.').waitFor();
  await page().getByRole('switch', { name: 'Notify me' }).click();
  await page().getByRole('button', { name: 'New schedule' }).click();
  await page().getByLabel('Name').fill('Morning news');
  await page().getByLabel('Text').fill('What is new?');
  await page().getByRole('combobox', { name: 'When' }).selectOption('Cron line');
  await page().getByRole('textbox', { name: 'Cron line' }).fill('30 25 * * 1-5');
  await page().getByLabel('Tokens per run').fill('-1');
  await page().getByRole('button', { name: 'Save' }).click();
  await page().getByText('“25” doesn’t fit here. This part takes numbers from 0 to 23').waitFor();
  await page().getByText('Enter a number above 0, or leave it empty.').waitFor();
  await page().getByRole('textbox', { name: 'Cron line' }).fill('30 8 * * 1-5');
  await page().getByLabel('Tokens per run').fill('50');
  const words = 'At 08:30 · Weekdays';
  await page().getByRole('status').filter({ hasText: words }).waitFor();
  await page().getByRole('button', { name: 'Save' }).click();
  await row().getByText(words).waitFor();
  const [schedule] = await readRows(page(), 'schedules');
  expect(new Date(schedule?.next ?? 0).getMinutes()).toBe(30);
  await expect.poll(alarm).toBe(schedule?.next);
});

it('a time that was missed runs once: in a chat of its own, where all but reading asks and notifies', async () => {
  scene.model.script(
    stream(
      call({ id: 'c1', name: offered('look_up'), arguments: '{"word":"port"}' }),
      call({ id: 'c2', name: offered('write_note'), arguments: '{"text":"a"}', index: 1 }),
      usage(10, 5),
    ),
    stream(text('**Nothing** is new.'), usage(10, 5)),
  );
  await makeDue();
  await until('the approval is told', async () => (await shown()).length === 1);
  expect(scene.mcp.executions.map(({ tool }) => tool)).toEqual(['look_up']);
  await row().getByText('Running, or waiting for you').waitFor();
  await panel().getByRole('button', { name: 'History' }).click();
  await panel().getByRole('heading', { level: 3, name: 'Morning news' }).click();
  await panel().getByRole('list', { name: 'Morning news' }).getByRole('link').click();
  await decide(panel().getByRole('alertdialog'), 'Allow once');
  await scene.articles('Assistant').getByText('Nothing is new.').waitFor();
  await row().getByText('Last run').waitFor();
  await row().getByText('30 tokens').waitFor();
});

it('run now begins another; the model is asked no more once the limit of a run is used up', async () => {
  await panel().getByRole('button', { name: 'New chat' }).click();
  const before = scene.model.requests.length;
  scene.model.script(
    stream(call({ id: 'c1', name: offered('look_up'), arguments: '{"word":"port"}' }), usage(40, 10)),
  );
  await row().getByRole('button', { name: 'Run Morning news now' }).click();
  await row().getByText('80 tokens').waitFor();
  await until('the end is told', async () => (await shown()).length === 1);
  expect(scene.model.requests).toHaveLength(before + 1);
  const runs = await readRows(page(), 'runs');
  expect(runs.map(({ error }) => error?.code)).toContain('used_up');
});

it('paused and off, no time runs, nor is it made up for; then the next one is waited for', async () => {
  const before = scene.model.requests.length;
  await page().getByRole('switch', { name: 'Pause all' }).click();
  await row().getByText('Paused').waitFor();
  await makeDue();
  await expect.poll(alarm).toBeUndefined();
  await page().getByRole('switch', { name: 'Pause all' }).click();
  await row().getByText('Next: ').waitFor();
  await expect.poll(alarm).toBeGreaterThan(Date.now());
  await row().getByRole('switch', { name: 'Morning news is on' }).click();
  await row().getByText('Off').waitFor();
  await expect.poll(alarm).toBeUndefined();
  expect(scene.model.requests).toHaveLength(before);
  await row().getByRole('button', { name: 'Remove Morning news' }).click();
  await row().getByRole('button', { name: 'Remove', exact: true }).click();
  await page().getByText('There are no schedules yet.').waitFor();
});
