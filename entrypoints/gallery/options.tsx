import { render } from 'preact';
import '../../components/ui/tokens.css';
import '../../components/ui/base.css';
import '../../components/options/options.css';
import { OptionsApp } from '../../components/options/options-app.tsx';
import { watchRoute } from '../../components/options/route.ts';
import type { Commands, ModelSummary, PanelEvent, Setup } from '../../lib/protocol.ts';
import type { WorkerLink } from '../../lib/state/connection.ts';
import { createSetup } from '../../lib/state/setup.ts';
import { serverReplies, serverVariant } from './options-server.ts';
import { needsOrigin, savedAs, withServers } from './options-servers.ts';
import { importReplies, logReplies } from './options-replies.ts';
import { fullOptions, localServers, noOptions, workingTest } from './options-setups.ts';

/** `options.html?empty&theme=dark#models`, `options.html?servers`: a settings page whose commands change what it shows. */
const query = new URLSearchParams(location.search);
const theme = query.get('theme');
if (theme) document.documentElement.dataset['theme'] = theme;

const variant = query.get('server') ?? '';
let setup: Setup = query.has('empty') ? noOptions : serverVariant(fullOptions, variant);
if (query.has('servers')) setup = withServers(setup);
const pages: ((event: PanelEvent) => void)[] = [];
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
  addServer: savedAs,
  signIn: () => needsOrigin,
  saveAssistant: () => ({ id: 1 }),
  ...importReplies,
  ...serverReplies(variant, (event) => pages.forEach((tell) => tell(event))),
  ...logReplies(query.has('empty')),
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
    pages.push(handlers.event);
    queueMicrotask(() => tell(setup));
    return { send: () => tell(setup) };
  },
};

const state = createSetup(link);
state.use();
render(<OptionsApp state={state} route={watchRoute()} />, document.getElementById('app') ?? document.body);
