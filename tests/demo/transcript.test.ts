import { expect, it, vi } from 'vitest';
import { failureOf, sayFailure } from '../../scripts/start/failure.ts';
import type { RunLine } from '../../scripts/start/run-lines.ts';
import { createTranscript } from '../../scripts/start/transcript.ts';

const call = (position: number) => ({
  callId: `m.${position}`,
  toolName: position === 0 ? 'get-sum' : 'echo',
  namespacedName: 'x',
  serverId: 1,
  arguments: { a: 2 },
});
const end = (position: number, text: string, status: 'success' | 'timeout' = 'success'): RunLine => ({
  type: 'call_end',
  callId: `m.${position}`,
  result: text,
  isError: status !== 'success',
  status,
  durationMs: 12.4,
});

it('prints a conversation line by line, streamed text as it comes', () => {
  let printed = '';
  const { asked, event } = createTranscript((text) => {
    printed += text;
  });
  asked('Add');
  event({ type: 'call_start', ...call(0) });
  event(end(0, '42'));
  event({ type: 'call_start', ...call(0) });
  event({ type: 'call_start', ...call(1) });
  event(end(1, 'late', 'timeout'));
  event(end(0, '1'));
  event({ type: 'text_delta', messageId: 'm', text: 'It is' });
  event({ type: 'text_delta', messageId: 'm', text: ' 42.\u001b[2J' });
  event({ type: 'run_end', runId: 'r', reason: 'done' });
  expect(printed.split('\n')).toEqual([
    'You: Add',
    '→ get-sum {"a":2}',
    '← 42 (12 ms)',
    '→ get-sum {"a":2}',
    '→ echo {"a":2}',
    '← echo: timeout: late (12 ms)',
    '← 1 (12 ms)',
    'Portside: It is 42.[2J',
    '',
  ]);
});

it('says why the command cannot go on without what would drive the terminal', () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const cause = 'HTTP 400, no\u001b]52;c;cm0=\u0007\u001b[1A\u009b2K';
  sayFailure(failureOf({ code: 'model_failed', message: 'It failed.', cause, retryable: false }));
  const said = String(written.mock.calls);
  written.mockRestore();
  expect(said).toBe('portside: It failed.\n  HTTP 400, no]52;c;cm0=[1A2K\n');
});
