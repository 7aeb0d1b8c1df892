import { cpSync, existsSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { deadLinks } from './dead-links.mjs';

const root = join(import.meta.dirname, '../..');
const pages = join(import.meta.dirname, '../pages');

// Where they lie, Vue is not found, and all of the checkout would be looked through.
rmSync(pages, { recursive: true, force: true });
for (const page of globSync('{*.md,{docs/**,locales,native-host}/*.{md,png,gif,webp}}', { cwd: root })) {
  if (!page.includes('node_modules')) cpSync(join(root, page), join(pages, page));
}
// A page links to it, and it is none.
cpSync(join(root, 'docs/client-metadata.json'), join(pages, 'public/docs/client-metadata.json'));

/** The pages of docs/ and of the root, as the site's menu has them. */
const menu = {
  'Using it': [
    ['Portside', 'README'],
    ['Guide', 'docs/guide/README'],
    ['Chats and branches', 'docs/guide/chats'],
    ['Pages', 'docs/guide/pages'],
    ['Acting in pages', 'docs/guide/acting'],
    ['Servers', 'docs/guide/servers'],
    ['Approvals', 'docs/guide/approvals'],
    ['Models', 'docs/guide/models'],
    ['Schedules', 'docs/guide/schedules'],
    ['Memory', 'docs/guide/memory'],
    ['Projects', 'docs/guide/projects'],
    ['Skills, prompts and apps', 'docs/guide/skills'],
    ['History, import and export', 'docs/guide/history'],
    ['The lock', 'docs/guide/lock'],
    ['Troubleshooting', 'docs/troubleshooting'],
    ['The command line', 'docs/command-line'],
    ['Native host', 'native-host/README'],
    ['For organisations', 'docs/fleet'],
  ],
  'In full': [
    ['Quick questions', 'docs/quick-questions'],
    ['Widgets of pages', 'docs/page-actions'],
    ['Real servers', 'docs/servers'],
    ['MCP Apps', 'docs/apps'],
    ['A model in Portside', 'docs/local-model'],
    ['Schedules', 'docs/schedules'],
    ['Memory', 'docs/memory'],
    ['Projects', 'docs/projects'],
    ['Importing chats', 'docs/import'],
    ['Sync', 'docs/sync'],
  ],
  'Trusting it': [
    ['Privacy', 'PRIVACY'],
    ['Permissions', 'docs/permissions'],
    ['Threat model', 'docs/threat-model'],
    ['Security', 'SECURITY'],
    ['Reliability', 'docs/reliability'],
    ['Performance', 'docs/performance'],
    ['Changelog', 'CHANGELOG'],
  ],
  'Changing it': [
    ['Contributing', 'CONTRIBUTING'],
    ['Architecture', 'docs/architecture'],
    ['Decisions', 'docs/decisions/README'],
    ['Model servers', 'docs/wire-quirks'],
    ['Debugging', 'docs/debugging'],
    ['Languages', 'locales/README'],
    ['Glossary', 'docs/glossary'],
  ],
};

/** Where a page of the checkout is on the site: a README is its folder's index. */
const linkOf = (page) => `/${page.replace(/README$/, '')}`;

export default {
  title: 'Portside',
  description:
    'An assistant in the browser’s side panel that works with your own model and your own MCP servers.',
  srcDir: 'pages',
  outDir: 'dist',
  rewrites: (page) => page.replace(/README\.md$/, 'index.md'),
  // What links to files that are no pages is followed by tests/docs.test.ts, as every other link is, too.
  ignoreDeadLinks: [/^http:\/\/localhost/, (link) => existsSync(join(root, link))],
  markdown: {
    html: false,
    // A link to a page that `rewrites` moves stays as it is otherwise, and leads nowhere.
    config: (md) => {
      const { normalizeLink } = md;
      md.normalizeLink = (link) => normalizeLink(link.replace(/^(?!\w+:)(.*)README\.md/, '$1index.md'));
    },
  },
  buildEnd({ outDir }) {
    const dead = deadLinks(outDir);
    if (dead.length > 0) throw new Error(`Links of the site that lead nowhere:\n${dead.join('\n')}`);
  },
  themeConfig: {
    outline: 'deep',
    search: { provider: 'local' },
    sidebar: Object.entries(menu).map(([text, listed]) => ({
      text,
      items: listed.map(([name, page]) => ({ text: name, link: linkOf(page) })),
    })),
  },
};
