import { signal } from '@preact/signals';
import { parseHTML } from 'linkedom';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, it, vi } from 'vitest';
import { SetupContext } from '../../components/options/options-context.ts';
import { StarterSettings } from '../../components/options/prompts/starters.tsx';
import type { SetupState } from '../../lib/state/settings/setup.ts';

it('a change that is not told of yet is kept by the next one', async () => {
  const { document, window } = parseHTML('<main></main>');
  vi.stubGlobal('document', document);
  vi.stubGlobal('window', window);
  const command = vi.fn(async () => undefined);
  const setup = signal({ settings: { starters: {} } });
  const root = document.querySelector('main') as unknown as HTMLElement;
  const page = (
    <SetupContext.Provider value={{ setup, command } as unknown as SetupState}>
      <StarterSettings />
    </SetupContext.Provider>
  );
  await act(() => render(page, root));
  const change = (selector: string, value: object) => {
    const field = Object.assign(root.querySelector(selector) as HTMLElement, value);
    return act(() => void field.dispatchEvent(new window.Event('change')));
  };
  await change('[aria-label="Summarise"] textarea', { value: 'In one line. ' });
  await change('[aria-label="Key points"] input', { checked: false });
  await change('[aria-label="Summarise"] input', { checked: false });
  expect(command.mock.calls).toEqual([
    ['saveSettings', { starters: { summarise: { text: 'In one line.' } } }],
    ['saveSettings', { starters: { keyPoints: { isOff: true } } }],
    ['saveSettings', { starters: { summarise: { text: 'In one line.', isOff: true } } }],
  ]);
  render(null, root);
});
