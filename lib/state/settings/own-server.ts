import { SEARCH_TOOL } from '../../types/tools/tool-search.ts';
import { OWN_NAME, OWN_TOOLS } from '../../types/tools/tool-source.ts';
import type { ToolSummary } from '../../protocol/setup.ts';
import { type Server, type ServerStatus, TOOL_TIMEOUT_MS } from '../../types/server.ts';
import { t } from '../../../locales/texts/shared.ts';

/** What stands for a server where Portside's own tools are shown among servers'. */
export const ownServer: Server = {
  id: OWN_TOOLS,
  name: OWN_NAME,
  transport: 'stdio',
  command: '',
  args: [],
  envNames: [],
  enabled: true,
  toolTimeout: TOOL_TIMEOUT_MS,
  trusted: true,
  oneAtATime: false,
};

/** It is always there. */
export const ownStatus: ServerStatus = { state: 'connected', toolCount: 0 };

/** What one of Portside's own tools is called in the language of the moment. */
export function ownTitle(name: string): string | undefined {
  const { readMore, search } = t(($) => $.names.tools);
  const titles: Record<string, string> = {
    ...t(($) => $.ownTools),
    read_more: readMore,
    [SEARCH_TOOL]: search,
  };
  return Object.hasOwn(titles, name) ? titles[name] : undefined;
}

/** What a tool is called by its server, where that is more than its name. */
export function titleOfTool({
  serverId,
  name,
  title,
}: Pick<ToolSummary, 'serverId' | 'name' | 'title'>): string | undefined {
  const called = serverId === OWN_TOOLS ? ownTitle(name) : title;
  return called === name ? undefined : called;
}
