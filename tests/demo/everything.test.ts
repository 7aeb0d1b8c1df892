import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { choose, type ModelTool } from '../../demo/choose.ts';
import { startDemoServer, type DemoServer } from '../../demo/server.ts';

let server: DemoServer;
let tools: ModelTool[];

beforeAll(async () => {
  server = await startDemoServer();
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(server.url)) as Parameters<Client['connect']>[0],
  );
  const listed = await client.listTools();
  tools = listed.tools.map(({ name, description = '', inputSchema }) => ({
    name: `mcp__1__${name}`,
    description,
    parameters: inputSchema,
  }));
  await client.close();
}, 30_000);

afterAll(() => server.stop());

describe('the demo model with the tools of the demo server', () => {
  it.each([
    ['Add 2 and 40 with the sum tool', 'get-sum', { a: 2, b: 40 }],
    ['Add 2 and 40', 'get-sum', { a: 2, b: 40 }],
    ['Echo the word banana7', 'echo', { message: 'banana7' }],
    ['Please use the echo tool to say good morning', 'echo', { message: 'good morning' }],
    [
      'Run a long operation for 2 seconds with 3 steps',
      'trigger-long-running-operation',
      { duration: 2, steps: 3 },
    ],
    ['Show me the tiny image', 'get-tiny-image', {}],
    ['Structured content for Chicago', 'get-structured-content', { location: 'Chicago' }],
    ['Get the annotated message of type error', 'get-annotated-message', { messageType: 'error' }],
    ['Give me 3 resource links', 'get-resource-links', { count: 3 }],
    ['Show my environment variables', 'get-env', {}],
  ])('%s', (question, name, args) => {
    expect(choose(question, tools)).toEqual({
      type: 'calls',
      calls: [{ name: `mcp__1__${name}`, arguments: args }],
    });
  });

  it('adds and echoes in one turn', () => {
    expect(choose('Add 2 and 3 and also echo hello', tools)).toMatchObject({
      calls: [{ name: 'mcp__1__get-sum' }, { name: 'mcp__1__echo', arguments: { message: 'hello' } }],
    });
  });

  it.each([
    'What is the capital of France?',
    'Hello',
    'What image formats exist?',
    'Who simulated the moon landing?',
    'Explain logging in Python',
    'Write a poem about the sea',
    'Who are you?',
  ])('chooses none for: %s', (question) => {
    expect(choose(question, tools)).toEqual({ type: 'none' });
  });
});
