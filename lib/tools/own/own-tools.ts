import type { OwnToolName } from '../../types/tools/own-tool-rules.ts';
import type { Tool } from '../../types/tools/server-tool.ts';
import { actionTools } from './action-tools.ts';
import { navigationTools } from './navigation-tools.ts';
import { readingTools } from './reading-tools.ts';
import type { OwnTool } from './own-tool.ts';
import { userTools } from './user-tools.ts';

/**
 * Portside's tools for pages and tabs, and for the user, by name. A new one is an entry of one of these groups, a row
 * in lib/types/tools/own-tool-rules.ts and a title in locales/en/shared.json.
 */
export const ownTools: Record<OwnToolName, OwnTool> = {
  ...actionTools,
  ...navigationTools,
  ...readingTools,
  ...userTools,
};

/** As a server lists its tools. */
export const ownToolList: Pick<
  Tool,
  'name' | 'offeredName' | 'description' | 'inputSchema' | 'annotations'
>[] = Object.entries(ownTools)
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, { description, parameters = {}, required = [], annotations }]) => ({
    name,
    offeredName: name,
    description,
    inputSchema: {
      type: 'object',
      properties: parameters,
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
    annotations,
  }));
