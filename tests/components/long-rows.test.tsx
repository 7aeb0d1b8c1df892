import { signal } from '@preact/signals';
import { parseHTML } from 'linkedom';
import { type JSX, render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, it, vi } from 'vitest';
import { Assistants } from '../../components/options/assistants/assistants.tsx';
import { SetupContext } from '../../components/options/options-context.ts';
import { ProjectsPage } from '../../components/options/projects/projects.tsx';
import { PromptsPage } from '../../components/options/prompts/prompts-page.tsx';
import type { SetupState } from '../../lib/state/settings/setup.ts';

const MIXED = 'a\u05d0'.repeat(25_000);
const setup = signal({
  settings: { starters: {} },
  prompts: [{ id: 1, name: 'p', text: MIXED }],
  providers: [{ id: 1, name: 'Own', model: 'm' }],
  models: [],
  assistants: [{ id: 1, name: 'a', providerId: 1, model: null, settings: { system: MIXED } }],
  projects: [{ id: 1, key: 'k', name: 'p', instructions: MIXED, files: [] }],
});

it.each<[string, () => JSX.Element]>([
  ['prompts', PromptsPage],
  ['projects', ProjectsPage],
  ['assistants', Assistants],
])('a list of %s draws no more of each than its line shows', async (_name, Page) => {
  const { document, window } = parseHTML('<main></main>');
  vi.stubGlobal('document', document);
  vi.stubGlobal('window', window);
  const root = document.querySelector('main') as unknown as HTMLElement;
  const page = (
    <SetupContext.Provider value={{ setup, command: vi.fn() } as unknown as SetupState}>
      <Page />
    </SetupContext.Provider>
  );
  await act(() => render(page, root));
  const drawn = root.textContent;
  render(null, root);
  expect(drawn).toContain(MIXED.slice(0, 100));
  expect(drawn.length).toBeLessThan(10_000);
});
