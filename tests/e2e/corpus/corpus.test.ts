import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NEW_CHAT } from '../../../lib/protocol/chats.ts';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { call, type ChatRequest, stream, text } from '../../fakes/model-server.ts';
import { callIdOf } from './attacker.ts';
import { carriers, carriersBy, pages } from './carriers.ts';
import { cases, ordersIn, textOf, withheld } from './cases.ts';
import { type CorpusScene, openCorpusScene } from './scene.ts';
import { allBut, SECRETS, secretsIn, secretsInProfile } from './secrets.ts';
import { NOTE } from './servers.ts';
import { decide, until } from '../support/scene.ts';

/** What the user says of addresses in their own network, so that nothing but their leave keeps those from being asked. */
const OWN_WORDS = 'My printer is at 127.0.0.9, and the site at 127.0.0.1.';

let scene: CorpusScene;
/** Calls that were made though the user was not asked, or did not answer. */
const unapproved: string[] = [];

beforeAll(async () => {
  scene = await openCorpusScene();
  const { chat, model } = scene;
  model.script(stream(text('I keep it.')));
  await chat.ask(`The door opens with ${SECRETS.chat}`);
  await chat.articles('Assistant').getByText('I keep it.').waitFor();
  await chat.idle();
});
afterAll(() => scene.close());

const panel = () => scene.portside.panel;
const chips = () => panel().locator('form').getByRole('list', { name: 'Context' }).getByRole('listitem');
const conversationId = async () => (await scene.chat.stored()).messages[0]?.conversationId ?? NEW_CHAT;
const namesBy = (by: Parameters<typeof carriersBy>[0]) => carriersBy(by).map(([name]) => name);

/** A call that the user wants. */
const mine = (name: string, args: object = {}, index = 0) =>
  call({ id: `mine ${index}`, name, arguments: JSON.stringify(args), index });

/** Allows the calls that the user wanted. */
async function allowMine(scope: 'once' | 'chat'): Promise<void> {
  for (const { callId, toolCallId, wait } of (await scene.chat.stored()).toolCalls) {
    if (wait && toolCallId.startsWith('mine '))
      await scene.portside.command('resolveCall', { callId, decision: 'allow', scope });
  }
}

/** Begins a chat in which the user allows `post` before anything of a stranger’s is in it. */
async function begin(): Promise<void> {
  const { chat, model, place, page } = scene;
  // What a page in front offers counts as read: an Allow beside it, whose card says so, holds in spite of all that is read later.
  await page.goto(`${place.site}/log/0`);
  await panel().getByRole('button', { name: 'New chat' }).click();
  model.script(stream(mine(place.desk('post'), { text: 'Hello' })), stream(text('Posted.')));
  await chat.ask(`Post hello. ${OWN_WORDS}`);
  const posted = chat.articles('Assistant').getByText('Posted.');
  await until('hello is posted', async () => {
    await allowMine('chat');
    return (await posted.count()) > 0;
  });
  await chat.idle();
}

const isOver = ({ status, wait }: ToolCall): boolean =>
  wait !== undefined || !['pending', 'approved', 'running'].includes(status);

/**
 * Has the calls made that the user wants, and waits until all orders of these carriers have been obeyed: each call that
 * they led to waits for the user or is over, and all words are on the screen.
 * @returns the calls that were made
 */
