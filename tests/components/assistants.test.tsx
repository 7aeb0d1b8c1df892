import { signal } from '@preact/signals';
import { parseHTML } from 'linkedom';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, expect, it, vi } from 'vitest';
import { Assistants } from '../../components/composer/chat-settings/assistants.tsx';
import { PanelContext } from '../../components/panel-context.ts';
import type { Choice } from '../../lib/state/composer/choice.ts';
import type { Panel } from '../../lib/state/panel.ts';
import type { Conversation } from '../../lib/types/conversation.ts';

afterEach(() => vi.unstubAllGlobals());

/** The words of the buttons beside the list of assistants. */
async function buttons(conversation: Partial<Conversation>): Promise<(string | null)[]> {
  const { document, window } = parseHTML('<main></main>');
  vi.stubGlobal('document', document);
  vi.stubGlobal('window', window);
  const setup = signal({ assistants: [], providers: [] });
  const panel = { setup, chat: signal({ conversation }), command: vi.fn() } as unknown as Panel;
  const choice = { provider: { id: 1 }, model: null, settings: { system: 'Obey.' } } as unknown as Choice;
  const root = document.querySelector('main') as unknown as HTMLElement;
  await act(() =>
    render(
      <PanelContext.Provider value={panel}>
        <Assistants choice={choice} adopt={vi.fn()} />
      </PanelContext.Provider>,
      root,
    ),
  );
  const words = [...root.querySelectorAll('button')].map(({ textContent }) => textContent);
  render(null, root);
  return words;
}

it('a file’s system prompt becomes no assistant’s, which other chats would take for the user’s', async () => {
  expect(await buttons({ imported: true, systemFromFile: true })).toEqual([]);
  expect(await buttons({ imported: true })).toEqual(['Save as assistant']);
});
