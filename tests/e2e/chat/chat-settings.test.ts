import { beforeEach, describe, expect, it } from 'vitest';
import { answer, call, gate, startModelServer, stream, text, usage } from '../../fakes/model-server.ts';
import { offered, provider, scenes, type Scene, until } from '../support/scene.ts';

let scene: Scene;
const shared = scenes({ allow: ['fail'] });

beforeEach(async () => {
  scene = await shared.next();
});

const button = (name: string) => scene.portside.panel.getByRole('button', { name, exact: true });
const settings = () => scene.portside.panel.getByRole('dialog', { name: 'Chat settings' });
const body = (request: number) => scene.model.requests[request]?.body as Record<string, unknown> | undefined;

describe('an assistant', () => {
  it('that was saved in one chat asks the model in its way in the next', async () => {
    const { model, ask, articles, portside } = scene;
    model.otherwise(stream(text('Aye.')));
    await button('Chat settings').click();
    await settings().getByLabel('System prompt').fill('Answer like a pilot.');
    await settings().getByLabel('Temperature').fill('0.3');
    await button('Save as assistant').click();
    await settings().getByLabel('Assistant name').fill('Pilot');
    await settings().getByRole('button', { name: 'Save', exact: true }).dblclick();
    const picker = settings().getByLabel('Assistant', { exact: true });
    await picker.getByRole('option', { name: 'Pilot' }).waitFor({ state: 'attached' });
    expect(await settings().getByLabel('Assistant name').count()).toBe(0);
    await settings().getByLabel('System prompt').fill('');
    await settings().getByLabel('Temperature').fill('1.5');
    await button('Close chat settings').click();
    await ask('Plainly');
    await articles('Assistant').getByText('Aye.').waitFor();

    await button('New chat').click();
    await button('Chat settings').click();
    await picker.selectOption('Pilot');
    expect(await settings().getByLabel('Temperature').inputValue()).toBe('0.3');
    await button('Close chat settings').click();
    await ask('As a pilot');
    await articles('Assistant').getByText('Aye.').waitFor();
    expect(body(0)).toMatchObject({ temperature: 1.5, messages: [{ role: 'system' }, { role: 'user' }] });
    expect(body(1)).toMatchObject({
      temperature: 0.3,
      messages: [
        { role: 'system', content: expect.stringMatching(/^Answer like a pilot\.\n\n/) },
        { role: 'user' },
      ],
    });
    expect(await portside.panel.getByRole('dialog').count()).toBe(0);
  });
});

describe('a setting', () => {
  it('is not lost to a slip of the finger', async () => {
    const { model, ask, articles, portside } = scene;
    model.otherwise(stream(text('Aye.')));
    await button('Chat settings').click();
    await settings().getByLabel('Temperature').fill('0.7');
    await settings().getByLabel('Temperature').fill('0.7x');
    await settings().getByText('Enter a number from 0 to 2').waitFor();
    await portside.panel.keyboard.press('Escape');
    await ask('Hello');
    await articles('Assistant').getByText('Aye.').waitFor();
    expect(body(0)).toMatchObject({ temperature: 0.7 });
  });
});

describe('usage', () => {
  it('of an answer and of the chat is told with its cost, once the price is typed in', async () => {
    shared.spoil();
    const { model, ask, articles, portside } = scene;
    const price = { input: 10, output: 100 };
    await portside.command('setModel', { providerId: 1, id: 'test-model', chosen: { price } });
    model.otherwise(stream(text('Aye.'), usage(21_000, 400)));
    await ask('Once');
    await articles('Assistant')
      .getByText('\u2068test-model\u2069 · 21k in, 400 out, $0.25 · first token')
      .waitFor();
    await ask('Twice');
    await articles('Assistant').nth(1).getByText('21k in, 400 out, $0.25').waitFor();
    await portside.panel.getByTitle('This chat: 42k in, 800 out, $0.50').waitFor();
    await button('Chat settings').click();
    await settings().getByText('This chat: 42k in, 800 out, $0.50').waitFor();
  });
});

describe('a chat whose provider was removed', () => {
  it('sends nothing to another one until the user chose that', async () => {
    shared.spoil();
    const { model, ask, articles, idle, portside } = scene;
    model.otherwise(stream(text('Aye.')));
    await ask('Between us');
    await articles('Assistant').getByText('Aye.').waitFor();
    await idle();
    const other = { name: 'Others', preset: 'custom', baseUrl: model.url, model: 'other-model' } as const;
    await portside.command('saveProvider', other);
    await portside.command('removeProvider', { id: 1 });
    await portside.panel.getByText('The provider of this chat was removed. Choose a model.').waitFor();
    await portside.panel.getByRole('textbox', { name: 'Message' }).fill('And this?');
    expect(await button('Send').isDisabled()).toBe(true);
    await portside.panel.keyboard.press('Enter');
    await portside.panel.getByRole('combobox', { name: 'Model' }).click();
    await portside.panel.getByRole('option', { name: 'other-model' }).click();
    await button('Send').click();
    await articles('Assistant').nth(1).getByText('Aye.').waitFor();
    expect(model.requests.map(({ body: { model: name } }) => name)).toEqual(['test-model', 'other-model']);
  });
});

