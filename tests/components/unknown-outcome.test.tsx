import { parseHTML } from 'linkedom';
import { render } from 'preact';
import { expect, it, vi } from 'vitest';
import { UnknownOutcome } from '../../components/chat/calls/unknown-outcome.tsx';
import { PanelContext } from '../../components/panel-context.ts';
import type { Panel } from '../../lib/state/panel.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';

it('a call of unknown outcome is not made again by a press in the first moment, nor twice by a double click', async () => {
  const { document, window } = parseHTML('<main></main>');
  vi.stubGlobal('document', document);
  vi.stubGlobal('window', window);
  const decided: string[] = [];
  const resolveCall = async (_id: string, { decision }: { decision: string }) => decided.push(decision);
  const panel = { resolveCall } as unknown as Panel;
  const root = document.querySelector('main') as unknown as HTMLElement;
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const call = { callId: 'm1.0', serverName: 'Notes' } as ToolCall;
  render(
    <PanelContext.Provider value={panel}>
      <UnknownOutcome call={call} />
    </PanelContext.Provider>,
    root,
  );
  const { Event: Click } = window as unknown as { Event: typeof Event };
  const [again, skip] = [...root.querySelectorAll('button')];
  const press = (button: HTMLElement | undefined, at: number): void => {
    now.mockReturnValue(at);
    button?.dispatchEvent(new Click('click', { bubbles: true }));
  };
  press(again, 100);
  expect(decided).toEqual([]);
  press(skip, 200);
  press(again, 1000);
  press(again, 1100);
  expect(decided).toEqual(['deny', 'allow']);
  render(null, root);
  now.mockRestore();
  vi.unstubAllGlobals();
});

it('a call of unknown outcome has a server’s name in quotation marks where that is more than a name', () => {
  const { document, window } = parseHTML('<main></main>');
  vi.stubGlobal('document', document);
  vi.stubGlobal('window', window);
  const root = document.querySelector('main') as unknown as HTMLElement;
  const call = { callId: 'm1.0', serverName: 'Nothing was done. The server' } as ToolCall;
  render(
    <PanelContext.Provider value={{} as Panel}>
      <UnknownOutcome call={call} />
    </PanelContext.Provider>,
    root,
  );
  expect(root.textContent).toContain('“Nothing was done. The server” may have done it already.');
  render(null, root);
  vi.unstubAllGlobals();
});
