import { describe, expect, it } from 'vitest';
import { tokensOfTool } from '../../lib/agent/context/tokens.ts';
import { createReadMore } from '../../lib/tools/read-more.ts';
import { createOwnToolCalls } from '../../lib/tools/own-tool-calls.ts';
import type { Message } from '../../lib/types/message.ts';
import { READ_MORE_TOKENS } from '../../lib/types/tools/own-tool-rules.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import type { ToolResult } from '../../lib/types/tools/tool-result.ts';
import { noTabs } from '../fakes/tabs.ts';

const row = (result: ToolResult) => ({ callId: 'm1.0', conversationId: 'c1', result }) as ToolCall;
/** A call that the app made which shows the first. */
const ofApp = { callId: 'm1.1000', byApp: 0, result: { text: 'for apps alone', isError: false } } as ToolCall;

function read(stored: string | ToolResult, args: Record<string, unknown>, conversationId = 'c1') {
  const whole = typeof stored === 'string' ? { text: stored, isError: false } : stored;
  const readCall = async (id: string) => [row(whole), ofApp].find(({ callId }) => callId === id);
  const attached = { role: 'user', attachments: [{ whole: { readId: 'page-1', text: '# A long page' } }] };
  const branches: Record<string, object[]> = { c1: [attached, { id: 'm1', role: 'assistant' }], c2: [] };
  const messagesBefore = async (call: Pick<ToolCall, 'conversationId'>) =>
    (branches[call.conversationId] ?? []) as Message[];
  const deps = {
    readCall,
    messagesBefore,
    originsRead: async () => [],
    toolsOf: async () => [],
    tabs: noTabs,
  };
  const { call } = createOwnToolCalls(deps);
  const options = {
    signal: new AbortController().signal,
    started: async () => {},
    accepted: async () => {},
    progress: () => {},
  };
  return call({ callId: 'c1.0', serverId: null, toolName: 'read_more', conversationId }, args, options);
}

/** What of the text a page shows, without its first line. */
const shown = (text: string) => text.slice(text.indexOf('\n') + 1);

describe('read_more', () => {
  it('costs what the panel counts for it', () => {
    const deps = { readCall: async () => undefined, messagesBefore: async () => [] };
    expect(tokensOfTool(createReadMore(deps).definition)).toBe(READ_MORE_TOKENS);
  });

  it('reads on in a page that was attached on this branch, and on no other', async () => {
    const { result } = await read('', { result: 'page-1', offset: 2 });
    expect(result.text).toBe(
      '[Characters 2 to 13 of 13 of the result page-1; this is the end.]\nA long page',
    );
    expect(await read('', { result: 'page-1' }, 'c2')).toMatchObject({ status: 'error' });
  });

  it('reads nothing of what an app had called beside the model', async () => {
    expect(await read('', { result: 'm1.1000' })).toMatchObject({
      status: 'error',
      result: { text: expect.not.stringContaining('for apps alone') as string },
    });
  });

  it('pages through the stored whole and says where it is', async () => {
    const whole = Array.from({ length: 40_000 }, (_, n) => String(n % 10)).join('');
    let joined = '';
    let offset: number | undefined = 0;
    const pages: string[] = [];
    while (offset !== undefined) {
      const { result } = await read(whole, { result: 'm1.0', offset });
      pages.push(result.text.slice(0, result.text.indexOf('\n')));
      joined += shown(result.text);
      const next = /next offset is (\d+)/.exec(result.text)?.[1];
      offset = next === undefined ? undefined : Number(next);
    }
    expect(joined).toBe(whole);
    expect(pages).toEqual([
      '[Characters 0 to 16000 of 40000 of the result m1.0; the next offset is 16000.]',
      '[Characters 16000 to 32000 of 40000 of the result m1.0; the next offset is 32000.]',
      '[Characters 32000 to 40000 of 40000 of the result m1.0; this is the end.]',
    ]);
  });

  it('never cuts a character in two, and keeps a page below what a model gets uncut', async () => {
    const { result } = await read('😀'.repeat(20_000), { result: 'm1.0', offset: 1 });
    expect(shown(result.text)).not.toMatch(/\p{Surrogate}/u);
    expect(new TextEncoder().encode(result.text).length).toBeLessThan(32 * 1024);
  });

  it('begins at the beginning unless told', async () => {
    expect((await read('short', { result: 'm1.0' })).result.text).toMatch(/\nshort$/);
  });

  it('gives nothing of another branch, and says so as if there were nothing', async () => {
    const other = await read('secret', { result: 'm1.0' }, 'c2');
    const none = await read('secret', { result: 'm9.9' });
    expect(other).toMatchObject({ status: 'error', result: { isError: true } });
    expect(other.result.text).toContain('There is no result "m1.0" in this conversation.');
    expect(none.result.text).toContain('There is no result "m9.9" in this conversation.');
  });

  it('says that a result is not kept any more, and what to do then', async () => {
    const dropped: ToolResult = { text: '', isError: false, dropped: true };
    const { status, result } = await read(dropped, { result: 'm1.0', offset: 20_000 });
    expect(status).toBe('error');
    expect(result.text).toMatch(/result m1\.0 is not kept any more.*call the tool again\.$/);
  });

  it.each([-1, 5, 1.5])('names the offsets there are when asked for %s', async (offset) => {
    const { status, result } = await read('12345', { result: 'm1.0', offset });
    expect(status).toBe('error');
    expect(result.text).toContain('Choose an offset from 0 to 4.');
  });
});
