/** Pages that pass a link on to their program, with what the program's own link has. */
const PAGES =
  /^https:\/\/(?:[a-z]+\.)?(?:cursor\.com|lmstudio\.ai|vscode\.dev)\/(?:[\w-]+\/){0,3}(?:mcp\/install|install-mcp)$/;
/** The programs' own: `vscode:mcp/install?{…}`, `cursor://anysphere.cursor-deeplink/mcp/install?…`, `lmstudio://add_mcp?…`. */
const PROGRAMS = /^(?:vscode(?:-insiders)?|vscodium|cursor|lmstudio):.*(?:mcp\/install|add_mcp)\/?$/;
const CLAUDE = /^https:\/\/claude\.ai\/[a-z]+\/connectors$/;

/**
 * The link by which a README has another program add a server:
 * [Cursor](https://cursor.com/docs/mcp/install-links), [VS Code](https://code.visualstudio.com/api/extension-guides/ai/mcp),
 * [LM Studio](https://lmstudio.ai/docs/app/mcp/deeplink),
 * [Claude](https://claude.com/docs/connectors/building/directory-vs-custom). Null when the text is something else.
 */
export function installLinkIn(text: string): URL | null {
  const link = /^\S+$/.test(text.trim()) ? URL.parse(text.trim()) : null;
  // `https://vscode.dev/redirect?url=vscode:mcp/install?…`
  const isPassedOn = link?.pathname === '/redirect' && /(?:^|\.)vscode\.dev$/.test(link.hostname);
  const meant = isPassedOn ? URL.parse(link.searchParams.get('url') ?? '') : link;
  return meant && isInstallLink(meant) ? meant : null;
}

function isInstallLink({ protocol, host, pathname, origin, searchParams }: URL): boolean {
  if (protocol !== 'https:') return PROGRAMS.test(`${protocol}${host}${pathname}`);
  return CLAUDE.test(origin + pathname) ? searchParams.has('connectorUrl') : PAGES.test(origin + pathname);
}
