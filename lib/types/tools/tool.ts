import type { ToolSource } from './tool-source.ts';

/**
 * A tool as the model sees it, and where its calls go. `serverId` null means one of Portside's own that every run needs.
 */
export type OfferedTool = {
  /** `^[a-zA-Z0-9_-]{1,64}$`, e.g. `mcp__3__echo`. */
  name: string;
  /** The server's own name of the tool. */
  toolName: string;
  serverId: ToolSource;
  serverName: string;
  description: string;
  inputSchema: Record<string, unknown>;
  annotations: ToolAnnotations;
  /** The `ui://` resource that shows its calls (MCP Apps). */
  app?: string;
  /** Of a page's tool: the tab, and the origin of the document in it that offers the tool. */
  page?: { tab: number; site: string };
  /** Of a tool that an app of its server offers: the call that the app shows. */
  ofApp?: string;
};

/** MCP ToolAnnotations (spec 2025-03-26 and later). Hints from the server: claims, not facts. */
export type ToolAnnotations = {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
};

/** What a page or an app says of a tool: hostile data. */
export type SaidTool = {
  name: string;
  title: string;
  description: string;
  inputSchema: unknown;
  /** It says that it destroys, or that the user should be asked. */
  isConsequential: boolean;
};
