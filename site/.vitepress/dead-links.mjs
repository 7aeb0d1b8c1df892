import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Links of the built pages in `folder` that lead to nothing in it. VitePress looks at links before `rewrites` moves pages. */
export function deadLinks(folder) {
  return globSync('**/*.html', { cwd: folder }).flatMap((page) => {
    const links = readFileSync(join(folder, page), 'utf8').matchAll(/ href="([^"#?:]+)["#?]/g);
    return [...new Set(Array.from(links, ([, link]) => link))]
      .filter((link) => !isThere(join(folder, link.startsWith('/') ? link : join(dirname(page), link))))
      .map((link) => `${page}: ${link}`);
  });
}

const isThere = (path) =>
  [path, `${path}.html`, join(path, 'index.html')].some((each) => /\.\w+$/.test(each) && existsSync(each));
