/** A server on npm. In `args` and `call`, `{folder}`, `{port}` and `{browser}` stand for what it is given. */
export type NpmServer = {
  /** Its package. */
  name: string;
  /** Its command, where the package has several or one of another name. */
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  /** The path at which it listens, over Streamable HTTP. Without one it speaks stdio. */
  path?: string;
  /** One harmless call. `varies`: its result holds what is drawn or measured, so that only its shape can be the same. */
  call: Call & { varies?: true };
  /** A call that an app of it shows, where that is another one; `true`: it is `call`. */
  app?: true | Call;
};

type Call = { tool: string; args?: Record<string, unknown> };

const scope = '@modelcontextprotocol';
const echo = { tool: 'echo', args: { message: 'ahoy' } };
const headless = ['--headless', '--isolated'];
const playwright = [...headless, '--no-sandbox', '--executable-path', '{browser}'];

/** What is tried. Keys are made up: with one of those a server lists, and a call tells what it is refused. */
export const catalogue: NpmServer[] = [
  { name: `${scope}/server-everything`, call: echo },
  {
    name: `${scope}/server-everything`,
    args: ['streamableHttp'],
    env: { PORT: '{port}' },
    path: '/mcp',
    call: echo,
  },
  {
    name: `${scope}/server-filesystem`,
    args: ['{folder}'],
    call: { tool: 'list_directory', args: { path: '{folder}' } },
  },
  { name: `${scope}/server-memory`, call: { tool: 'read_graph' } },
  {
    name: `${scope}/server-sequential-thinking`,
    call: {
      tool: 'sequentialthinking',
      args: { thought: 'Ahoy.', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
    },
  },

  // The examples of MCP Apps.
  {
    name: `${scope}/server-basic-vanillajs`,
    args: ['--stdio'],
    call: { tool: 'get-time', varies: true },
    app: true,
  },
  {
    name: `${scope}/server-basic-vanillajs`,
    env: { PORT: '{port}' },
    path: '/mcp',
    call: { tool: 'get-time', varies: true },
  },
  {
    name: `${scope}/server-basic-react`,
    args: ['--stdio'],
    call: { tool: 'get-time', varies: true },
    app: true,
  },
  {
    name: `${scope}/server-basic-preact`,
    args: ['--stdio'],
    call: { tool: 'get-time', varies: true },
    app: true,
  },
  {
    name: `${scope}/server-basic-solid`,
    args: ['--stdio'],
    call: { tool: 'get-time', varies: true },
    app: true,
  },
  {
    name: `${scope}/server-basic-svelte`,
    args: ['--stdio'],
    call: { tool: 'get-time', varies: true },
    app: true,
  },
  {
    name: `${scope}/server-basic-vue`,
    args: ['--stdio'],
    call: { tool: 'get-time', varies: true },
    app: true,
  },
  {
    name: `${scope}/server-budget-allocator`,
    args: ['--stdio'],
    call: { tool: 'get-budget-data', varies: true },
    app: true,
  },
  {
    name: `${scope}/server-budget-allocator`,
    env: { PORT: '{port}' },
    path: '/mcp',
    call: { tool: 'get-budget-data', varies: true },
  },
  {
    name: `${scope}/server-cohort-heatmap`,
    args: ['--stdio'],
    call: { tool: 'get-cohort-data', varies: true },
    app: true,
  },
  {
    name: `${scope}/server-customer-segmentation`,
    args: ['--stdio'],
    call: { tool: 'get-customer-data', varies: true },
    app: true,
  },
  {
    name: `${scope}/server-debug`,
    args: ['--stdio'],
    call: { tool: 'debug-tool', args: { contentType: 'mixed' }, varies: true },
    app: true,
  },
  {
    name: `${scope}/server-map`,
    args: ['--stdio'],
    call: { tool: 'show-map', args: { west: -3.3, south: 55.9, east: -3.1, north: 56 }, varies: true },
    app: true,
  },
  {
    name: `${scope}/server-pdf`,
    args: ['--stdio'],
    call: { tool: 'list_pdfs' },
    app: { tool: 'display_pdf' },
  },
  {
    name: `${scope}/server-scenario-modeler`,
    args: ['--stdio'],
    call: { tool: 'get-scenario-data' },
    app: true,
  },
  {
    name: `${scope}/server-shadertoy`,
    args: ['--stdio'],
    call: { tool: 'render-shadertoy' },
    app: {
      tool: 'render-shadertoy',
      args: {
        fragmentShader: 'void mainImage(out vec4 c, in vec2 p) { c = vec4(p / iResolution.xy, 0.5, 1); }',
      },
    },
  },
  {
    name: `${scope}/server-sheet-music`,
    args: ['--stdio'],
    call: { tool: 'play-sheet-music' },
    app: { tool: 'play-sheet-music', args: { abcNotation: 'X:1\nT:Ahoy\nM:4/4\nK:C\nCDEF|GABc|' } },
  },
  {
    name: `${scope}/server-system-monitor`,
    args: ['--stdio'],
    call: { tool: 'get-system-info', varies: true },
    app: true,
  },
  {
    name: `${scope}/server-system-monitor`,
    env: { PORT: '{port}' },
    path: '/mcp',
    call: { tool: 'get-system-info', varies: true },
  },
  {
    name: `${scope}/server-threejs`,
    args: ['--stdio'],
    call: { tool: 'learn_threejs' },
    app: { tool: 'show_threejs_scene' },
  },
  { name: `${scope}/server-transcript`, args: ['--stdio'], call: { tool: 'transcribe' }, app: true },
  {
    name: `${scope}/server-video-resource`,
    args: ['--stdio'],
    call: { tool: 'play_video', args: { videoId: 'bunny-1mb' } },
    app: true,
  },
  {
    name: `${scope}/server-wiki-explorer`,
    args: ['--stdio'],
    call: {
      tool: 'get-first-degree-links',
      args: { url: 'https://en.wikipedia.org/wiki/Harbor' },
      varies: true,
    },
    app: true,
  },

  // Browsers.
  { name: '@playwright/mcp', args: playwright, call: { tool: 'browser_tabs', args: { action: 'list' } } },
  {
    name: '@playwright/mcp',
    args: [...playwright, '--allowed-hosts', '*', '--port', '{port}'],
    path: '/mcp',
    call: { tool: 'browser_tabs', args: { action: 'list' } },
  },
  {
    name: 'chrome-devtools-mcp',
    args: [...headless, '--chromeArg=--no-sandbox', '--executablePath', '{browser}'],
    call: { tool: 'list_pages' },
  },

  // Documentation and code.
  {
    name: '@upstash/context7-mcp',
    call: { tool: 'resolve-library-id', args: { query: 'signals', libraryName: 'preact' } },
  },
  {
    name: '@upstash/context7-mcp',
    args: ['--transport', 'http', '--port', '{port}'],
    path: '/mcp',
    call: { tool: 'resolve-library-id', args: { query: 'signals', libraryName: 'preact' } },
  },
  { name: '@angular/cli', command: 'ng', args: ['mcp'], call: { tool: 'get_best_practices' } },
  { name: '@eslint/mcp', call: { tool: 'lint-files', args: { filePaths: ['{folder}/notes.txt'] } } },
  { name: '@knip/mcp', call: { tool: 'knip-docs', args: { topic: 'nowhere' } } },
  { name: '@mantine/mcp-server', call: { tool: 'list_items' } },
  {
    name: '@mastra/mcp-docs-server',
    call: { tool: 'listMastraPackages', args: { projectPath: '{folder}' } },
  },
  { name: '@mui/mcp', call: { tool: 'fetchDocs', args: { urls: ['https://mui.com/llms.txt'] } } },
  { name: '@sveltejs/mcp', call: { tool: 'list-sections' } },
  { name: 'next-devtools-mcp', call: { tool: 'nextjs_index' } },
  { name: 'nx-mcp', call: { tool: 'nx_docs' } },
  { name: 'shadcn', args: ['mcp'], call: { tool: 'get_audit_checklist' } },

  // Files, data and drawings.
  {
    name: '@antv/mcp-server-chart',
    call: { tool: 'generate_pie_chart', args: { data: [{ category: 'Ships', value: 1 }] } },
  },
  {
    name: '@bytebase/dbhub',
    args: ['--demo'],
    call: { tool: 'execute_sql', args: { sql: 'select 1 as one' }, varies: true },
  },
  {
    name: '@cyanheads/git-mcp-server',
    call: { tool: 'git_status', args: { path: '{folder}' }, varies: true },
  },
  { name: '@drawio/mcp', call: { tool: 'search_shapes', args: { query: 'ship' } } },
  { name: '@wonderwhy-er/desktop-commander', call: { tool: 'list_directory', args: { path: '{folder}' } } },
  {
    name: 'mcp-echarts',
    call: {
      tool: 'generate_bar_chart',
      args: { data: [{ category: 'Ships', value: 1 }], outputType: 'option' },
    },
  },
  { name: 'mcp-hello-world', call: echo },
  {
    name: 'mcp-mermaid',
    call: {
      tool: 'generate_mermaid_diagram',
      args: { mermaid: 'graph TD; A-->B', outputType: 'mermaid' },
    },
  },
  {
    name: 'mongodb-mcp-server',
    call: { tool: 'count', args: { connectionId: 'none', database: 'harbour', collection: 'ships' } },
  },
  { name: 'time-mcp', call: { tool: 'days_in_month', args: { date: '2026-02-01' } } },

  // Services.
  {
    name: '@brave/brave-search-mcp-server',
    env: { BRAVE_API_KEY: 'none' },
    call: { tool: 'brave_web_search', args: { query: 'harbour' } },
  },
  { name: '@notionhq/notion-mcp-server', env: { NOTION_TOKEN: 'ntn_none' }, call: { tool: 'API-get-self' } },
  {
    name: '@sentry/mcp-server',
    args: ['--access-token=none'],
    call: { tool: 'search_sentry_tools', args: { query: 'issue' } },
  },
  { name: '@stripe/mcp', args: ['--api-key=sk_test_none'], call: { tool: 'retrieve_balance' } },
  {
    name: '@supabase/mcp-server-supabase',
    args: ['--access-token', 'sbp_none'],
    call: { tool: 'list_organizations' },
  },
  { name: 'airtable-mcp-server', env: { AIRTABLE_API_KEY: 'pat.none' }, call: { tool: 'list_bases' } },
  {
    name: 'exa-mcp-server',
    env: { EXA_API_KEY: 'none' },
    call: { tool: 'web_search_exa', args: { query: 'harbour' }, varies: true },
  },
  {
    name: 'figma-developer-mcp',
    args: ['--stdio', '--figma-api-key=none'],
    call: { tool: 'get_figma_data', args: { fileKey: 'none' } },
  },
  {
    name: 'firecrawl-mcp',
    env: { FIRECRAWL_API_KEY: 'fc-none' },
    call: { tool: 'firecrawl_check_crawl_status', args: { id: 'none' } },
  },
  { name: 'mcp-searxng', call: { tool: 'searxng_web_search', args: { query: 'harbour' } } },
  { name: 'mcp-server-kubernetes', call: { tool: 'kubectl_context', args: { operation: 'list' } } },
  { name: 'n8n-mcp', call: { tool: 'tools_documentation' } },
  {
    name: 'tavily-mcp',
    env: { TAVILY_API_KEY: 'tvly-none' },
    call: { tool: 'tavily_search', args: { query: 'harbour' } },
  },
];
