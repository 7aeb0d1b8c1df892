import { signal } from '@preact/signals';
import { parseHTML } from 'linkedom';
import { render } from 'preact';
import { expect, it, vi } from 'vitest';
import { CallApps } from '../../components/chat/apps/call-apps.tsx';
import { PanelContext } from '../../components/panel-context.ts';
import type { Panel } from '../../lib/state/panel.ts';
import type { AssistantMessage } from '../../lib/types/message.ts';

it('an answer that is written anew under its id leaves no app of the call that stood there before', () => {
  const { document, window } = parseHTML('<main></main>');
  vi.stubGlobal('document', document);
  vi.stubGlobal('window', window);
  vi.stubGlobal('location', { hash: '' });
  const [observe, disconnect] = [() => undefined, () => undefined];
  vi.stubGlobal('IntersectionObserver', function Sight() {
    return { observe, disconnect };
  });
  const tools = [1, 2].map((serverId) => {
    const name = 'show';
    return { serverId, name, offeredName: `mcp__${serverId}__show`, showsWritten: true };
  });
  const servers = [1, 2].map((id) => ({ id, name: `Server ${id}` }));
  const panel = {
    chat: signal({ calls: {}, requests: [] }),
    setup: signal({ tools, servers }),
  } as unknown as Panel;
  const root = document.querySelector('main') as unknown as HTMLElement;
  const message = { id: 'm1', status: 'streaming' } as AssistantMessage;
  /** Where the app of a message's first call runs, while that is written. */
  const placeOf = (name: string): Element | null => {
    render(
      <PanelContext.Provider value={panel}>
        <CallApps message={message} written={[{ name, arguments: '' }]} CallView={() => null} />
      </PanelContext.Provider>,
      root,
    );
    return root.querySelector('.app-place');
  };
  const first = placeOf('mcp__1__show');
  expect(placeOf('mcp__1__show')).toBe(first);
  expect(placeOf('mcp__2__show')).not.toBe(first);
  render(null, root);
  vi.unstubAllGlobals();
});
