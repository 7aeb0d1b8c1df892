import { signal, type ReadonlySignal } from '@preact/signals';

export type PageName = 'servers' | 'models' | 'assistants' | 'general';

const pages: readonly string[] = ['servers', 'models', 'assistants', 'general'] satisfies PageName[];

/** `#servers`, `#servers/add`, `#servers/3`. */
export type Route = { page: PageName; item: 'add' | number | null };

/** The route a hash names; the page Servers for one that names none. */
export function routeOf(hash: string): Route {
  const [page = '', item = ''] = hash.replace(/^#/, '').split('/');
  const id = Number(item);
  return {
    page: pages.includes(page) ? (page as PageName) : 'servers',
    item: item === 'add' ? 'add' : item !== '' && Number.isInteger(id) ? id : null,
  };
}

/** The route of this page, live. */
export function watchRoute(): ReadonlySignal<Route> {
  const route = signal(routeOf(location.hash));
  window.addEventListener('hashchange', () => (route.value = routeOf(location.hash)));
  return route;
}

/** Goes to another page; resolves when it is shown, so that until then the old one can refuse to act twice. */
export async function go(page: PageName, item?: 'add' | number): Promise<void> {
  const hash = item === undefined ? `#${page}` : `#${page}/${item}`;
  if (location.hash === hash) return;
  const shown = new Promise((resolve) => window.addEventListener('hashchange', resolve, { once: true }));
  location.hash = hash;
  await shown;
}
