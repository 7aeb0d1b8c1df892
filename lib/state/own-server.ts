import { OWN_NAME, OWN_TOOLS } from '../types/tool.ts';
import type { Server, ServerStatus } from '../types/setup.ts';

/** What stands for a server where Portside's own tools are shown among servers'. */
export const ownServer: Server = {
  id: OWN_TOOLS,
  name: OWN_NAME,
  transport: 'stdio',
  command: '',
  args: [],
  envNames: [],
  enabled: true,
  toolTimeout: 30_000,
  trusted: true,
  oneAtATime: false,
};

/** It is always there. */
export const ownStatus: ServerStatus = { state: 'connected', toolCount: 0 };
