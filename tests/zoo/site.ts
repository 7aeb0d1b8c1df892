import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { build } from 'vite';
import { root } from '../../scripts/paths.ts';

/** The pages of the zoo, on two origins: `127.0.0.1` and `localhost`. */
export type ZooSite = { url: string; other: string; close: () => void };

const pages = join(import.meta.dirname, 'pages');
const built = join(root, '.cache', 'zoo');

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
};

/** @param names of the pages that will be visited: those with a module of their own are bundled, unless they are as they were */
export async function startZooSite(names: Iterable<string>): Promise<ZooSite> {
  for (const name of new Set(names)) if (existsSync(join(pages, `${name}.mjs`))) await bundle(name);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://zoo');
    void (async () => {
      const { type, body } = await answer(pathname, other());
      response.writeHead(body === null ? 404 : 200, { 'content-type': type }).end(body ?? '');
    })();
  }).listen(0);
  const port = (): number => (server.address() as AddressInfo).port;
  const other = (): string => `http://localhost:${port()}`;
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${port()}`,
    other: other(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function answer(path: string, other: string): Promise<{ type: string; body: string | Buffer | null }> {
  const name = path.slice(1);
  if (name.startsWith('built/')) {
    const file = join(built, normalize(name.slice('built/'.length)));
    const body = await readFile(file).catch(() => null);
    return { type: TYPES[extname(file)] ?? 'application/octet-stream', body };
  }
  const type = TYPES['.html'] ?? '';
  if (existsSync(join(pages, `${name}.mjs`))) return { type, body: documentOf(await headOf(name)) };
  const own = await readFile(join(pages, `${name}.html`), 'utf8').catch(() => null);
  return { type, body: own === null ? null : documentOf('', own.replaceAll('OTHER', other)) };
}

/** What was done, pages note themselves: in `done` of the topmost one, where a check finds it. */
const documentOf = (head: string, body = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Zoo</title><script>
    const done = [];
    function note(what) {
      if (window !== top) return top.postMessage({ done: what }, '*');
      done.push(what);
      document.getElementById('said').textContent = 'Done: ' + what;
    }
    addEventListener('message', ({ data }) => data.done && note(data.done));
  </script>${head}</head><body><p role="status" id="said"></p>${body}${CLOCK}</body></html>`;

/** Pages move by themselves: what a tool makes of that is none of its doing. */
const CLOCK = `<p id="users-online">Online: 1 user</p><script>{
  let users = 1;
  setInterval(() => (document.getElementById('users-online').textContent = 'Online: ' + (users += 1) + ' users'), 400);
}</script>`;

/** What the bundler made for a page's module. */
async function headOf(name: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(built, name, 'manifest.json'), 'utf8')) as Record<
    string,
    { file: string; css?: string[]; isEntry?: true }
  >;
  const { file = '', css = [] } = Object.values(manifest).find(({ isEntry }) => isEntry) ?? {};
  const styles = css.map((each) => `<link rel="stylesheet" href="/built/${name}/${each}">`).join('');
  return `${styles}<script type="module" src="/built/${name}/${file}"></script>`;
}

async function bundle(name: string): Promise<void> {
  const source = await readFile(join(pages, `${name}.mjs`), 'utf8');
  const packages = await readFile(join(root, 'package-lock.json'), 'utf8');
  const key = createHash('sha256').update(source).update(packages).digest('hex');
  const kept = join(built, name, 'key');
  if ((await readFile(kept, 'utf8').catch(() => '')) === key) return;
  await build({
    configFile: false,
    logLevel: 'error',
    root: pages,
    base: `/built/${name}/`,
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir: join(built, name),
      emptyOutDir: true,
      target: 'esnext',
      manifest: 'manifest.json',
      rolldownOptions: { input: join(pages, `${name}.mjs`) },
    },
  });
  await writeFile(kept, key);
}
