import { describe, expect, it } from 'vitest';
import { outline } from '../../fakes/rows.ts';
import { call, end, gate, stream, text } from '../../fakes/model-server.ts';
import { offered, openScene, type Scene, until } from '../support/scene.ts';

/**
 * The points at which the browser may end the worker; tests/runs/crashes.test.ts goes through every write between them. Each script gets the run to its
 * point and says what the whole conversation is when the run has completed all the same.
 */
type Kill = {
  point: string;
  /** Gets the run to the point where the worker is ended. */
  reach: (scene: Scene) => Promise<void>;
  /** What the user does before the run can complete. */
  choose?: (scene: Scene) => Promise<void>;
  /** What breaks off before the user's eyes, and is then said to be picked up. */
  breaksOff?: 'answer' | 'calls';
  messages: string[];
  executions: string[];
  statuses: string[];
};

const note = (value: string) =>
  call({ id: 'note', name: offered('write_note'), arguments: `{"text":"${value}"}`, pieces: 4 });
const look = call({ id: 'look', name: offered('look_up'), arguments: '{"word":"port"}', index: 1 });
const unknownResult =
  '{"isError":true,"error":"The browser closed while this call ran. It is not known whether it was executed, and it was not repeated."}';

const kills: Kill[] = [
  {
    point: 'before the first token',
    reach: async ({ model, ask }) => {
      const pause = gate();
      model.script(stream(pause, text('Never seen')), stream(text('The whole ', 'answer.')));
      await ask('Hello');
      await pause.reached;
    },
    messages: ['user: Hello', 'assistant: The whole answer.'],
    executions: [],
    statuses: [],
  },
  {
    point: 'in mid-text',
    reach: async ({ model, ask, articles }) => {
      const pause = gate();
      model.script(
        stream(text('Half an ', 'ans'), pause, text('wer')),
        stream(text('The whole ', 'answer.')),
      );
      await ask('Hello');
      await pause.reached;
      await articles('Assistant').getByText('Half an ans').waitFor();
    },
    breaksOff: 'answer',
    messages: ['user: Hello', 'assistant: The whole answer.'],
    executions: [],
    statuses: [],
  },
  {
    point: 'in mid-text of a repeated request',
    reach: async ({ model, ask, articles }) => {
      const pause = gate();
      const broken = stream(text('A first '), end());
      model.script(
        broken,
        stream(text('A second '), pause, text('try')),
        stream(text('The whole ', 'answer.')),
      );
      await ask('Hello');
      await articles('Assistant').getByText('A second').waitFor();
      await pause.reached;
    },
    breaksOff: 'answer',
    messages: ['user: Hello', 'assistant: The whole answer.'],
    executions: [],
    statuses: [],
  },
  {
    point: 'in mid-arguments',
    reach: async ({ model, ask, toolCall }) => {
      const pause = gate();
      const [head, fragment, ...rest] = note('one');
      model.script(
        stream(
          [head, fragment].filter((part) => part !== undefined),
          pause,
          rest,
        ),
        stream(note('two')),
        stream(text('Noted.')),
      );
      await ask('Note it');
      await pause.reached;
      await toolCall('write_note').waitFor();
    },
    breaksOff: 'answer',
    messages: ['user: Note it', 'assistant: ', 'tool: Wrote: two', 'assistant: Noted.'],
    executions: ['write_note'],
    statuses: ['success'],
  },
  {
    point: 'while a tool runs',
    reach: async ({ model, mcp, ask }) => {
      mcp.hold('write_note');
      model.script(stream(note('one')), stream(text('I skipped it.')));
      await ask('Note it');
      await mcp.until(() => mcp.executions.length === 1);
    },
    choose: async ({ mcp, toolCall }) => {
      const card = toolCall('write_note');
      await card.getByText('unknown', { exact: true }).waitFor({ timeout: 45_000 });
      mcp.release('write_note');
      await card.getByRole('button', { name: 'Skip' }).click();
    },
    breaksOff: 'calls',
    messages: ['user: Note it', 'assistant: ', `tool: ${unknownResult}`, 'assistant: I skipped it.'],
    executions: ['write_note'],
    statuses: ['unknown'],
  },
  {
    // The next request has just gone out; of it there is no more on disk than before it.
    point: 'between the results and the next answer',
    reach: async ({ model, mcp, ask }) => {
      const pause = gate();
      model.script(stream(note('one')), stream(pause, text('Never seen')), stream(text('Noted.')));
      await ask('Note it');
      await mcp.until(() => mcp.executions.length === 1);
      await pause.reached;
    },
    messages: ['user: Note it', 'assistant: ', 'tool: Wrote: one', 'assistant: Noted.'],
    executions: ['write_note'],
    statuses: ['success'],
  },
  {
    point: 'between one result and the other',
    reach: async ({ model, mcp, ask, stored }) => {
      mcp.hold('look_up');
      model.script(stream(note('one'), look), stream(text('Both done.')));
      await ask('Note it and look it up');
      await mcp.until(() => mcp.executions.length === 2);
      await until('the first result is on disk', async () =>
        (await stored()).toolCalls.some(({ status }) => status === 'success'),
      );
    },
    choose: async ({ mcp }) => {
      await mcp.until(() => mcp.executions.length === 3);
      mcp.release('look_up');
    },
    breaksOff: 'calls',
    messages: [
      'user: Note it and look it up',
      'assistant: ',
      'tool: Wrote: one',
      'tool: port: a word',
      'assistant: Both done.',
    ],
    executions: ['look_up', 'look_up', 'write_note'],
    statuses: ['success', 'success'],
  },
];

