import { signal } from '@preact/signals';
import { parseHTML } from 'linkedom';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, expect, it, vi } from 'vitest';
import { AppWish } from '../../components/chat/apps/app-wish.tsx';
import { PanelContext } from '../../components/panel-context.ts';
import type { Panel } from '../../lib/state/panel.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** What the panel does when an app's message is taken. @param shown the chat that it shows once the worker has answered */
async function taken(shown: string): Promise<unknown[]> {
  const { document, window } = parseHTML('<main></main>');
  vi.stubGlobal('document', Object.assign(document, { hasFocus: () => true }));
  vi.stubGlobal('window', window);
  const done: unknown[] = [];
  const conversationId = signal('c');
  const panel = {
    conversationId,
    text: signal(''),
    ask: async () => {
      conversationId.value = shown;
      return { text: 'Sail', attachment: { id: 'a1' } };
    },
    attaching: {
      add: (added: { id: string }[]) => done.push(['add', added[0]?.id]),
      detach: async (id: string) => done.push(['detach', id]),
    },
    type: (text: string) => done.push(['type', text]),
  };
  const call = { callId: 'm.0', conversationId: 'c', serverName: 'Harbour' } as ToolCall;
  const answer = (isDone: boolean) => void done.push(isDone);
  const root = document.querySelector('main') as unknown as HTMLElement;
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  await act(() =>
    render(
      <PanelContext.Provider value={panel as unknown as Panel}>
        <AppWish call={call} wish={{ type: 'message', text: 'Sail' }} answer={answer} />
      </PanelContext.Provider>,
      root,
    ),
  );
  clock.mockReturnValue(1_000); // nothing is answered in a card's first moment
  await act(async () => {
    root.querySelector('.primary')?.dispatchEvent(new window.Event('click', { bubbles: true }));
    await new Promise((over) => setTimeout(over));
  });
  render(null, root);
  return done;
}

it('an app’s message comes into the composer with the chip that says whose it is', async () => {
  expect(await taken('c')).toEqual([['add', 'a1'], ['type', 'Sail'], true]);
});

it('is let go where another chat is shown, which nothing would tell of it', async () => {
  expect(await taken('other')).toEqual([true]);
});
