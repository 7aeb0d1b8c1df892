import { parseHTML } from 'linkedom';
import { render } from 'preact';
import { afterEach, expect, it, vi } from 'vitest';
import { PageAccess } from '../../components/composer/attach/page-access.tsx';

const pressed = vi.hoisted(() => new Set<(tab: { windowId: number }) => void>());
vi.mock('wxt/browser', () => ({
  browser: {
    action: {
      onClicked: {
        addListener: (listener: () => void) => pressed.add(listener),
        removeListener: (listener: () => void) => pressed.delete(listener),
      },
    },
    windows: { getCurrent: async () => ({ id: 1 }) },
  },
}));

afterEach(() => vi.unstubAllGlobals());

it('a press of the toolbar button is heard from the moment the card is there', async () => {
  const { document, window } = parseHTML('<main></main>');
  vi.stubGlobal('document', document);
  vi.stubGlobal('window', window);
  vi.stubGlobal('localStorage', { getItem: () => null });
  const root = document.querySelector('main') as unknown as HTMLElement;
  const allowed = vi.fn();
  render(<PageAccess page={{ part: 'page' }} allowed={allowed} />, root);
  expect(root.querySelectorAll('button')).toHaveLength(2);
  for (const listener of pressed) listener({ windowId: 1 });
  await vi.waitFor(() => expect(allowed).toHaveBeenCalledOnce());
  render(null, root);
  expect(pressed.size).toBe(0);
});
