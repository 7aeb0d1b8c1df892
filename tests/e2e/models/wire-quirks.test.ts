import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Message } from '../../../lib/types/message.ts';
import type { Run } from '../../../lib/types/run.ts';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { FIXTURE_MODEL, type FixtureServer, startFixtureServer } from '../../fakes/fixture-server.ts';
import type { WireAsk, WireFixture } from '../../fakes/wire-fixture.ts';
import { expectOutcome } from '../../fakes/wire-outcome.ts';
import { UNFIT } from '../../fakes/wire-tools.ts';
import { startWireToolsServer } from '../../fakes/wire-tools-server.ts';
import { fixtures } from '../../models/fixtures/all.ts';
import { openPortside, type Portside } from '../support/browser.ts';
import { readRows, writeRows } from '../support/rows.ts';
import { addServer, server as mcpServer, until } from '../support/scene.ts';

let portside: Portside;
let models: FixtureServer;
let mcp: Awaited<ReturnType<typeof startWireToolsServer>>;
let ended: { runs: Run[]; messages: Message[]; toolCalls: ToolCall[] };

const conversation = (index: number) => `fixture-${index}`;
const runId = (index: number, round: number) => `run-${index}-${round}`;
const asksOf = ({ asks = [{}] }: WireFixture): WireAsk[] => asks;
const toolsOf = ({ tools = ['add', 'echo'] }: WireAsk): string[] => tools;

/** A question, and where it stands: the `round`th of the fixture at `index`. */
type Question = { index: number; round: number; ask: WireAsk };

/** Every fixture is a chat with a provider of its own; all that want the same tools are asked at the same time. */
beforeAll(async () => {
  [models, mcp, portside] = await Promise.all([
    startFixtureServer(fixtures),
    startWireToolsServer(),
    openPortside(),
  ]);
  // What Chromium itself writes to the console for a request that fails.
  portside.expectComplaint(/Failed to load resource/);
  // The fixtures count requests, and know no others than those of their runs.
  await portside.command('saveSettings', { makeTitles: false, system: '' });
  const serverId = await connect();
  const providers: number[] = [];
  for (const [index, fixture] of fixtures.entries()) providers.push(await setUp(fixture, index));
  for (const questions of inTurn()) {
    await offer(serverId, toolsOf(questions[0]?.ask ?? {}));
    for (const question of questions) await put(question, providers[question.index] ?? 0);
    // The fixtures whose run has no end fail by themselves, by name.
    await until('every run ends', () => haveEnded(questions), 120_000).catch(() => undefined);
  }
  ended = {
    runs: await readRows(portside.options, 'runs'),
    messages: await readRows(portside.options, 'messages'),
    toolCalls: await readRows(portside.options, 'toolCalls'),
  };
}, 300_000);

afterAll(async () => {
  try {
    await portside?.close();
  } finally {
    await Promise.all([models?.close(), mcp?.close()]);
  }
});

it.each(fixtures.map((fixture, index) => ({ ...fixture, index })))('row $row: $name', (fixture) => {
  const { index } = fixture;
  const own = <T extends { conversationId: string }>(rows: T[]) =>
    rows.filter(({ conversationId }) => conversationId === conversation(index));
  const last = runId(index, asksOf(fixture).length - 1);
  const run = own(ended.runs).find(({ id }) => id === last);
  const messages = own(ended.messages).toSorted((a, b) => a.seq - b.seq || a.sub - b.sub);
  const place = (call: ToolCall) => messages.findIndex(({ id }) => id === call.messageId);
  expect(run?.status).toBe('ended');
  expectOutcome(fixture, {
    reason: run?.reason,
    error: run?.error,
    unfit: run?.unfit ?? [],
    messages,
    toolCalls: own(ended.toolCalls).toSorted((a, b) => place(a) - place(b) || a.position - b.position),
    bodies: models.bodies(index),
    arrivals: models.arrivals(index),
  });
});

/** The questions that can be asked at the same time, in the order in which that has to be. */
function inTurn(): Question[][] {
  const questions = fixtures.flatMap((fixture, index) =>
    asksOf(fixture).map((ask, round): Question => ({ index, round, ask })),
  );
  const turns = new Map<string, Question[]>();
  for (const question of questions) {
    const turn = `${question.round} ${toolsOf(question.ask).join()}`;
    turns.set(turn, [...(turns.get(turn) ?? []), question]);
  }
  return [...turns.values()].toSorted((a, b) => (a[0]?.round ?? 0) - (b[0]?.round ?? 0));
}

async function haveEnded(questions: Question[]): Promise<boolean> {
  const runs = await readRows(portside.options, 'runs');
  const over = new Set(runs.flatMap(({ id, status }) => (status === 'ended' ? [id] : [])));
  return questions.every(({ index, round }) => over.has(runId(index, round)));
}

/** @returns the id of the server that has the fixtures' tools; all of them are allowed */
async function connect(): Promise<number> {
  const id = await addServer(portside, mcpServer(mcp.url));
  for (const { name } of await readRows(portside.options, 'tools')) {
    await portside.command('setTool', { serverId: id, name, permission: 'allow' });
  }
  // The MCP client takes no such tool from a server: it is there from before.
  const rest = { description: '', annotations: {}, enabled: false, present: true };
  await writeRows(portside.options, 'tools', [
    { ...rest, ...UNFIT, serverId: id, offeredName: `mcp__${id}__${UNFIT.name}` },
  ]);
  return id;
}

/** Switches on these tools and off all others. */
async function offer(serverId: number, wanted: string[]): Promise<void> {
  for (const { name, enabled } of await readRows(portside.options, 'tools')) {
    if (enabled === wanted.includes(name)) continue;
    await portside.command('setTool', { serverId, name, enabled: !enabled });
  }
}

/** Makes the fixture's provider, and what the conversation holds already. @returns the provider's id */
async function setUp({ preset, traits, settings, history }: WireFixture, index: number): Promise<number> {
  const { id: providerId } = await portside.command('saveProvider', {
    name: `Fixture ${index}`,
    preset: preset ?? 'custom',
    api: 'chat',
    baseUrl: models.url(index),
    model: FIXTURE_MODEL,
  });
  if (traits) {
    await portside.command('refreshModels', { providerId });
    await portside.command('setModel', { providerId, id: FIXTURE_MODEL, chosen: traits });
  }
  if (!history) return providerId;
  const own = (id: string) => `${conversation(index)}-${id}`;
  const messages = history.map((message) => ({
    ...message,
    id: own(message.id),
    parentId: message.parentId && own(message.parentId),
    conversationId: conversation(index),
  }));
  const now = new Date().toISOString();
  await writeRows(portside.options, 'messages', messages);
  await writeRows(portside.options, 'conversations', [
    {
      id: conversation(index),
      title: 'Before',
      createdAt: now,
      updatedAt: now,
      leafId: messages.findLast(({ role }) => role !== 'tool')?.id ?? null,
      providerId,
      model: FIXTURE_MODEL,
      settings: settings ?? {},
    },
  ]);
  return providerId;
}

async function put({ index, round, ask: { text } }: Question, providerId: number): Promise<void> {
  await portside.command('setChat', {
    conversationId: round === 0 ? 'new' : conversation(index),
    providerId,
    model: FIXTURE_MODEL,
    settings: fixtures[index]?.settings ?? {},
  });
  await portside.command('startRun', {
    conversationId: conversation(index),
    runId: runId(index, round),
    message: { id: `question-${index}-${round}`, text: text ?? 'Go' },
  });
}
