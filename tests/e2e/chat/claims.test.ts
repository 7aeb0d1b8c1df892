import { Buffer } from 'node:buffer';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tokensOfAttachment, tokensOfTool } from '../../../lib/agent/context/tokens.ts';
import { tokensOf } from '../../../lib/types/tokens.ts';
import type { Traits } from '../../../lib/types/model.ts';
import { MEMORY_TOOL } from '../../../lib/types/note.ts';
import { OWN_TOOLS } from '../../../lib/types/tools/tool-source.ts';
import { usageWords } from '../../../lib/state/chat/usage.ts';
import { units } from '../../../locales/units.ts';
import { startMcpServer, type TestMcpServer } from '../../fakes/mcp-server.ts';
import { type RecordedRequest, stream, text, usage } from '../../fakes/model-server.ts';
import { addServer, openScene, type Scene, server, until } from '../support/scene.ts';

let scene: Scene;
let second: TestMcpServer;
let secondId = 0;

beforeAll(async () => {
  [scene, second] = await Promise.all([openScene(), startMcpServer()]);
});
beforeEach(async () => {
  const { command } = scene.portside;
  await command('saveSettings', { maxTools: 128, maxToolShare: 10 });
  await traits({});
  await setTool('look_up', true);
  await command('connect', { id: 1 });
  await panel().getByRole('button', { name: 'New chat' }).click();
});
afterAll(async () => {
  await scene.close();
});

const panel = () => scene.portside.panel;
const sheet = () => panel().getByRole('dialog', { name: 'Tools for this chat' });
const setTool = (name: string, enabled: boolean, serverId = 1) =>
  scene.portside.command('setTool', { serverId, name, enabled });

/** Dollars for a million tokens: so much that every token shows in the cents. */
const price = { input: 2000, output: 10_000 };
const traits = (own: Traits) =>
  scene.portside.command('setModel', { providerId: 1, id: 'test-model', chosen: { price, ...own } });

const words = 'Tides follow the moon. '.repeat(30).trim();
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const question = 'Why?';

const chip = (name: string) =>
  panel()
    .locator('form')
    .getByRole('list', { name: 'Context' })
    .getByRole('listitem')
    .filter({ hasText: name });

/** In one draft a text, and a picture. */
async function attach(): Promise<void> {
  const file = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer });
  await panel()
    .locator('input[type=file]')
    .setInputFiles([
      file('tides.txt', 'text/plain', Buffer.from(words)),
      file('moon.png', 'image/png', Buffer.from(png, 'base64')),
    ]);
  for (const name of ['tides.txt', 'moon.png'])
    await chip(name)
      .getByRole('button', { name: `Remove ${name}` })
      .waitFor();
  await until('both are read', async () => (await panel().locator('form .spin').count()) === 0);
}

/** All that a model can be offered while no notes are kept. */
const countTools = async (): Promise<number> =>
  (await scene.portside.command('listTools', {})).filter(({ fullName }) => fullName !== MEMORY_TOOL).length;

/** What the panel says before anything is asked. */
async function claims() {
  await panel()
    .getByRole('button', { name: /^Servers: / })
    .click();
  const status = await sheet().getByRole('status').first().textContent();
  const fill = (await sheet().locator('.pop-foot').textContent()) ?? '';
  await sheet().getByRole('button', { name: 'Close tools' }).click();
  return {
    empty: (await panel().locator('.start p').first().textContent()) ?? '',
    status,
    fill,
    chips: await panel().locator('form .chip .num:has(.word)').allTextContents(),
    isPictureSent:
      (await chip('moon.png').getByText('Only a note that one was attached is sent.').count()) === 0,
    dock: await dock(),
  };
}

const dock = async (): Promise<string> => (await panel().locator('.where .num').textContent()) ?? '';

/** What a provider counts of a request, to the token: here, all of its body. */
const inputOf = (body: RecordedRequest['body']): number => tokensOf(JSON.stringify(body));
const OUTPUT = 20;