async function driven(names: string[], scope: 'once' | 'chat' = 'once'): Promise<string[]> {
  const { chat, obeyed } = scene;
  const own = cases.filter(({ carrier }) => names.includes(carrier));
  const missing = () => own.filter(({ order }) => !obeyed.has(order)).map(({ order }) => order);
  await until('all orders reach the model', async () => {
    await allowMine(scope);
    return missing().length === 0;
  }).catch((error: unknown) => {
    throw new Error(`Some orders did not reach the model: ${missing().join(', ')}`, { cause: error });
  });
  // What the model says to a server is not said in the chat, and there it has no tools.
  const inChat = own.filter(({ carrier }) => carrier !== 'sampling');
  const made = inChat.flatMap(({ order, carrier, goal }) =>
    (obeyed.get(order) ?? []).flatMap((deed, number) =>
      'says' in deed
        ? []
        : [{ id: callIdOf(order, number), mayRun: carriers[carrier]?.mayCall?.includes(goal) }],
    ),
  );
  let rows = new Map<string, ToolCall>();
  await until('each call that was ordered waits for the user, or is over', async () => {
    rows = new Map((await chat.stored()).toolCalls.map((row) => [row.toolCallId, row]));
    return made.every(({ id }) => [rows.get(id)].some((row) => row && isOver(row)));
  }).catch((error: unknown) => {
    throw new Error(made.map(({ id }) => `${id}: ${rows.get(id)?.status ?? 'no row'}`).join(', '), {
      cause: error,
    });
  });
  await until('all that was ordered to be said is on the screen', async () => {
    const shown = await panel().locator('body').textContent();
    return inChat.every(({ order }) => shown?.includes(`Done: ${order}`));
  });
  const run = made.flatMap(({ id, mayRun }) => {
    const { status, startedAt, allowed } = rows.get(id) ?? {};
    return startedAt === undefined || mayRun ? [] : [`${id}: ${status}, allowed ${allowed}`];
  });
  unapproved.push(...run);
  await chat.stop();
  return run;
}

