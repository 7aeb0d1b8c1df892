import type { ReadonlySignal } from '@preact/signals';
import {
  CalendarClock,
  Cpu,
  Database,
  Folder,
  NotebookPen,
  ScrollText,
  Server,
  ShieldCheck,
  SlidersHorizontal,
  type IconNode,
} from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { watchWindows } from '../../lib/gestures.ts';
import { onReturn } from '../../lib/state/panel-port.ts';
import { createNativeHost } from '../../lib/state/settings/native-host.ts';
import type { SetupState } from '../../lib/state/settings/setup.ts';
import type { WireError } from '../../lib/types/error.ts';
import { Boundary, Damaged } from '../ui/boundary.tsx';
import { Icon, Mark } from '../ui/icon.tsx';
import { decideByKey } from '../ui/keys/decisions.ts';
import { holdDoubleClicks } from '../ui/keys/double-click.ts';
import { closeTopLayer } from '../ui/overlay/layers.ts';
import { Unlock } from '../ui/unlock.tsx';
import { AssistantPage } from './assistants/assistant-form.tsx';
import { DataPage } from './data/page.tsx';
import { Rescue } from './data/rescue.tsx';
import { GeneralPage } from './general.tsx';
import { TroubleshootingPage } from './troubleshooting.tsx';
import { ImportPage } from './import/import-page.tsx';
import { ModelsPage } from './models/models.tsx';
import { NativeHostContext } from './native-host/context.ts';
import { NavFoot } from './native-host/foot.tsx';
import { NativeHostPage } from './native-host/page.tsx';
import { SetupContext } from './options-context.ts';
import { MemoryPage } from './memory/memory.tsx';
import { NotePage } from './memory/note-form.tsx';
import { ProjectPage } from './projects/project-page.tsx';
import { ProjectsPage } from './projects/projects.tsx';
import { PermissionsPage } from './permissions/page.tsx';
import { PromptPage } from './prompts/prompt-page.tsx';
import { PromptsPage } from './prompts/prompts-page.tsx';
import { ProviderPage } from './models/provider-page.tsx';
import { RegistryPage } from './registry/page.tsx';
import type { PageName, Route } from './route.ts';
import { SchedulePage } from './schedules/schedule-form.tsx';
import { SchedulesPage } from './schedules/schedules.tsx';
import { ServerPage } from './server/page.tsx';
import { AddServerPage } from './servers/add-page.tsx';
import { ServersPage } from './servers/page.tsx';
import { FleetFault } from './form/managed.tsx';
import { Problem } from './form/problem.tsx';
import { ToolLogPage } from './tool-log/tool-log.tsx';
import { t } from '../../locales/texts/settings.ts';

export function OptionsApp(props: { state: SetupState; route: ReadonlySignal<Route> }): JSX.Element {
  const { state } = props;
  const route = props.route.value;
  const nav = useRef<HTMLElement>(null);
  const nativeHost = useMemo(() => createNativeHost(state.command), [state]);
  useEffect(() => onReturn(state.use), [state]);
  useEffect(() => holdDoubleClicks(watchWindows, false), []);
  const [fault, setFault] = useState<WireError>();
  const error = state.error.value;
  // It stays when what is stored can be opened again: its repair is told of there.
  if (!fault && error?.code.startsWith('database_')) setFault(error);
  const title = `${t(($) => $.options.nav)} – ${t(($) => $.panel.label)}`;
  useEffect(() => void (document.title = title), [title]);
  // On a narrow page not all of them are in sight.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [route.page]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      if (event.key === 'Escape' && closeTopLayer()) return;
      if (decideByKey(event)) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <SetupContext.Provider value={state}>
      <NativeHostContext.Provider value={nativeHost}>
        <div class="page">
          <nav class="nav" aria-label={t(($) => $.options.nav)} ref={nav}>
            <p class="brand">
              <Icon of={Mark} />
              {t(($) => $.panel.label)}
            </p>
            <NavLink page="servers" icon={Server} route={route} />
            <NavLink page="models" icon={Cpu} route={route} />
            <NavLink page="schedules" icon={CalendarClock} route={route} />
            <NavLink page="memory" icon={NotebookPen} route={route} />
            <NavLink page="projects" icon={Folder} route={route} />
            <NavLink page="tool-log" icon={ScrollText} route={route} />
            <NavLink page="permissions" icon={ShieldCheck} route={route} />
            <NavLink page="general" icon={SlidersHorizontal} route={route} />
            <NavLink page="data" icon={Database} route={route} />
            <NavFoot isCurrent={route.page === 'native-host'} />
          </nav>
          <main class="content">
            {fault ? <Rescue error={fault} /> : state.error.value && <Problem error={state.error.value} />}
            {!fault && state.setup.value?.lock === 'locked' && (
              <Unlock unlock={(passphrase) => state.command('unlockSecrets', { passphrase })} />
            )}
            {!fault && state.setup.value?.damaged && <Damaged send={state.command} />}
            {!fault && state.setup.value && <FleetFault />}
            {!fault && state.setup.value && (
              <Boundary
                key={`${route.page}/${route.item}`}
                instead={(cause) => <Damaged send={state.command} cause={cause} />}
              >
                <Page route={route} />
              </Boundary>
            )}
          </main>
        </div>
      </NativeHostContext.Provider>
    </SetupContext.Provider>
  );
}

