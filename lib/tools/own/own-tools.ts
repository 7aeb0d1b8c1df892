import type { OwnToolName } from '../../types/own-tools.ts';
import type { Tool } from '../../types/server-tool.ts';
import { acting } from './acting.ts';
import { keeping } from './keeping.ts';
import { moving } from './moving.ts';
import { reading } from './reading.ts';
import type { TabTool } from './tab-tool.ts';

/** Portside's tools for pages and tabs, the clock and the memory, by name. Their titles are texts (locales/en/shared.json). */
export const ownTools: Record<OwnToolName, TabTool> = { ...acting, ...keeping, ...moving, ...reading };

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
