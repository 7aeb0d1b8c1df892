/**
 * How one gets in: `open` needs no account, `sign-in` opens a window, `token` has to be given as an Authorization header,
 * since the server registers no clients.
 */
export type ServerAccess = 'open' | 'sign-in' | 'token';

export type ServerPreset = { name: string; url: string; access: ServerAccess };

/** Well-known remote servers, as their publishers documented them in November 2026. */
export const serverPresets: readonly ServerPreset[] = [
  { name: 'GitHub', url: 'https://api.githubcopilot.com/mcp/', access: 'token' },
  { name: 'Notion', url: 'https://mcp.notion.com/mcp', access: 'sign-in' },
  { name: 'Linear', url: 'https://mcp.linear.app/mcp', access: 'sign-in' },
  { name: 'Sentry', url: 'https://mcp.sentry.dev/mcp', access: 'sign-in' },
  { name: 'Hugging Face', url: 'https://huggingface.co/mcp', access: 'open' },
  { name: 'Context7', url: 'https://mcp.context7.com/mcp', access: 'open' },
  { name: 'DeepWiki', url: 'https://mcp.deepwiki.com/mcp', access: 'open' },
  { name: 'Microsoft Learn', url: 'https://learn.microsoft.com/api/mcp', access: 'open' },
  // A web search.
  { name: 'Exa', url: 'https://mcp.exa.ai/mcp', access: 'open' },
];
