import { signal } from '@preact/signals';
import { parseHTML } from 'linkedom';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, it, vi } from 'vitest';
import { SetupContext } from '../../components/options/options-context.ts';
import { ServerForm } from '../../components/options/servers/form.tsx';
import type { SetupState } from '../../lib/state/settings/setup.ts';
import type { RemoteServer } from '../../lib/types/server.ts';

vi.mock('wxt/browser', () => ({ browser: { permissions: { request: async () => true } } }));

it.each([
  ['its form is open', false],
  ['what was typed in its form waits on another page', true],
])(
  'a server that lost the user’s trust while %s gets it back by no save of something else',
  async (_when, isLeft) => {
    const { document, window } = parseHTML('<main></main>');
    vi.stubGlobal('document', document);
    vi.stubGlobal('window', window);
    const { Event: DomEvent } = window as unknown as { Event: typeof Event };
    const root = document.querySelector('main') as unknown as HTMLElement;
    const sent: object[] = [];
    const command = async (_name: string, input: object) => {
      sent.push(input);
      return { ok: true, id: 1 };
    };
    const setup = signal({ servers: [], tools: [], statuses: {} });
    const state = { setup, command } as unknown as SetupState;
    const server: RemoteServer = {
      id: 1,
      name: 'Notes',
      enabled: true,
      toolTimeout: 30_000,
      trusted: true,
      oneAtATime: false,
      transport: 'streamable-http',
      url: 'https://notes.example/mcp',
      headerNames: [],
    };
    const show = (now: RemoteServer): Promise<void> =>
      act(() =>
        render(
          <SetupContext.Provider value={state}>
            <ServerForm server={now} />
          </SetupContext.Provider>,
          root,
        ),
      );
    await show(server);
    await act(() => {
      const field = root.querySelector<HTMLInputElement>('input[type="text"]');
      if (field) field.value = 'My notes';
      field?.dispatchEvent(new DomEvent('input', { bubbles: true }));
    });
    if (isLeft) await act(() => render(null, root));
    await show({ ...server, trusted: false, lastIssuer: 'https://other.example' });
    await act(async () => {
      root.querySelector('form')?.dispatchEvent(new DomEvent('submit', { bubbles: true, cancelable: true }));
      await new Promise((over) => setTimeout(over));
    });
    expect(sent).toMatchObject([{ id: 1, name: 'My notes', trusted: false }]);
    await act(() => render(null, root));
    vi.unstubAllGlobals();
  },
);
