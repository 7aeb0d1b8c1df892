import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemoModel, type DemoModel } from '../../../demo/model.ts';
import type { RunLine } from '../../../scripts/start/run-lines.ts';
import { root } from '../../../scripts/paths.ts';
import type { StoredConversation } from '../../../scripts/start/extension.ts';

let model: DemoModel;

beforeAll(async () => {
  model = await startDemoModel({ wordDelay: 0 });
});

afterAll(() => model.stop());

type Ended = { code: number; out: string; err: string };

/** Runs `npm start -- --headless ARGS` without npm and the bootstrap. */
function start(...args: string[]): Promise<Ended> {
  return run(process.execPath, ['scripts/start.ts', '--headless', ...args]);
}

/** Runs a program in the checkout to its end, without this computer's own model, and installing nothing. */
async function run(program: string, args: string[]): Promise<Ended> {
  const noModel = { OPENAI_API_KEY: '', OPENAI_BASE_URL: '', PORTSIDE_MODEL: '' };
  const env = { ...process.env, ...noModel, PORTSIDE_INSTALLED: '1' };
  const child = spawn(program, args, { cwd: root, env });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number]>,
  ]);
  return { code, out, err };
}

describe('npm start -- --headless', () => {
  it('asks the demo model and prints the conversation', async () => {
    const { code, out, err } = await start('--ask', 'Add 2 and 40 with the sum tool');
    expect(err).toContain('--approve all');
    expect(out).toMatch(/^You: Add 2 and 40 with the sum tool$/m);
    expect(out).toMatch(/^→ get-sum \{"a":2,"b":40\}$/m);
    expect(out).toMatch(/^← The sum of 2 and 40 is 42\. \(\d+ ms\)$/m);
    expect(out).toMatch(/^Portside: .*scripted stand-in.* 42\.$/m);
    expect(code).toBe(0);
  });

  it('asks with a program as its server, and prints nothing but run events and what the database holds as JSON when npm is silent', async () => {
    const word = `word${crypto.randomUUID().slice(0, 8)}`;
    const provider = ['--base-url', model.baseUrl, '--api-key', 'none', '--model', 'portside-demo'];
    const everything = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';
    const server = ['--server', `stdio:node "${everything}"`];
    const questions = ['--ask', `Echo the word ${word}`, '--ask', 'Hello'];
    const json = ['start', '--silent', '--', '--headless', '--json'];
    const { code, out } = await run('npm', [...json, ...questions, ...server, ...provider]);
    expect(code).toBe(0);
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    const stored = lines.pop() as StoredConversation;
    const events = lines as RunLine[];
    const types = events.map(({ type }) => type);
    expect(types.slice(0, 2)).toEqual(['run_start', 'iteration_start']);
    expect(types.filter((type) => type === 'run_end')).toHaveLength(2);
    expect(events.find((event) => event.type === 'call_start')).toMatchObject({
      toolName: 'echo',
      arguments: { message: word },
    });
    expect(events.find((event) => event.type === 'call_end')).toMatchObject({ result: `Echo: ${word}` });
    expect(stored.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'assistant',
    ]);
    expect(stored.toolCalls).toMatchObject([{ toolName: 'echo', status: 'success' }]);
    expect(JSON.stringify(model.requests[0])).not.toContain(`Echo: ${word}`);
    expect(JSON.stringify(model.requests[1])).toContain(`Echo: ${word}`);
  });

  it('denies calls with --approve none', async () => {
    const { code, out } = await start('--ask', 'Add 2 and 40', '--approve', 'none');
    expect(out).toContain('← denied');
    expect(code).toBe(0);
  });

  it('ends with 1, the error and what to do when the model cannot be reached', async () => {
    const gone = await startDemoModel();
    await gone.stop();
    const { code, out, err } = await start(
      '--ask',
      'Hello',
      '--base-url',
      gone.baseUrl,
      '--model',
      'm',
      '--json',
    );
    expect(code).toBe(1);
    expect(err).toMatch(/isn’t running at 127\.0\.0\.1:\d+[^]*Start it/);
    expect(JSON.parse(out.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      messages: [{ content: 'Hello' }],
    });
  });

  it('ends with 1 and the flags when the command line cannot be followed', async () => {
    const { code, out, err } = await start('--ask', 'Hello', '--frob');
    expect(err).toMatch(/--frob[^]*--ask TEXT/);
    expect(out).toBe('');
    expect(code).toBe(1);
  });

  it('ends with 1 when time is up', async () => {
    const question = 'Run a long running operation for 60 seconds';
    const { code, err } = await start('--ask', question, '--timeout', '7');
    expect(err).toContain('There was no end after 7 s.');
    expect(code).toBe(1);
  });
});