/** Pages without a link of their own, and those they are reached from. */
const parents = { assistants: 'models', prompts: 'general', troubleshooting: 'general' } as const;

function NavLink(props: {
  page: Exclude<PageName, keyof typeof parents | 'native-host'>;
  icon: IconNode;
  route: Route;
}): JSX.Element {
  const shown = props.route.page;
  const page = shown in parents ? parents[shown as keyof typeof parents] : shown;
  const current = page === props.page;
  const own = props.page;
  const name =
    own === 'tool-log'
      ? t(($) => $.toolLog.title)
      : own === 'schedules' || own === 'memory' || own === 'projects'
        ? t(($) => $[own].title)
        : t(($) => $.options[own]);
  return (
    <a href={`#${props.page}`} title={name} aria-current={current ? 'page' : undefined}>
      <Icon of={props.icon} />
      <span class="name">{name}</span>
    </a>
  );
}

function Page({ route }: { route: Route }): JSX.Element {
  const { page, item, tab, callId, preset, code } = route;
  switch (page) {
    case 'permissions':
      return <PermissionsPage />;
    case 'data':
      return <DataPage />;
    case 'general':
      return <GeneralPage />;
    case 'native-host':
      return <NativeHostPage />;
    case 'troubleshooting':
      return <TroubleshootingPage code={code} />;
    case 'tool-log':
      return <ToolLogPage serverId={typeof item === 'number' ? item : null} {...(callId && { callId })} />;
    case 'models':
      if (typeof item !== 'number' && item !== 'add') return <ModelsPage />;
      return <ProviderPage key={`${item}/${preset ?? ''}`} item={item} {...(preset && { preset })} />;
    case 'assistants':
      if (typeof item !== 'number' && item !== 'add') return <ModelsPage />;
      return <AssistantPage key={item} item={item} />;
    case 'prompts':
      if (typeof item !== 'number' && item !== 'add') return <PromptsPage />;
      return <PromptPage key={item} item={item} />;
    case 'memory':
      if (typeof item !== 'number' && item !== 'add') return <MemoryPage />;
      return <NotePage key={item} item={item} />;
    case 'projects':
      if (typeof item !== 'number' && item !== 'add') return <ProjectsPage />;
      return <ProjectPage key={item} item={item} />;
    case 'schedules':
      if (typeof item !== 'number' && item !== 'add') return <SchedulesPage />;
      return <SchedulePage key={item} item={item} />;
    case 'servers':
      if (item === null) return <ServersPage />;
      if (item === 'import') return <ImportPage />;
      if (item === 'registry') return <RegistryPage />;
      return item === 'add' ? (
        <AddServerPage />
      ) : (
        <ServerPage key={item} id={item} tab={tab ?? 'configuration'} />
      );
  }
}