async function asked(): Promise<RecordedRequest['body']> {
  const before = scene.model.requests.length;
  scene.model.script(({ body }) => stream(text('Said.'), usage(inputOf(body), OUTPUT)));
  await scene.ask(question);
  await scene.articles('Assistant').getByText('Said.').waitFor();
  await scene.idle();
  const request = scene.model.requests[before];
  if (!request) throw new Error('The model was not asked.');
  return request.body;
}

const tokensOfAll = (tools: RecordedRequest['body']['tools'] = []): string =>
  units.amount(
    tools.reduce(
      (sum, { function: { name, description = '', parameters } }) =>
        sum + tokensOfTool({ name, description, inputSchema: parameters as never }),
      0,
    ),
  );
/** Those that can be chosen: what is left of a result can always be read. */
const namesIn = ({ tools = [] }: RecordedRequest['body']): string[] =>
  tools.map((tool) => tool.function.name).filter((name) => name !== 'read_more');
const isOfServer = (name: string): boolean => name.startsWith('mcp__');

/** The question with what is attached to it: its text, and how many pictures. */
function attachedIn({ messages }: RecordedRequest['body']): { content: string; pictures: number } {
  const content = messages.at(-1)?.content as string | { type: string; text?: string }[];
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return {
    content: parts.map((part) => part.text ?? '').join(''),
    pictures: parts.filter(({ type }) => type === 'image_url').length,
  };
}

/**
 * The words around attachments, which no chip counts: one sentence for all of them, each one’s tag with its title and
 * source, and the note in the place of a picture. They are the same whatever is attached.
 */
const FRAME = 130;

type Body = RecordedRequest['body'];
type Claims = Awaited<ReturnType<typeof claims>>;

/** What was attached takes what its chip and the dock say, as Portside counts: to the token. */
function expectAttachments({ chips, dock: claimed, isPictureSent }: Claims, body: Body): void {
  const { content, pictures } = attachedIn(body);
  expect(pictures).toBe(isPictureSent ? 1 : 0);
  const sent = /<external-\w{8} title="tides.txt"[^>]*>\n([^]*?)\n<\/external/.exec(content)?.[1] ?? '';
  expect(sent).toBe(words);
  const source = { type: 'file', name: '', size: words.length } as const;
  const ofText = tokensOfAttachment({ title: 'tides.txt', source, text: sent });
  // Providers count pictures by their size; Portside says the most that the usual ones take.
  const picture = { url: '', width: 1, height: 1 } as never;
  const ofPicture = tokensOfAttachment({ title: 'moon.png', source, text: '', pictures: [picture] });
  const counted = isPictureSent ? [ofText, ofPicture] : [ofText];
  expect(chips).toEqual(counted.map((tokens) => `${units.amount(tokens)} tokens`));
  const sum = counted.reduce((one, other) => one + other);
  expect(claimed).toMatch(new RegExp(`^${units.amount(sum)} of \\S+ tokens$`));
  const around = tokensOf(content) - tokensOf(question) - ofText;
  expect(around).toBeGreaterThanOrEqual(0);
  expect(around).toBeLessThan(FRAME);
}

/** The answer’s tokens and price, and the dock, are what the provider counted of the request. */
async function expectCost(body: Body): Promise<void> {
  const [inputTokens, outputTokens] = [inputOf(body), OUTPUT];
  const cost = (inputTokens * price.input + outputTokens * price.output) / 1_000_000;
  const foot = usageWords({ inputTokens, outputTokens, cost });
  await scene.articles('Assistant').getByText(foot).waitFor();
  const total = units.amount(inputTokens + outputTokens);
  await until('the dock says it', async () => (await dock()).startsWith(`${total} of `));
}

function expectTools({ empty, status, fill }: Claims, body: Body): void {
  const names = namesIn(body);
  expect(status).toBe(`${names.length} on, ${tokensOfAll(body.tools)} tokens`);
  expect(fill).not.toContain('found by search');
  const ofServers = names.filter(isOfServer).length;
  const begins =
    ofServers > 0
      ? new RegExp(`^${ofServers} tools? from`)
      : names.includes('read_page')
        ? /^Portside can read your pages/
        : /^Portside’s page tools are off/;
  expect(empty).toMatch(begins);
}

