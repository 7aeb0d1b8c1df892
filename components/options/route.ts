import { signal, type ReadonlySignal } from '@preact/signals';
import { presets } from '../../lib/provider-presets.ts';
import type { PresetId } from '../../lib/types/model.ts';

export type PageName =
  | 'servers'
  | 'models'
  | 'assistants'
  | 'tool-log'
  | 'permissions'
  | 'general'
  | 'prompts'
  | 'schedules'
  | 'memory'
  | 'projects'
  | 'data'
  | 'native-host'
  | 'troubleshooting';

const pages: readonly string[] = [
  'servers',
  'models',
  'assistants',
  'tool-log',
  'permissions',
  'general',
  'prompts',
  'schedules',
  'memory',
  'projects',
  'data',
  'native-host',
  'troubleshooting',
] satisfies PageName[];

const named = ['add', 'import', 'registry'] as const;

export const SERVER_TABS = ['configuration', 'tools', 'prompts', 'resources', 'log'] as const;
export type ServerTab = (typeof SERVER_TABS)[number];

/**
 * `#models/add/azure` is the form of such a provider. `#servers`, `#servers/add`, `#servers/import`, `#servers/registry`, `#servers/3`, `#servers/3/tools`; `#tool-log/3` is the log of server 3,
 * `#tool-log/call/x.0` that call in it. `#troubleshooting/no_provider`
 * is what there is to know of that error. `tab`: of a server, where one is named.
 */
export type Route = {
  page: PageName;
  item: (typeof named)[number] | number | null;
  tab?: ServerTab;
  callId?: string;
  preset?: PresetId;
  code?: string;
};

/** The route a hash names; the page Servers for one that names none. */
export function routeOf(hash: string): Route {
  const [page = '', item = '', part = ''] = hash.replace(/^#/, '').split('/');
  const id = Number(item);
  const preset = presets.find(({ id: kind }) => kind === part);
  const tab = SERVER_TABS.find((each) => each === part);
  return {
    page: pages.includes(page) ? (page as PageName) : 'servers',
    item: named.find((each) => each === item) ?? (item !== '' && Number.isInteger(id) ? id : null),
    ...(tab !== undefined && { tab }),
    ...(item === 'call' && part !== '' && { callId: part }),
    ...(page === 'models' && preset && { preset: preset.id }),
    ...(page === 'troubleshooting' && item !== '' && { code: item }),
  };
}

/** The route of this page, live. */
export function watchRoute(): ReadonlySignal<Route> {
  const route = signal(routeOf(location.hash));
  window.addEventListener('hashchange', () => (route.value = routeOf(location.hash)));
  return route;
}

/** Goes to another page; resolves when it is shown, so that until then the old one can refuse to act twice. */
export async function go(
  page: PageName,
  item?: (typeof named)[number] | number,
  part?: ServerTab | PresetId,
): Promise<void> {
  const hash = `#${[page, item, part].filter((each) => each !== undefined).join('/')}`;
  if (location.hash === hash) return;
  const shown = new Promise((resolve) => window.addEventListener('hashchange', resolve, { once: true }));
  location.hash = hash;
  await shown;
}
