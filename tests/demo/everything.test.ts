import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { choose, type ModelTool } from '../../lib/models/demo/choose.ts';
import { startDemoServer, type DemoServer } from '../../demo/server.ts';

const deleteFile: ModelTool = {
  name: 'delete-file',
  description: 'Deletes a file',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};

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
});

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

  it.each([
    'No need to add 2 and 3',
    'Under no circumstances delete the file /tmp/a',
    'Nobody should delete the file /tmp/a',
    'Refuse to delete the file /tmp/a',
    'Forget about deleting the file /tmp/a',
    'When would you delete the file /tmp/a?',
    'Was the file /tmp/a deleted?',
    'The file /tmp/a was deleted',
    'I deleted the file /tmp/a yesterday',
    'Stop echoing hello',
    'Please stop echoing hello',
    'No echo of hello, thanks',
    'Skip the sum of 2 and 3',
    'Can you explain the echo tool?',
    'Is the echo tool working?',
    'Hey, is the echo tool working?',
    'What is the echo tool?',
    'Can the echo tool be used for long words?',
  ])('takes it for no request: %s', (question) => {
    expect(choose(question, [...tools, deleteFile])).toEqual({ type: 'none' });
  });

  it.each([
    ['Instead of deleting the file /tmp/a, echo hi', 'mcp__1__echo', { message: 'hi' }],
    ['Echo hi instead of deleting the file /tmp/a', 'mcp__1__echo', { message: 'hi' }],
    ['Delete the file /tmp/a', 'delete-file', { path: '/tmp/a' }],
    ['Can you add 2 and 3?', 'mcp__1__get-sum', { a: 2, b: 3 }],
    ['Could you please add 2 and 3?', 'mcp__1__get-sum', { a: 2, b: 3 }],
    ['I would like you to add 2 and 3', 'mcp__1__get-sum', { a: 2, b: 3 }],
    ['I need the sum of 2 and 3', 'mcp__1__get-sum', { a: 2, b: 3 }],
    ['No problem, add 2 and 3', 'mcp__1__get-sum', { a: 2, b: 3 }],
  ])('takes it for a request: %s', (question, name, args) => {
    expect(choose(question, [...tools, deleteFile])).toEqual({
      type: 'calls',
      calls: [{ name, arguments: args }],
    });
  });
});
