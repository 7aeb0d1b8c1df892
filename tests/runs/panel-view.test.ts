import { expect, it } from 'vitest';
import { callsForPanel, messagesForPanel } from '../../lib/runs/panel-view.ts';
import type { Message } from '../../lib/types/message.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';

const MESSAGE = 64 * 1024 * 1024;
/** JSON writes each of them with six characters. */
const longText = (length: number): string => '\u0001'.repeat(length);

it('of many calls with long texts a page gets what a message holds: the newest whole, and those that wait', () => {
  const text = longText(200_000);
  const call = (at: number, status: ToolCall['status']) =>
    ({
      callId: `m.${at}`,
      toolCallId: 'c',
      arguments: text,
      status,
      result: { text, isError: true },
    }) as ToolCall;
  const calls = callsForPanel([
    call(0, 'pending'),
    ...Array.from({ length: 170 }, (_, at) => call(at + 1, 'error')),
  ]);
  expect(JSON.stringify(calls).length).toBeLessThan(MESSAGE / 2);
  expect(calls.at(-1)?.arguments).toBe(text);
  expect(calls[0]?.arguments).toBe(text);
  expect(calls[1]).toMatchObject({ arguments: longText(2_000), omittedArguments: 198_000 });
  expect(calls[1]?.result).toMatchObject({ text: longText(2_000), omitted: 198_000 });
});

it('of what only an app asks for, and of long addresses, a page gets nothing', () => {
  const url = `https://a.example/#${longText(2_000_000)}`;
  const result = { text: 'Fine.', isError: false, url, meta: { map: longText(200_000) } };
  const call = { callId: 'm.0', toolCallId: 'c', arguments: '{}', status: 'success', result };
  const calls = callsForPanel(Array.from({ length: 64 }, () => call as unknown as ToolCall));
  expect(calls[0]?.result).toEqual({ text: 'Fine.', isError: false });
  expect(JSON.stringify(calls).length).toBeLessThan(64 * 1024);
});

it('of the long ids that a model’s server gives calls a page gets the beginning', () => {
  const id = longText(5_000_000);
  const calls = callsForPanel([{ callId: 'a.0', toolCallId: id, arguments: '{}' } as ToolCall]);
  const messages = messagesForPanel([
    { id: 'a', role: 'assistant', content: '', tool_calls: [{ id, name: 'add', arguments: '{}' }] },
    { id: 'a.0.result', role: 'tool', content: 'Added', tool_call_id: id },
  ] as Message[]);
  expect(JSON.stringify([calls, messages]).length).toBeLessThan(20_000);
});

it('of long messages a page gets the newest whole, and of others the beginning', () => {
  const message = (id: string, content: string) =>
    ({ id, role: 'assistant', status: 'complete', content, reasoning: content }) as Message;
  const [first, second, last] = messagesForPanel([
    message('a', longText(11_000_000)),
    message('b', longText(5_000)),
    message('c', 'At last.'),
  ]);
  expect(first).toMatchObject({ content: longText(2_000), reasoning: longText(2_000) });
  expect(second?.content).toBe(longText(5_000));
  expect(last?.content).toBe('At last.');
});