/** Portside’s own tools that read pages, one by one. */
const PAGE_TOOLS = [
  'extract_table',
  'find',
  'find_in_page',
  'read_page',
  'read_selection',
  'read_tab',
  'screenshot',
  'snapshot',
];

describe('what the panel says is what the model is sent', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['one server, and a model that sees pictures', () => traits({ vision: true })],
    [
      'two servers',
      async () => {
        secondId = await addServer(scene.portside, server(second.url, { name: 'Second' }));
        await traits({ contextWindow: 100_000 });
      },
    ],
    [
      'a server that lost its connection',
      async () => {
        scene.portside.expectComplaint(/ERR_CONNECTION_REFUSED/);
        await second.close();
        await scene.portside.command('reconnectServer', { id: secondId });
      },
    ],
    ['a tool that is off everywhere', () => setTool('look_up', false)],
    [
      'a tool that is off in this chat',
      () =>
        scene.portside.command('setChat', { conversationId: 'new', tools: { mcp__1__write_note: false } }),
    ],
    ['no server', () => scene.portside.command('disconnect', { id: 1 })],
    [
      'as many tools as a request may have',
      async () => {
        const length = await countTools();
        await scene.portside.command('saveSettings', { maxTools: length + 1 });
      },
    ],
  ])('all tools go along: %s', async (_, prepare) => {
    await prepare();
    await attach();
    const said = await claims();
    const body = await asked();
    expectTools(said, body);
    expectAttachments(said, body);
    await expectCost(body);
  });

  it.each<[string, () => Promise<unknown>, string]>([
    ['a small context', () => traits({ contextWindow: 8192 }), '8k context: tools are found by search.'],
    [
      'more than a request may have',
      () => scene.portside.command('saveSettings', { maxTools: 1 }),
      'With this many, tools are found by search.',
    ],
  ])('tools are found by search: %s', async (_, prepare, why) => {
    await prepare();
    await attach();
    const said = await claims();
    const body = await asked();
    const length = await countTools();
    expect(said.status).toBe(`${length} on, found by search`);
    expect(said.fill).toContain(`${why} ${tokensOfAll(body.tools)} tokens of definitions are sent.`);
    expect(said.empty).toMatch(/tools are found by search\.$/i);
    const names = namesIn(body);
    expect(names).toEqual(expect.arrayContaining(['search_tools', 'read_page', 'current_time']));
    expect(names.filter(isOfServer)).toEqual([]);
    expectAttachments(said, body);
    await expectCost(body);
  });

  it('what acts on pages is found by search, and all else goes along: one more than a request may have', async () => {
    const length = await countTools();
    await scene.portside.command('saveSettings', { maxTools: length });
    await attach();
    const said = await claims();
    const body = await asked();
    const tokens = tokensOfAll(body.tools);
    expect(said.status).toBe(`${length} on, ${tokens} tokens`);
    expect(said.fill).toContain(
      `Tools that act on pages are found by search. ${tokens} tokens of definitions`,
    );
    expect(said.empty).not.toContain('search');
    const names = namesIn(body);
    expect(names).not.toContain('click');
    expect(names).toEqual(expect.arrayContaining(['search_tools', 'read_page', 'open_tab']));
    expect(names.filter(isOfServer)).not.toEqual([]);
    await expectCost(body);
  });

  it('no tool goes to a model that calls none', async () => {
    await traits({ tools: false });
    await attach();
    const said = await claims();
    const body = await asked();
    expect(body).not.toHaveProperty('tools');
    expect(said.empty).toContain('This model doesn’t support tools');
    expect(said.status).toBe('None sent');
    expect(said.fill).toContain('none are sent');
    expectAttachments(said, body);
    await expectCost(body);
  });

  it('pages can’t be read where the tools for that are off', async () => {
    await scene.portside.command('disconnect', { id: 1 });
    for (const name of PAGE_TOOLS) await setTool(name, false, OWN_TOOLS);
    await attach();
    const said = await claims();
    const body = await asked();
    expect(namesIn(body).filter((name) => PAGE_TOOLS.includes(name))).toEqual([]);
    expectTools(said, body);
    expectAttachments(said, body);
    await expectCost(body);
  });
});
