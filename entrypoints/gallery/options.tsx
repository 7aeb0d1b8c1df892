import { render } from 'preact';
import '../../components/ui/tokens.css';
import '../../components/ui/base.css';
import '../../components/options/options.css';
import { OptionsApp } from '../../components/options/options-app.tsx';
import { watchRoute } from '../../components/options/route.ts';
import type { Commands, ModelSummary, Setup } from '../../lib/protocol.ts';
import type { WorkerLink } from '../../lib/state/connection.ts';
import { createSetup } from '../../lib/state/setup.ts';
import { fullOptions, localServers, noOptions, workingTest } from './options-setups.ts';

/** `options.html?empty&theme=dark#models`: a settings page whose commands change what it shows. */
const query = new URLSearchParams(location.search);
const theme = query.get('theme');
if (theme) document.documentElement.dataset['theme'] = theme;

let setup: Setup = query.has('empty') ? noOptions : fullOptions;
const listeners: ((setup: Setup) => void)[] = [];

const said = (model: ModelSummary): ModelSummary => ({
  ...model,
  traits: { ...model.found, ...model.learned.traits, ...model.chosen },
});

const replies: Partial<{ [K in keyof Commands]: (request: never) => unknown }> = {
  findLocalServers: () => localServers,
  listModels: () =>
    setup.models.filter(({ providerId }) => providerId === 3).map(({ id, found }) => ({ id, traits: found })),
  testModel: () => workingTest,
  refreshModels: () => ({ count: 4 }),
  saveProvider: () => ({ id: 9 }),
  saveServer: () => ({ id: 1 }),
  saveAssistant: () => ({ id: 1 }),
  setModel: ({ forget, ...change }: Parameters<Commands['setModel']>[0]) => {
    const models = setup.models.map((model) =>
      model.providerId === change.providerId && model.id === change.id
        ? said({ ...model, ...change, ...(forget && { learned: {} }) })
        : model,
    );
    setup = { ...setup, models };
    for (const tell of listeners) tell(setup);
  },
};

const link: WorkerLink = {
  send: (async (command: keyof Commands, request: never) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return replies[command]?.(request);
  }) as WorkerLink['send'],
  open: (_request, handlers) => {
    const tell = (now: Setup): void => handlers.event({ type: 'setup', setup: now });
    listeners.push(tell);
    queueMicrotask(() => tell(setup));
    return { send: () => tell(setup) };
  },
};

const state = createSetup(link);
state.use();
render(<OptionsApp state={state} route={watchRoute()} />, document.getElementById('app') ?? document.body);
