import type { ReadonlySignal } from '@preact/signals';
import { Cpu, ScrollText, Server, SlidersHorizontal, type IconNode } from 'lucide';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { onReturn } from '../../lib/state/connection.ts';
import type { SetupState } from '../../lib/state/setup.ts';
import { en } from '../../locales/en.ts';
import { Icon, Mark } from '../ui/icon.tsx';
import { closeTopLayer } from '../ui/layers.ts';
import { AssistantPage } from './assistant-form.tsx';
import { GeneralPage } from './general.tsx';
import { ImportPage } from './import-page.tsx';
import { ModelsPage } from './models.tsx';
import { SetupContext } from './options-context.ts';
import { ProviderPage } from './provider-page.tsx';
import type { PageName, Route } from './route.ts';
import { ServerPage } from './server/page.tsx';
import { AddServerPage } from './servers/add-page.tsx';
import { ServersPage } from './servers/page.tsx';
import { Problem } from './problem.tsx';
import { ToolLogPage } from './tool-log.tsx';

/** The options page. */
export function OptionsApp(props: { state: SetupState; route: ReadonlySignal<Route> }): JSX.Element {
  const { state } = props;
  const route = props.route.value;
  useEffect(() => onReturn(state.use), [state]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') closeTopLayer();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <SetupContext.Provider value={state}>
      <div class="page">
        <nav class="nav" aria-label={en.options.nav}>
          <p class="brand">
            <Icon of={Mark} />
            {en.panel.label}
          </p>
          <NavLink page="servers" icon={Server} route={route} />
          <NavLink page="models" icon={Cpu} route={route} />
          <NavLink page="tool-log" icon={ScrollText} route={route} />
          <NavLink page="general" icon={SlidersHorizontal} route={route} />
        </nav>
        <main class="content">
          {state.error.value && <Problem error={state.error.value} />}
          {state.setup.value && <Page route={route} />}
        </main>
      </div>
    </SetupContext.Provider>
  );
}

function NavLink(props: {
  page: Exclude<PageName, 'assistants'>;
  icon: IconNode;
  route: Route;
}): JSX.Element {
  // Assistants are listed on the page Models.
  const page = props.route.page === 'assistants' ? 'models' : props.route.page;
  const current = page === props.page;
  return (
    <a href={`#${props.page}`} {...(current && { 'aria-current': 'page' as const })}>
      <Icon of={props.icon} />
      {props.page === 'tool-log' ? en.toolLog.title : en.options[props.page]}
    </a>
  );
}

function Page({ route }: { route: Route }): JSX.Element {
  const { page, item, tab } = route;
  switch (page) {
    case 'general':
      return <GeneralPage />;
    case 'tool-log':
      return <ToolLogPage serverId={typeof item === 'number' ? item : null} />;
    case 'models':
      if (item === null || item === 'import') return <ModelsPage />;
      return <ProviderPage key={item} item={item} />;
    case 'assistants':
      if (item === null || item === 'import') return <ModelsPage />;
      return <AssistantPage key={item} item={item} />;
    case 'servers':
      if (item === null) return <ServersPage />;
      if (item === 'import') return <ImportPage />;
      return item === 'add' ? (
        <AddServerPage />
      ) : (
        <ServerPage key={item} id={item} tab={tab ?? 'configuration'} />
      );
  }
}