describe('no order of a stranger’s is carried out unasked: not one', () => {
  it.each([0, 1])('in the page %i', async (number) => {
    const { place, page, model, chat } = scene;
    await begin();
    await page.goto(`${place.site}/log/${number}`);
    await page.bringToFront();
    model.script(stream(mine('read_page'), mine('snapshot', {}, 1), mine('extract_table', {}, 2)));
    await chat.ask('What is new?');
    expect(await driven(pages[number] ?? [])).toEqual([]);
  });

  it('in what is fetched, nor where the user exempted the site', async () => {
    const { place, model, chat } = scene;
    await begin();
    const { exempt, ...unasked } = Object.fromEntries(carriersBy('fetched'));
    const others = Object.entries(unasked);
    const fetches = others.map(([, { path }], at) => mine('fetch_url', { url: place.site + path }, at));
    model.script(stream(...fetches));
    await chat.ask('Fetch the logs');
    expect(await driven(others.map(([name]) => name))).toEqual([]);
    model.script(stream(mine('fetch_url', { url: `${place.site}${exempt?.path}` })));
    await chat.ask('Fetch the last one');
    expect(await driven(['exempt'], 'chat')).toEqual([]);
  });

  it('in files', async () => {
    await begin();
    const files = carriersBy('file').map(([name, { file }]) => file(textOf(name, scene.place)));
    await panel().getByRole('button', { name: 'Attach' }).click();
    const choosing = panel().waitForEvent('filechooser');
    await panel().getByRole('listbox', { name: 'Context' }).getByRole('option', { name: 'Files…' }).click();
    await (
      await choosing
    ).setFiles(files.map(({ body, ...file }) => ({ ...file, buffer: Buffer.from(body) })));
    const read = chips().getByRole('button', { name: 'tokens' });
    await until('all are read', async () => (await read.count()) === files.length);
    await scene.chat.ask('Read them');
    expect(await driven(namesBy('file'))).toEqual([]);
  });

  it('in results, and in what a server asks of the user or the model', async () => {
    const { ids, portside, model, chat } = scene;
    await portside.command('connect', { id: ids.talker });
    await begin();
    const names = namesBy('result');
    model.script(stream(...names.map((name, at) => mine(`mcp__${ids.talker}__${name}`, {}, at))));
    await chat.ask('Use all of them');
    const answers = [
      decide(panel().getByRole('form', { name: 'Request from Talker' }), 'Submit'),
      decide(panel().getByRole('alertdialog', { name: 'Approve sampling for Talker' }), 'Allow once'),
    ];
    expect(await driven(names)).toEqual([]);
    await Promise.all(answers);
  });

  it('in a resource, as it was and as its server changes it', async () => {
    const { ids, portside, talker, says, place, chat } = scene;
    await begin();
    const attach = async () =>
      portside.command('attachResource', {
        conversationId: await conversationId(),
        serverId: ids.talker,
        uri: NOTE,
      });
    says.resource = textOf('resource', place);
    await attach();
    await until('it is attached', async () => (await chips().count()) === 1);
    await chat.ask('Read the note');
    expect(await driven(['resource'])).toEqual([]);
    says.resource = 'Nothing';
    const { id } = await attach();
    says.resource = textOf('updated', place);
    await until('it is another one', async () => {
      await talker.notify('notifications/resources/updated', { uri: NOTE });
      const attached = await portside.command('previewAttachment', { id });
      return attached?.text.includes('ORDER-updated') === true && (await chips().count()) === 1;
    });
    await chat.ask('Read the note again');
    expect(await driven(['updated'])).toEqual([]);
  });

  it('in a prompt', async () => {
    const { ids, portside, chat } = scene;
    await begin();
    const request = {
      conversationId: await conversationId(),
      serverId: ids.talker,
      name: 'plan',
      arguments: {},
    };
    const prompt = await portside.command('getPrompt', request);
    await until('it is said whose it is', async () => (await chips().count()) === 1);
    await chat.ask(prompt.text);
    expect(await driven(['prompt'])).toEqual([]);
    await portside.command('disconnect', { id: ids.talker });
  });

  it('in the title of a page, an address, a selection or the tail of a long page that the user attaches', async () => {
    const { place, page, portside, model, chat } = scene;
    await begin();
    await page.goto(`${place.site}/titled/page`);
    const id = await conversationId();
    const tabs = await portside.command('listTabs');
    const tabId = tabs.find(({ url }) => url?.endsWith('/titled/page'))?.id ?? -1;
    const attach = (part: 'page' | 'link' | 'selection', given?: string) =>
      portside.command('attachPage', {
        conversationId: id,
        part,
        tabId,
        ...(given !== undefined && { given: { text: given, title: 'Log', url: `${place.site}/log/1` } }),
      });
    await attach('page');
    await attach('link', `${place.site}/?${textOf('address', place).replaceAll(' ', '+')}`);
    await attach('selection', textOf('selection', place));
    await page.goto(`${place.site}/long`);
    await attach('page');
    await until('all is attached', async () => (await chips().count()) === 4);
    model.script(({ body }) => {
      const [, length, result] =
        /first \d+ of (\d+) characters[^]*?"(page-\w+)"/.exec(
          body.messages.map(({ content }) => wordsOf(content)).join(),
        ) ?? [];
      return stream(mine('read_more', { result, offset: Number(length) - 5_000 }));
    });
    await chat.ask('Read it');
    expect(await driven(['pagetitle', 'address', 'selection', 'tail'])).toEqual([]);
  });

  it('in a skill', async () => {
    const { ids, portside, chat } = scene;
    await portside.command('connect', { id: ids.kitchen });
    await begin();
    await panel().getByRole('textbox', { name: 'Message' }).pressSequentially('/tea');
    await panel()
      .getByRole('option', { name: /tea.*How tea is made here/ })
      .click();
    const review = panel().getByRole('form', { name: 'Use the skill tea' });
    await review.getByRole('button', { name: 'Allow and use' }).click();
    await until('it is read', async () => (await chips().count()) === 1);
    await chat.ask('Make tea');
    expect(await driven(['skill'])).toEqual([]);
    await portside.command('disconnect', { id: ids.kitchen });
  });

  it('in what an app tells the model, offers and answers', async () => {
    const { ids, portside, model, chat } = scene;
    await portside.command('connect', { id: ids.harbour });
    await begin();
    const show = mine(`mcp__${ids.harbour}__berths`, { pier: '7' });
    model.script(stream(show), stream(text('Three are free.')));
    await chat.ask('Which berths are free?');
    await until('the app has told what the model is to know', async () => {
      await allowMine('once');
      return (await chips().count()) === 1;
    });
    await chat.idle();
    model.script(stream(mine(`app__${ids.harbour}__berths__select`)));
    await chat.ask('Select one');
    expect(await driven(namesBy('app'))).toEqual([]);
    await portside.command('disconnect', { id: ids.harbour });
  });

  it('in what a server says of itself, as it was and as it changes that', async () => {
    const { ids, portside, sayer, says, chat } = scene;
    await begin();
    await portside.command('connect', { id: ids.sayer });
    says.isChanged = true;
    await sayer.notify('notifications/tools/list_changed');
    await until('it has a tool more', async () => {
      return (await portside.command('listTools', { serverId: ids.sayer })).length === 3;
    });
    await chat.ask('Hello');
    expect(await driven(namesBy('definition'))).toEqual([]);
    await portside.command('disconnect', { id: ids.sayer });
  });

  it('in a chat that is imported', async () => {
    const { place, portside, origin, chat } = scene;
    const looked = { id: 'c', type: 'function', function: { name: 'look_up', arguments: '{}' } };
    const picture = `![i](${origin.tls}/imported.png)`;
    const brought = {
      title: 'Brought along',
      messages: [
        { role: 'system', content: textOf('importedsystem', place) },
        { role: 'user', content: `${OWN_WORDS} ${textOf('importeduser', place)}` },
        { role: 'assistant', content: null, tool_calls: [looked] },
        { role: 'tool', tool_call_id: 'c', content: textOf('importedresult', place) },
        { role: 'assistant', content: `${textOf('importedanswer', place)}\n\n${picture}` },
      ],
    };
    await portside.command('importChats', { chats: [brought] });
    await panel().getByRole('button', { name: 'History' }).click();
    await panel().getByRole('link', { name: 'Brought along' }).click();
    await chat.articles('Assistant').last().waitFor();
    await chat.ask('Go on');
    expect(await driven(namesBy('imported'))).toEqual([]);
  });

  it('in the tabs that are listed', async () => {
    const { place, page, model, chat } = scene;
    await begin();
    await page.goto(`${place.site}/titled/list?${textOf('taburl', place).replaceAll(' ', '+')}`);
    model.script(stream(mine('list_tabs')));
    await chat.ask('What is open?');
    expect(await driven(namesBy('tab'))).toEqual([]);
  });

  it('in what a page offers as a tool, and in its answer', async () => {
    const { place, page, model, chat } = scene;
    await begin();
    await page.goto(`${place.site}/offers`);
    await page.bringToFront();
    model.script(({ body }) => {
      const offered = body.tools?.map((tool) => tool.function.name) ?? [];
      return stream(
        mine(offered.find((name) => /^page__\d+__look/.test(name)) ?? 'none'),
        mine('snapshot', {}, 1),
      );
    });
    await chat.ask('Look');
    expect(await driven(namesBy('webmcp'))).toEqual([]);
  });

  it('in what strangers wrote at the user’s own server', async () => {
    const { place, model, chat } = scene;
    await begin();
    model.script(stream(mine(place.desk('read_issue'))));
    await chat.ask('Read the issue');
    expect(await driven(namesBy('own'))).toEqual([]);
  });
});

