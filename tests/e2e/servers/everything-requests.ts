import { expect, it } from 'vitest';
import { call, stream, text } from '../../fakes/model-server.ts';
import { type EverythingScene, type Kind, NAME, resultOf } from './everything-scene.ts';
import { listen } from './real-servers.ts';
import { decide, offered, until } from '../support/scene.ts';

/** What the server asks of the user in the middle of a call. */
export function testRequests(scene: () => EverythingScene, kind: Kind): void {
  const panel = () => scene().portside.panel;
  const form = (name: string) => panel().getByRole('form', { name });

  /** Answers the next card as soon as it is there, in every way that there is. In the page: a test would be too late. */
  const pressAtOnce = () =>
    panel().evaluate(`window.pressed = undefined; new MutationObserver((_, observer) => {
      const card = document.querySelector('.ask');
      if (!card) return;
      observer.disconnect();
      for (const button of card.querySelectorAll('.ask-foot :is(button, a)')) button.click();
      for (const more of [{ key: 'Enter', ctrlKey: true }, { key: 'Escape' }])
        card.dispatchEvent(new KeyboardEvent('keydown', { ...more, bubbles: true, cancelable: true }));
      window.pressed = performance.now();
    }).observe(document.body, { childList: true, subtree: true })`);
  const inputIsTaken = () =>
    until('input is taken', () => panel().evaluate<boolean>('performance.now() - window.pressed > 600'));

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
    await decide(request, 'Submit');
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

    await pressAtOnce();
    const declined = await scene().begin('trigger-elicitation-request');
    await declined.card.getByText('waiting for you').waitFor();
    await inputIsTaken();
    await request.getByRole('button', { name: 'Decline' }).click();
    await declined.ended();
    expect(scene().told()).toContain('User declined to provide the requested information.');
  });

  it('sends the user to a page, which is asked for by nobody before, and seen by no model then', async () => {
    const asked: (string | undefined)[] = [];
    const page = await listen(({ url, headers }, response) => {
      asked.push(`${url} ${headers.referer ?? ''}`.trim());
      response.end(
        '<!doctype html><title>Sign</title><a href="/key" target="_blank">The key</a> is 4711<script>document.title += !opener</script>',
      );
    });
    await pressAtOnce();
    const { card, ended } = await scene().begin('trigger-url-elicitation', {
      url: `${page.origin}/sign?here`,
      message: 'Sign over there',
    });
    const request = form(`Request from ${NAME}`);
    await request.getByText(`${page.origin}/sign?here`).waitFor();
    await inputIsTaken();
    const opens = request.getByRole('button', { name: `Open ${new URL(page.origin).host}` });
    await opens.hover();
    expect(asked).toEqual([]);
    const opened = scene().portside.context.waitForEvent('page');
    await opens.click();
    const tab = await opened;
    await ended();
    await tab.waitForURL(`${page.origin}/sign?here`);
    await expect.poll(() => tab.title()).toBe('Signtrue');
    expect(asked[0]).toBe('/sign?here');
    await (await resultOf(card)).getByText('User completed the URL elicitation flow.').waitFor();

    // What its page opens is the user's, too, also while the worker rests, and once that page is gone.
    await scene().portside.endWorker();
    const second = scene().portside.context.waitForEvent('page');
    await tab.getByRole('link').click();
    const key = await second;
    await key.waitForURL(`${page.origin}/key`);
    await tab.close();

    // Other tabs of the browser have no address to tell either: this one is known by where it is.
    const id = await panel().evaluate<number>(
      `chrome.tabs.query({}).then((tabs) => tabs.find(({ url }) => url === '${page.origin}/key').id)`,
    );
    for (const name of ['list_tabs', 'snapshot', 'read_tab']) {
      const said = `Tried ${name}.`;
      const args = JSON.stringify(name === 'list_tabs' ? {} : { tab: id });
      scene().model.script(stream(call({ id: name, name, arguments: args })), stream(text(said)));
      await scene().ask(`Try ${name}`);
      const asks = panel().getByRole('alertdialog', { name: `Approve ${name}` });
      const answer = scene().articles('Assistant').getByText(said);
      await asks.or(answer).first().waitFor();
      if (await asks.isVisible()) await decide(asks, 'Allow once');
      await answer.waitFor();
      await scene().idle();
      expect(scene().told()).toContain(
        name === 'list_tabs' ? `${id}: (no access to its title and address)` : 'don’t look at it',
      );
      expect(scene().told()).not.toMatch(/\/key|4711/);
    }
    await key.close();
    await page.close();
    // What Portside's own tools read has calls asked about again.
    await panel().getByRole('button', { name: 'New chat' }).click();
  });

  it('asks the model, once the user allows it, and is told when they do not', async () => {
    const dialog = panel().getByRole('alertdialog', { name: `Approve sampling for ${NAME}` });
    const args = { prompt: `Name a port${', please'.repeat(100)}, in a word`, maxTokens: 50 };
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
    expect(await dialog.getByText('in a word').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Show all' }).press('Enter');
    await dialog.getByText('in a word').waitFor();
    await dialog.getByRole('button', { name: 'Show less', expanded: true }).press('Enter');
    await dialog.getByText('in a word').waitFor({ state: 'detached' });
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

    await pressAtOnce();
    const denied = await scene().begin('trigger-sampling-request', args);
    await dialog.waitFor();
    await inputIsTaken();
    await decide(dialog, 'Deny');
    await denied.ended();
    expect(scene().told()).toContain('rejected sampling request');
  });

  it('asks the model twice at once: keys are shown by the card that they answer', async () => {
    const dialog = panel().getByRole('alertdialog', { name: `Approve sampling for ${NAME}` });
    const field = panel().getByRole('textbox', { name: 'Message', exact: true });
    const shown = (...keys: string[][]) =>
      until('each card shows the keys that it answers', async () => {
        const texts = await Promise.all(keys.map((_, at) => dialog.nth(at).locator('kbd').allTextContents()));
        return JSON.stringify(texts) === JSON.stringify(keys);
      });
    const asks = ['one', 'two'].map((prompt, index) =>
      call({
        id: prompt,
        name: offered('trigger-sampling-request'),
        arguments: JSON.stringify({ prompt }),
        index,
      }),
    );
    scene().model.script(stream(...asks), stream(text('Neither was answered.')));
    await scene().ask('Let it ask twice');
    await dialog.nth(1).waitFor();
    await shown(['Ctrl ⏎', 'Esc'], []);
    await dialog.nth(1).focus();
    await shown([], ['Ctrl ⏎', 'Esc']);
    await field.fill('Not yet sent');
    await shown(['Esc'], []);
    await field.fill('');
    await shown(['Ctrl ⏎', 'Esc'], []);
    await dialog.nth(1).focus();
    await panel().evaluate('window.pressed = performance.now()');
    await inputIsTaken();
    await panel().keyboard.press('Escape');
    await until('the second one is gone', async () => (await dialog.count()) === 1);
    // The other question may have been of the same call, and moves as that ends: it is a card of its own then.
    await until('one call has ended', async () =>
      (await scene().stored()).toolCalls.slice(-2).some(({ status }) => status !== 'running'),
    );
    await shown(['Ctrl ⏎', 'Esc']);
    await panel().evaluate('window.pressed = performance.now()');
    await inputIsTaken();
    await field.press('Escape');
    await scene().articles('Assistant').getByText('Neither was answered.').waitFor();
    await scene().idle();
  });

  if (kind === 'sse') return; // what is on the screen is the same

  it('asks two things at once: the one that is answered leaves the focus with the other', async () => {
    const request = form(`Request from ${NAME}`);
    const asks = ['one', 'two'].map((id, index) =>
      call({ id, name: offered('trigger-elicitation-request'), arguments: '{}', index }),
    );
    scene().model.script(stream(...asks), stream(text('Neither, then.')));
    await scene().ask('Ask twice');
    await request.nth(1).waitFor();
    await panel().evaluate('window.pressed = performance.now()');
    await inputIsTaken();
    await request.first().getByRole('button', { name: 'Cancel' }).press('Enter');
    await until('one of them is gone', async () => (await request.count()) === 1);
    expect(await panel().evaluate("document.activeElement.matches('form.ask')")).toBe(true);
    await panel().evaluate('window.pressed = performance.now()');
    await inputIsTaken(); // what answers keys from now on takes none in the first moment
    await panel().keyboard.press('Escape');
    await scene().articles('Assistant').getByText('Neither, then.').waitFor();
    await scene().idle();
  });

  it('may ask with any number of words: what it asks for, and the buttons, stay in sight', async () => {
    const { ended } = await scene().begin('trigger-url-elicitation', {
      url: 'https://long.test/',
      message: `Words${' and words'.repeat(300)} and an end`,
    });
    const request = form(`Request from ${NAME}`);
    const message = request.getByText('and an end');
    await message.press('End');
    await until('the message is read to its end by the keyboard', () =>
      panel().evaluate<boolean>(`{
        const { scrollTop, scrollHeight, clientHeight } = document.activeElement;
        scrollTop > 0 && scrollTop > scrollHeight - clientHeight - 2;
      }`),
    );
    await request.getByText('https://long.test/').scrollIntoViewIfNeeded();
    for (const part of [
      request.getByText('https://long.test/'),
      request.getByRole('button', { name: 'Decline' }),
    ]) {
      const box = await part.boundingBox();
      const height = await panel().evaluate<number>('innerHeight');
      expect(box?.y).toBeGreaterThan(0);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(height);
    }
    await decide(request, 'Decline');
    await ended();
  });
}