describe('the model picker', () => {
  it('opens where a model is not there, and Retry asks the one that is chosen', async () => {
    shared.spoil();
    const { model, ask, articles, portside } = scene;
    const other = { name: 'Others', preset: 'custom', baseUrl: model.url, model: 'other-model' } as const;
    await portside.command('saveProvider', other);
    model.script(answer(404, 'model not found'), stream(text('Aye.')));
    await ask('Hello');
    await button('Other models').click();
    await portside.panel.getByRole('option', { name: 'other-model' }).click();
    await button('Retry').click();
    await articles('Assistant').getByText('Aye.').waitFor();
    expect(model.requests.map(({ body: { model: name } }) => name)).toEqual(['test-model', 'other-model']);
  });

  it('has what answers no chat under All models, where the filter finds it', async () => {
    shared.spoil();
    const silent = ['dall-e-3', 'whisper-1', 'text-embedding-3-small', 'tts-1', 'omni-moderation-latest'];
    const chatting = Array.from({ length: 5 }, (_, index) => `chat-${index}`);
    const server = await startModelServer([...silent, 'bge-reranker-v2-m3', ...chatting]);
    try {
      await scene.portside.command('saveProvider', { ...provider(server.url), name: 'Many' });
      const { panel } = scene.portside;
      const picker = panel.getByRole('combobox', { name: 'Model' });
      const options = panel.getByRole('listbox', { name: 'Model' }).getByRole('option');
      const all = options.filter({ hasText: /^All models$/ });
      await picker.click();
      await options.filter({ hasText: 'chat-4' }).waitFor();
      expect(
        await options.filter({ hasText: /dall-e|whisper|embedding|tts|moderation|rerank/ }).count(),
      ).toBe(0);
      await all.click();
      await options.filter({ hasText: 'whisper-1' }).waitFor();
      expect(await all.count()).toBe(0);
      await panel.getByRole('searchbox', { name: 'Filter models' }).fill('dall');
      expect(await options.first().textContent()).toBe('dall-e-3not a chat model');
      await panel.keyboard.press('Enter');
      await picker.filter({ hasText: 'dall-e-3' }).waitFor();
      // What was chosen there is not listed for good.
      await picker.click();
      await all.waitFor();
    } finally {
      await server.close();
    }
  });
});

describe('Run again', () => {
  it('of an earlier answer’s call asks before later messages leave the chat', async () => {
    const { model, ask, articles, idle, toolCall } = scene;
    model.script(
      stream(call({ id: 'c1', name: offered('fail'), arguments: '{}' })),
      stream(text('It failed.')),
      stream(text('Fine today.')),
      stream(text('It failed once more.')),
    );
    await ask('Try it');
    await articles('Assistant').getByText('It failed.').waitFor();
    await idle();
    await ask('How is the weather?');
    await articles('Assistant').getByText('Fine today.').waitFor();
    await idle();
    await scene.unfold();
    const again = toolCall('fail').getByRole('button', { name: 'Run again', exact: true });
    const question = toolCall('fail').getByText('2 later messages will be removed from this chat.');
    await again.dblclick();
    await question.waitFor();
    expect(await toolCall('fail').getByRole('button', { name: 'Show details' }).count()).toBe(1);
    await toolCall('fail').getByRole('button', { name: 'Keep', exact: true }).click();
    await question.waitFor({ state: 'detached' });
    expect(model.requests).toHaveLength(3);
    await again.click();
    await question.waitFor();
    await again.click();
    await articles('Assistant').getByText('It failed once more.').waitFor();
    await until('the later ones are gone', async () => (await articles('You').count()) === 1);
  });
});

describe('a call’s details', () => {
  it('that were opened while its arguments streamed stay open when the message ends', async () => {
    const { model, ask, articles, portside, toolCall } = scene;
    const pause = gate();
    const [first, ...rest] = call({ id: 'c1', name: offered('fail'), arguments: '{}', pieces: 2 });
    if (!first) throw new Error('the call has pieces');
    model.script(stream(first, pause, rest), stream(text('It failed.')));
    await ask('Try it');
    await pause.reached;
    await portside.panel.getByRole('status').filter({ hasText: 'Preparing a tool call' }).waitFor();
    await toolCall('fail').getByRole('button', { name: 'Show details' }).click();
    pause.open();
    await articles('Assistant').getByText('It failed.').waitFor();
    await toolCall('fail').getByRole('region', { name: 'Result' }).getByText('The tool broke.').waitFor();
  });
});