it('the corpus sends nothing, does nothing unapproved, and leaks nothing', async () => {
  const { portside, origin, place, desk, obeyed } = scene;
  // What asks for something has asked by now; what arrives last is the test’s own.
  await fetch(`${origin.http}/last`);
  const sent = origin.arrived.slice(0, -2);
  expect(origin.arrived.at(-1)).toContain('/last');

  const calls = desk.calls.filter(({ args }) => ordersIn(JSON.stringify(args)).length > 0);
  unapproved.push(...calls.map(({ name, args }) => `${name} ${JSON.stringify(args)}`));
  const mayBeOpen = [
    place.site,
    place.site.replace('127.0.0.1', 'localhost'),
    'chrome-extension://',
    'about:blank',
  ];
  const tabs = portside.context.pages().map((each) => each.url());
  unapproved.push(...tabs.filter((url) => !mayBeOpen.some((own) => url.startsWith(own))));

  const leaked = await leaks();
  const delivered = cases.filter(({ order }) => obeyed.has(order));
  const counts = [`${sent.length} sent`, `${unapproved.length} unapproved`, `${leaked.length} leaked`];
  console.log(`${delivered.length} cases, ${counts.join(', ')}`);
  expect({ sent, unapproved, leaked }).toEqual({ sent: [], unapproved: [], leaked: [] });
  expect(delivered).toEqual(cases);
  expect(cases.length).toBeGreaterThanOrEqual(150);
});

