import { parseHTML } from 'linkedom';
import { render } from 'preact';
import { expect, it, vi } from 'vitest';
import { LaunchNotice } from '../../components/options/native-host/launch-notice.tsx';
import { SetupContext } from '../../components/options/options-context.ts';
import type { SetupState } from '../../lib/state/settings/setup.ts';
import type { StdioServer } from '../../lib/types/server.ts';

const request = vi.hoisted(() => vi.fn(() => new Promise<boolean>(() => {})));
vi.mock('wxt/browser', () => ({ browser: { permissions: { request } } }));

it('a program is not allowed to start by a press in the first moment', () => {
  const { document, window } = parseHTML('<main></main>');
  vi.stubGlobal('document', document);
  vi.stubGlobal('window', window);
  const root = document.querySelector('main') as unknown as HTMLElement;
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const server = { id: 1, name: 'Files', command: 'npx', args: [], envNames: [] } as unknown as StdioServer;
  render(
    <SetupContext.Provider value={{} as SetupState}>
      <LaunchNotice server={server} />
    </SetupContext.Provider>,
    root,
  );
  const { Event: Click } = window as unknown as { Event: typeof Event };
  const press = (at: number): void => {
    now.mockReturnValue(at);
    root.querySelector('.primary')?.dispatchEvent(new Click('click', { bubbles: true }));
  };
  press(100);
  expect(request).not.toHaveBeenCalled();
  press(1000);
  expect(request).toHaveBeenCalledOnce();
  render(null, root);
  now.mockRestore();
  vi.unstubAllGlobals();
});
