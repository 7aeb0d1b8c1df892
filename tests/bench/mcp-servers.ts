import { startMcpServer } from '../fakes/mcp-server.ts';

/** As many MCP servers as the argument says, each on an origin of its own, in a process of its own. Sends their URLs. */
const count = Number(process.argv[2]);
const servers = await Promise.all(Array.from({ length: count }, () => startMcpServer()));
process.send?.(servers.map(({ url }) => url));
process.once('disconnect', () => process.exit());
