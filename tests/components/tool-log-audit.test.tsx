import { parseHTML } from 'linkedom';
import { render } from 'preact';
import { expect, it, vi } from 'vitest';
import { SetupContext } from '../../components/options/options-context.ts';
import { ToolLogDetails } from '../../components/options/tool-log/tool-log-details.tsx';
import type { SetupState } from '../../lib/state/settings/setup.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';

/** What the log says of who allowed a call, and of what its chat had read. */
async function auditOf(fields: Partial<ToolCall>): Promise<string | null | undefined> {
  const { document, window } = parseHTML('<main></main>');
  vi.stubGlobal('document', document);
  vi.stubGlobal('window', window);
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setTimeout(draw));
  vi.stubGlobal('cancelAnimationFrame', clearTimeout);
  const call = {
    callId: 'm1.0',
    toolName: 'post',
    arguments: '{}',
    annotations: {},
    status: 'success',
    ...fields,
  };
  const root = document.querySelector('main') as unknown as HTMLElement;
  const state = { command: async () => call } as unknown as SetupState;
  render(
    <SetupContext.Provider value={state}>
      <ToolLogDetails callId="m1.0" status="success" />
    </SetupContext.Provider>,
    root,
  );
  await vi.waitFor(() => expect(root.querySelector('.sides')).not.toBeNull());
  return root.querySelector('.log-audit')?.textContent;
}

it('the tool log says who allowed a call, what tainted its chat, and whose words it passes on', async () => {
  const quotes = [{ text: 'the code of the door', from: 'tides.example' }];
  const said = await auditOf({
    allowed: 'once',
    taint: { from: ['tides.example', 'Notes'], again: true, quotes },
  });
  expect(said).toMatch(/tides\.example.*Notes.*tides\.example/);
  expect(await auditOf({ taint: { from: ['tides.example'], quotes: [] } })).toContain('tides.example');
  expect(await auditOf({})).toBeUndefined();
});

it('the tool log says of a call that came with a chat’s file that it was not made here, whatever the file says', async () => {
  const result = { text: '', isError: true, refusal: 'denied' } as const;
  expect(await auditOf({ result })).toBe('You denied it.');
  expect(await auditOf({ result, imported: true })).toMatch(/^Not run here/);
});
