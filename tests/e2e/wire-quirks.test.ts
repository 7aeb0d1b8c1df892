import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Message } from '../../lib/types/message.ts';
import type { Run } from '../../lib/types/run.ts';
import type { ToolCall } from '../../lib/types/tool.ts';
import { FIXTURE_MODEL, type FixtureServer, startFixtureServer } from '../fakes/fixture-server.ts';
import { startMcpServer, type TestMcpServer } from '../fakes/mcp-server.ts';
import type { WireFixture } from '../fakes/wire-fixture.ts';
import { expectOutcome } from '../fakes/wire-outcome.ts';
import { fixtures } from '../models/fixtures/all.ts';
import { openPortside, type Portside } from './browser.ts';
import { readRows } from './rows.ts';
import { server as mcpServer, until } from './scene.ts';

let portside: Portside;
let models: FixtureServer;
let mcp: TestMcpServer;
let ended: { runs: Run[]; messages: Message[]; toolCalls: ToolCall[] };

const conversation = (index: number) => `fixture-${index}`;

/** Every fixture is a chat with a provider of its own; all of them are asked at the same time. */
beforeAll(async () => {
  [models, mcp, portside] = await Promise.all([
    startFixtureServer(fixtures),
    startMcpServer(),
    openPortside(),
  ]);
  // What Chromium itself writes to the console for a request that fails.
  portside.expectComplaint(/Failed to load resource/);
  await offerAddAndEcho();
  for (const [index, fixture] of fixtures.entries()) await ask(fixture, index);
  const isOver = ({ status }: Run) => status === 'ended';
  await until(
    'every run ends',
    async () => {
      const rows = await readRows(portside.options, 'runs');
      return rows.length === fixtures.length && rows.every(isOver);
    },
    150_000,
  ).catch(() => undefined); // the fixtures whose run has no end fail by themselves, by name
  ended = {
    runs: await readRows(portside.options, 'runs'),
    messages: await readRows(portside.options, 'messages'),
    toolCalls: await readRows(portside.options, 'toolCalls'),
  };
}, 240_000);

afterAll(async () => {
  try {
    await portside?.close();
  } finally {
    await Promise.all([models?.close(), mcp?.close()]);
  }
});

it.each(fixtures.map((fixture, index) => ({ ...fixture, index })))('row $row: $name', (fixture) => {
  const own = <T extends { conversationId: string }>(rows: T[]) =>
    rows.filter(({ conversationId }) => conversationId === conversation(fixture.index));
  const run = own(ended.runs)[0];
  const messages = own(ended.messages).toSorted((a, b) => a.seq - b.seq || a.sub - b.sub);
  const place = (call: ToolCall) => messages.findIndex(({ id }) => id === call.messageId);
  expect(run?.status).toBe('ended');
  expectOutcome(fixture, {
    reason: run?.reason,
    error: run?.error?.code,
    messages,
    toolCalls: own(ended.toolCalls).toSorted((a, b) => place(a) - place(b) || a.position - b.position),
    bodies: models.bodies(fixture.index),
  });
});

/** The server's other tools are switched off: fixtures count on two. */
async function offerAddAndEcho(): Promise<void> {
  const { id } = await portside.command('saveServer', mcpServer(mcp.url));
  await portside.command('reconnectServer', { id });
  for (const { serverId, name } of await readRows(portside.options, 'tools')) {
    const wanted = name === 'add' || name === 'echo';
    await portside.command('setTool', { serverId, name, enabled: wanted, permission: 'allow' });
  }
}

async function ask({ preset, traits, settings, ask: text }: WireFixture, index: number): Promise<void> {
  const { id: providerId } = await portside.command('saveProvider', {
    name: `Fixture ${index}`,
    preset: preset ?? 'custom',
    baseUrl: models.url(index),
    model: FIXTURE_MODEL,
  });
  if (traits) {
    await portside.command('refreshModels', { providerId });
    await portside.command('setModel', { providerId, id: FIXTURE_MODEL, chosen: traits });
  }
  await portside.command('setChat', {
    conversationId: 'new',
    providerId,
    model: FIXTURE_MODEL,
    settings: settings ?? {},
  });
  await portside.command('startRun', {
    conversationId: conversation(index),
    runId: `run-${index}`,
    message: { id: `question-${index}`, text: text ?? 'Go' },
  });
}
