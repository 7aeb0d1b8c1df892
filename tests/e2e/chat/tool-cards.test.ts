import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, delta, end, gate, stream, text } from '../../fakes/model-server.ts';
import { FOLDED, offered, openScene, type Scene, until } from '../support/scene.ts';

let scene: Scene;

beforeAll(async () => {
  scene = await openScene({ allow: ['echo', 'add', 'progress', 'fail', 'picture'] });
  await scene.portside.context.grantPermissions(['clipboard-read', 'clipboard-write']);
});
afterAll(() => scene.close());

const tool = (name: string, args: object, index = 0) =>
  call({ id: `c${index}`, name: offered(name), arguments: JSON.stringify(args), index });
const line = () => scene.portside.panel.getByRole('button', { name: FOLDED });

async function newChat(): Promise<void> {
  await scene.portside.panel.getByRole('button', { name: 'New chat' }).click();
}

describe('a card', () => {
  it('shows the arguments while they are written, folds when the next step begins, and opens again', async () => {
    const { model, ask, articles, toolCall, unfold, idle } = scene;
    const [half, rest] = [gate(), gate()];
    const second = gate();
    model.script(
      stream(
        delta({
          tool_calls: [
            { index: 0, id: 'c0', type: 'function', function: { name: offered('add'), arguments: '{"a":' } },
          ],
        }),
        half,
        delta({ tool_calls: [{ index: 0, function: { arguments: '2,"b":40}' } }] }),
        rest,
        tool('fail', {}, 1),
      ),
      stream(second, tool('echo', { message: 'hi' })),
      stream(text('The sum is 42.')),
    );
    await ask('Add them');
    await half.reached;
    await toolCall('add').getByText('{"a":').waitFor();
    half.open();
    await toolCall('add').getByText('{"a":2,"b":40}').waitFor();
    rest.open();
    await second.reached;
    await line().filter({ hasText: '1 error' }).waitFor();
    expect(await toolCall('add').count()).toBe(0);
    await toolCall('fail').getByText('fail failed').waitFor();
    second.open();
    await articles('Assistant').getByText('The sum is 42.').waitFor();
    await idle();
    // Nothing was said between the two steps: they are one line.
    expect(await line().innerText()).toMatch(/^3 steps: add, fail, echo · [\d.]+ s · 1 error$/);
    expect(await line().locator('code').allTextContents()).toEqual(['add', 'fail', 'echo']);
    await unfold();
    expect(await line().getAttribute('aria-expanded')).toBe('true');
    expect(await toolCall('add').getAttribute('data-status')).toBe('success');
    expect(await toolCall('echo').getByRole('region').count()).toBe(0);
  });

  it('has its arguments and data as trees for keys and readers, says what allowed it, and can be copied', async () => {
    const { toolCall, portside } = scene;
    const card = toolCall('add');
    await card.getByRole('button', { name: 'Show details' }).press('Enter');
    await card
      .getByRole('region', { name: 'Arguments' })
      .getByRole('treeitem', { name: /^a: ?2$/ })
      .waitFor();
    await card.getByText('Already allowed').waitFor();
    const [log] = await Promise.all([
      portside.context.waitForEvent('page'),
      card.getByRole('link', { name: 'Open in tool log' }).click(),
    ]);
    await log.getByText('1 call', { exact: true }).waitFor();
    await log
      .getByRole('region', { name: 'Arguments' })
      .getByRole('treeitem', { name: /^b: ?40$/ })
      .waitFor();
    await log.getByRole('link', { name: 'All calls' }).click();
    await log.getByText('3 calls', { exact: true }).waitFor();
    await log.close();
    await card.getByText('1 token', { exact: true }).waitFor();
    await card.getByRole('button', { name: 'Copy arguments' }).click();
    await card.getByText('Copied.').waitFor({ state: 'attached' });
    expect(await portside.panel.evaluate('navigator.clipboard.readText()')).toBe('{"a":2,"b":40}');
  });

  it('that the reader has opened stays as it is when the next step begins', async () => {
    const { model, ask, articles, toolCall, mcp, idle } = scene;
    await newChat();
    mcp.hold('echo');
    const rows = [
      { sdk: 'TypeScript', issue: 1708 },
      { sdk: 'Python', issue: 3556 },
    ];
    model.script(stream(tool('echo', { message: JSON.stringify(rows) })), stream(text('As you see.')));
    await ask('Show them');
    await toolCall('echo').getByRole('button', { name: 'Show details' }).click();
    mcp.release('echo');
    await articles('Assistant').getByText('As you see.').waitFor();
    await idle();
    expect(await line().count()).toBe(0);
    const result = toolCall('echo').getByRole('region', { name: 'Result' });
    await result.getByRole('columnheader', { name: 'sdk' }).waitFor();
    await result.getByRole('cell', { name: '3556' }).waitFor();
    await result.getByRole('tab', { name: 'Table' }).press('ArrowRight');
    const tree = result.getByRole('tree', { name: 'Result' });
    await tree.waitFor();
    expect(await result.getByRole('tab', { name: 'Structured' }).getAttribute('aria-selected')).toBe('true');
    // One stop of Tab, arrows within; Left closes, and goes to what it stands in.
    const items = tree.getByRole('treeitem');
    expect(await items.count()).toBe(6);
    await items.first().focus();
    await items.first().press('ArrowDown');
    const { keyboard } = scene.portside.panel;
    await keyboard.press('ArrowLeft');
    await keyboard.press('ArrowLeft');
    expect(await items.count()).toBe(4);
    await keyboard.press('ArrowRight');
    expect(await items.count()).toBe(6);
    expect(await tree.locator('[tabindex="0"]').count()).toBe(1);
  });

  it('shows how far a call is, and a picture whole', async () => {
    const { model, ask, articles, toolCall, mcp, unfold, portside, idle } = scene;
    await newChat();
    mcp.hold('progress');
    model.script(
      stream(tool('progress', { steps: 3 }), tool('picture', {}, 1)),
      stream(text('Done with both.')),
    );
    await ask('Do both');
    await toolCall('progress').getByText('3 of 3').waitFor();
    await toolCall('progress').getByRole('progressbar', { name: 'progress progress' }).waitFor();
    mcp.release('progress');
    await articles('Assistant').getByText('Done with both.').waitFor();
    await idle();
    const seen = portside.panel.getByRole('img', { name: 'Image, image/png' });
    await seen.waitFor(); // though all is folded
    await unfold();
    await toolCall('picture').getByRole('img').waitFor();
    await toolCall('picture').getByRole('button', { name: 'Show details' }).press('Enter');
    await toolCall('picture').getByText('Image, image/png, 1 × 1, ').waitFor();
    await toolCall('picture').getByRole('button', { name: 'Open image' }).click();
    await portside.panel.getByRole('dialog').getByRole('img').waitFor();
    await portside.panel.keyboard.press('Escape');
    await portside.panel.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

describe('the pictures of a result', () => {
  it('are all seen with nothing opened, and the model is told which are', async () => {
    const { model, ask, articles, idle, portside } = scene;
    await newChat();
    const types = [...Array(6).fill('image/png'), 'image/svg+xml'];
    const pause = gate();
    model.script(stream(tool('picture', { types })), stream(pause, text('Six of seven.')));
    await ask('Draw seven');
    const pictures = portside.panel.getByRole('img', { name: 'Image, image/png' });
    await until('six are in the open card', async () => (await pictures.count()) === 6);
    await pause.reached;
    const told = model.requests.at(-1)?.body.messages.findLast(({ role }) => role === 'tool')?.content;
    const lines = String(told).split('\n');
    expect(lines.filter((each) => each.endsWith('is shown to the user.]'))).toHaveLength(6);
    expect(lines.filter((each) => /image\/svg.*, which the user can’t see\.\]$/.test(each))).toHaveLength(1);
    pause.open();
    await articles('Assistant').getByText('Six of seven.').waitFor();
    await idle();
    expect(await line().innerText()).toMatch(/^Used picture · [\d.]+ s$/);
    expect(await line().locator('code').allTextContents()).toEqual(['picture']);
    expect(await pictures.count()).toBe(6);
    await pictures.last().scrollIntoViewIfNeeded();
    await portside.panel.getByRole('button', { name: 'Open image' }).last().click();
    await portside.panel.getByRole('dialog').getByRole('img').waitFor();
    await portside.panel.keyboard.press('Escape');
  });
});

describe('reasoning', () => {
  it('says that the model thinks, opens while it does, and then how long it did', async () => {
    const { model, ask, articles, portside, idle } = scene;
    await newChat();
    const pause = gate();
    model.script(
      stream(
        delta({ reasoning_content: 'First I look.\nThen ' }),
        pause,
        delta({ reasoning_content: '**I think.**' }),
        text('Thought through.'),
      ),
    );
    await ask('Think');
    await pause.reached;
    const thinking = articles('Assistant').getByRole('button', { name: /^Thinking, \d+ s$/ });
    await thinking.click();
    const thoughts = articles('Assistant').getByRole('region', { name: 'Reasoning' });
    await thoughts.getByText('First I look.').waitFor();
    pause.open();
    await thoughts.getByText('Then I think.').waitFor();
    await articles('Assistant').getByText('Thought through.').waitFor();
    await idle();
    const thought = articles('Assistant').getByRole('button', { name: /^Thought for [\d.]+ s$/ });
    expect(await thought.getAttribute('aria-expanded')).toBe('true');
    await thoughts.locator('strong', { hasText: 'I think.' }).waitFor();
    const again = await portside.reopenPanel();
    await again.getByRole('button', { name: /^Thought for [\d.]+ s$/, expanded: false }).waitFor();
    expect(await again.getByRole('region', { name: 'Reasoning' }).count()).toBe(0);
  });
});

describe('an error', () => {
  it('is an alert while it is the newest, and a line when the next try is over', async () => {
    const { model, ask, articles, portside, idle } = scene;
    await newChat();
    portside.expectComplaint(/status of 401 .*chat\/completions/);
    model.script({ type: 'answer', status: 401, body: '{"error":{"message":"no"}}', headers: {} });
    await ask('Try');
    const alert = portside.panel.getByRole('alert').filter({ has: portside.panel.getByRole('button') });
    await alert.getByRole('button', { name: 'Retry' }).waitFor();
    const words = await alert.getByRole('heading').innerText();
    model.script(stream(text('Better now.')));
    await alert.getByRole('button', { name: 'Retry' }).click();
    await articles('Assistant').getByText('Better now.').waitFor();
    await idle();
    expect(await portside.panel.getByRole('alert').count()).toBe(0);
    const log = portside.panel.getByRole('log');
    const past = log.getByRole('button', { name: words });
    expect(await past.getAttribute('aria-expanded')).toBe('false');
    await past.press('Enter');
    await log.getByText(/^HTTP 401, no/).waitFor();
  });
});

describe('an answer that broke off', () => {
  it('stays in sight while it is asked for again, and is called stopped only when it is', async () => {
    const { model, ask, idle, portside } = scene;
    await newChat();
    const pause = gate();
    model.script(stream(text('A first try'), end()), stream(pause, text('Never said')));
    await ask('Hello');
    await pause.reached;
    const panel = await portside.reopenPanel();
    const answer = panel.getByRole('article', { name: 'Assistant' });
    await answer.getByText('A first try').waitFor();
    expect(await answer.getByText('Stopped before it finished.').count()).toBe(0);
    await panel.getByRole('button', { name: 'Stop', exact: true }).click();
    await idle();
    await answer.getByText('Stopped before it finished.').waitFor();
  });
});