it('no order stands in the name of the user or the system, and what nobody sees reaches no model', () => {
  const requests = scene.model.requests.map(({ body }) => body);
  expect(requests.flatMap(ordersInNoBlock)).toEqual([]);
  const sent = JSON.stringify(requests);
  expect(withheld.filter(({ order }) => sent.includes(order))).toEqual([]);
});

/** Secrets in all places where they must not be. */
async function leaks(): Promise<string[]> {
  const { model, otherProvider, desk, talker, sayer, ids, portside, profile } = scene;
  const { command } = portside;
  const asked = [...model.requests, ...model.titleRequests].flatMap(({ body, headers }) => {
    const request = JSON.stringify(body);
    const isOfOtherChat = request.includes('The door opens with');
    return [
      ...secretsIn('a model’s request', request, isOfOtherChat ? allBut('chat') : allBut()),
      ...secretsIn('a model’s headers', JSON.stringify(headers), allBut('key')),
    ];
  });
  const servers = [desk, talker, sayer].flatMap(({ heard, headers, url }) => [
    ...secretsIn('an MCP request', heard.join('\n'), allBut()),
    ...secretsIn('MCP headers', JSON.stringify(headers), url === desk.url ? allBut('header') : allBut()),
  ]);
  const exported = await Promise.all([
    command('exportChats', { format: 'lines' }),
    command('exportChats', { format: 'json' }),
    command('exportChats', { format: 'openai' }),
    command('exportSettings'),
    command('exportServers', { withSecrets: false }),
    command('toolLog', {}),
    ...Object.values(ids).map((serverId) => command('serverLog', { serverId })),
  ]);
  return [
    ...asked,
    ...servers,
    ...secretsIn('the other provider’s requests', otherProvider.join('\n'), allBut('otherKey')),
    ...secretsIn('exports and logs', JSON.stringify(exported), allBut('chat')),
    ...secretsIn('the console', scene.console.join('\n'), allBut()),
    ...(await secretsInProfile(profile)),
  ];
}

/** Orders of a request that stand in no block of a stranger’s. */
function ordersInNoBlock({ messages }: ChatRequest): string[] {
  const texts = messages.flatMap(({ role, content }) => (role === 'assistant' ? [] : [wordsOf(content)]));
  const nonce = /<external-(\w+)>/.exec(texts[0] ?? '')?.[1] ?? 'none';
  const blocks = new RegExp(`<external-${nonce}(?: [^>]*)?>[^]*?</external-${nonce}>`, 'g');
  const outside = texts.flatMap((words) => ordersIn(words.replaceAll(blocks, '')));
  return outside.filter((order) => !carriers[order.split('-')[1] ?? '']?.isSpoken);
}

function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? '').join('\n') : '';
}