/** Ends the worker at the kill's point and sees the conversation through to what it must be. */
async function killAndSee(scene: Scene, kill: Kill, panelIs: 'open' | 'closed'): Promise<void> {
  const { portside, model, mcp } = scene;
  await kill.reach(scene);
  if (kill.breaksOff === 'answer') {
    await until('what there is of the answer is on disk', async () =>
      (await scene.stored()).messages.some(({ status }) => status === 'streaming'),
    );
  }
  const asked = model.requests.length;
  if (panelIs === 'closed') await portside.panel.close();
  await portside.endWorker();
  if (panelIs === 'closed') {
    await resumed(scene, asked, kill);
    await portside.reopenPanel();
  }
  await kill.choose?.(scene);

  const answer = kill.messages.at(-1)?.replace('assistant: ', '') ?? '';
  await scene.articles('Assistant').getByText(answer).waitFor({ timeout: 45_000 });
  await scene.idle();
  const { messages, toolCalls } = await scene.stored();
  expect(outline(messages)).toEqual(kill.messages);
  expect(toolCalls.map(({ status }) => status)).toEqual(kill.statuses);
  expect(mcp.executions.map(({ tool }) => tool).toSorted()).toEqual(kill.executions);
  expect(await scene.articles('You').count()).toBe(1);
  expect(await scene.articles('Assistant').count()).toBe(1);
  expect(await scene.articles('Assistant').getByText(answer).count()).toBe(1);
  const seams = portside.panel.getByText(/^Interrupted, resumed \d\d:\d\d$/);
  expect(await seams.count()).toBe(kill.breaksOff ? 1 : 0);
}

/** What differs once there is no panel: text to pick up, a call in flight, nothing but the next request. */
const unseen = new Set(['in mid-text', 'while a tool runs', 'between the results and the next answer']);

// All at once, the longest first: with the panel closed nothing but the worker's own alarm brings it back, and that takes
// half a minute.
describe.concurrent.each([
  ['closed', kills.filter(({ point }) => unseen.has(point))],
  ['open', kills],
] as const)('the worker ends with the panel %s', (panelIs, points) => {
  it.concurrent.each(points)(
    '$point: the run completes, nothing lost, nothing doubled',
    async (kill) => {
      const scene = await openScene({ allow: ['write_note', 'look_up'], trusted: true });
      try {
        await killAndSee(scene, kill, panelIs);
      } finally {
        await scene.close();
      }
    },
    120_000,
  );
});

/** Waits until the run goes on without a panel: the next request, execution or unknown outcome. */
async function resumed({ model, mcp, stored }: Scene, asked: number, kill: Kill): Promise<void> {
  const executed = mcp.executions.length;
  await until(
    `something resumes the run (${kill.point})`,
    async () => {
      const unknown = (await stored()).toolCalls.some(({ status }) => status === 'unknown');
      return unknown || model.requests.length > asked || mcp.executions.length > executed;
    },
    60_000,
  );
}
