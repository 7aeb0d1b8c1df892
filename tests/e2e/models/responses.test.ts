import { afterAll, expect, it } from 'vitest';
import { call, delta, gate, type RecordedRequest, stream, text } from '../../fakes/model-server.ts';
import { offered, openScene, type Scene } from '../support/scene.ts';

let scene: Scene | undefined;
afterAll(() => scene?.close());

/** The thoughts that a request brings back. */
const thoughtsIn = ({ sent }: RecordedRequest): unknown[] =>
  ((sent.input ?? []) as Record<string, unknown>[])
    .filter(({ type }) => type === 'reasoning')
    .map(({ encrypted_content: encrypted }) => encrypted);

it('asks by the API of the settings: thoughts go back to the Responses API, after the worker’s end too, and to no other', async () => {
  scene = await openScene({ allow: ['look_up'], trusted: true });
  const { portside, model, ask, articles, idle } = scene;
  const page = portside.options;
  const choose = async (api: string): Promise<void> => {
    await page.getByRole('link', { name: 'Models' }).first().click();
    await page.getByRole('button', { name: 'Edit Test models' }).click();
    await page.getByLabel('API', { exact: true }).selectOption(api);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('region', { name: 'Test models', exact: true }).waitFor();
  };
  await choose('Responses');

  const pause = gate();
  model.script(
    stream(
      delta({ reasoning_content: 'I look it up.' }),
      call({ id: 'look', name: offered('look_up'), arguments: '{"word":"port"}' }),
    ),
    stream(pause, text('Never seen.')),
    stream(text('It is a harbour.')),
    stream(text('It is a drink.')),
  );
  await ask('What is a port?');
  await pause.reached;
  await portside.endWorker();
  await articles('Assistant').getByText('It is a harbour.').waitFor({ timeout: 45_000 });
  await idle();
  await articles('Assistant')
    .getByRole('button', { name: /^Thought for / })
    .click();
  await articles('Assistant').getByRole('region', { name: 'Reasoning' }).getByText('I look it up.').waitFor();

  await choose('Chat Completions');
  await ask('And else?');
  await articles('Assistant').getByText('It is a drink.').waitFor();
  await idle();
  const [first, second, third, fourth] = model.requests;
  expect([first, second, third, fourth].map((request) => request?.api)).toEqual([
    'responses',
    'responses',
    'responses',
    'chat',
  ]);
  expect(first?.sent).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] });
  const kept = ['encrypted(I look it up.)'];
  expect(model.requests.slice(0, 3).map(thoughtsIn)).toEqual([[], kept, kept]);
  expect(JSON.stringify(fourth?.sent)).not.toContain('encrypted(');
}, 90_000);
