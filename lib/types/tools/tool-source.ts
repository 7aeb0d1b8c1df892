/**
 * Where a tool comes from, as rows and calls hold it: a server by its id, `OWN_TOOLS`, `PAGE_TOOLS`, or null for
 * `read_more` and `search_tools`, which every run needs and no user switches off.
 */
export type ToolSource = number | null;

/** Stands as a server's id for those of Portside's own tools that the user may switch off and block. */
export const OWN_TOOLS = -1;
/** Stands as their server's name. */
export const OWN_NAME = 'Portside';

/** Stands as the server's id of tools that pages offer (WebMCP). */
export const PAGE_TOOLS = -2;

/** Whether a tool is a server's: ids count from 1, and 0 is one that this browser does not know, in an imported chat. */
export const isServer = (source: ToolSource): source is number => source !== null && source >= 0;

/** Whether a tool is one of Portside's own, whose schema is a rule and no server's to check. */
export const isOwnTool = (serverId: ToolSource): serverId is typeof OWN_TOOLS | null =>
  serverId === null || serverId === OWN_TOOLS;

/** Whether a tool is of what is open now, a page or a server's app: nothing of it is kept, and none is allowed for all chats. */
export const isLive = ({ serverId, ofApp }: { serverId: ToolSource; ofApp?: unknown }): boolean =>
  serverId === PAGE_TOOLS || ofApp !== undefined;

/** What is called, as far as it says which tool. */
export type ToolRef = { serverId: ToolSource; toolName: string };
