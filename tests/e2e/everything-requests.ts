import { expect, it } from 'vitest';
import { call, stream, text } from '../fakes/model-server.ts';
import { type EverythingScene, NAME, resultOf } from './everything-scene.ts';
import { listen } from './real-servers.ts';
import { decide, offered, until } from './scene.ts';

/** What the server asks of the person in the middle of a call. */
export function testRequests(scene: () => EverythingScene): void {
  const panel = () => scene().portside.panel;
  const form = (name: string) => panel().getByRole('form', { name });

  it('asks in a form, which says what does not fit, and gets the answer or that there is none', async () => {
    const request = form(`Request from ${NAME}`);
    const accepted = await scene().begin('trigger-elicitation-request');
    await request.getByRole('textbox', { name: 'String with email format' }).fill('nowhere');
    await request.getByRole('button', { name: 'Submit' }).click();
    await request.getByText('String is required.').waitFor();
    await request.getByText('Enter an email address').waitFor();
    await request.getByRole('textbox', { name: 'String', exact: true }).fill('Ada');
    await request.getByRole('textbox', { name: 'String with email format' }).fill('ada@example.com');
    await request.getByRole('checkbox', { name: 'Boolean' }).check();
    await request.getByRole('checkbox', { name: 'Violin' }).check();
    await request
      .getByRole('combobox', { name: 'Titled Single Select Enum optional', exact: true })
      .selectOption('Wonder Woman');
    await request.getByRole('button', { name: 'Submit' }).click();
    await accepted.ended();
    await (await resultOf(accepted.card)).getByText('Name: Ada').waitFor();
    const raw = JSON.parse(/Raw result: (.*)/s.exec(scene().told())?.[1] ?? '') as object;
    expect(raw).toMatchObject({
      action: 'accept',
      content: {
        name: 'Ada',
        check: true,
        email: 'ada@example.com',
        firstLine: 'It was a dark and stormy night.',
        integer: 42,
        untitledMultipleSelectEnum: ['Guitar', 'Violin'],
        titledSingleSelectEnum: 'hero-3',
      },
    });

    const declined = await scene().begin('trigger-elicitation-request');
    await declined.card.getByText('waits for you').waitFor();
    await request.getByRole('button', { name: 'Decline' }).click();
    await declined.ended();
    expect(scene().told()).toContain('User declined to provide the requested information.');
  });

  it('sends the person to a page, in a tab of its own', async () => {
    const page = await listen((_, response) => void response.end('<!doctype html><title>Sign</title>Here'));
    const { card, ended } = await scene().begin('trigger-url-elicitation', {
      url: `${page.origin}/sign?here`,
      message: 'Sign over there',
    });
    const request = form(`Request from ${NAME}`);
    await request.getByText(`${page.origin}/sign?here`).waitFor();
    const opened = scene().portside.context.waitForEvent('page');
    const link = request.getByRole('link', { name: `Open ${new URL(page.origin).host}` });
    await until('the link takes a click', async () => {
      if ((await link.count()) === 0) return true;
      await link.click({ timeout: 1000 }).catch(() => undefined);
      return false;
    });
    const tab = await opened;
    await ended();
    expect(tab.url()).toBe(`${page.origin}/sign?here`);
    await tab.close();
    await page.close();
    await (await resultOf(card)).getByText('User completed the URL elicitation flow.').waitFor();
  });

  it('asks the model, once the person allows it, and is told when they do not', async () => {
    const dialog = panel().getByRole('alertdialog', { name: `Approve sampling for ${NAME}` });
    const args = { prompt: 'Name a port', maxTokens: 50 };
    scene().model.script(
      stream(call({ id: 'ask', name: offered('trigger-sampling-request'), arguments: JSON.stringify(args) })),
      stream(text('Rotterdam')),
      stream(text('It named one.')),
    );
    await scene().ask('Let it ask');
    await decide(
      panel().getByRole('alertdialog', { name: 'Approve trigger-sampling-request' }),
      'Always allow',
    );
    await dialog.getByText('Name a port').waitFor();
    await dialog.getByText('You are a helpful test server.').waitFor();
    const before = scene().model.requests.length;
    await decide(dialog, 'Allow once');
    await scene().articles('Assistant').getByText('It named one.').waitFor();
    const { body } = await scene().model.waitForRequest(before);
    expect(body).toMatchObject({
      model: 'test-model',
      messages: [
        { role: 'system', content: 'You are a helpful test server.' },
        { role: 'user', content: expect.stringContaining('Name a port') },
      ],
      max_tokens: 50,
    });
    expect(body.tools).toBeUndefined();
    expect(scene().told()).toContain('Rotterdam');

    const denied = await scene().begin('trigger-sampling-request', args);
    await decide(dialog, 'Deny');
    await denied.ended();
    expect(scene().told()).toContain('rejected sampling request');
  });
}
