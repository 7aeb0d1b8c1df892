import type { ContentBlock } from './tools/tool-result.ts';
import type { SaidTool } from './tools/tool.ts';

/** Characters that an app may put before the model. */
export const MOST_CONTEXT = 100_000;

/** The HTML that shows a tool's calls (MCP Apps, SEP-1865): hostile data. */
export type AppDocument = {
  html: string;
  /** Its Content-Security-Policy. */
  policy: string;
};

/** What a page needs to show the app of a call. */
export type OpenedApp = AppDocument & {
  /** The tool of the call, as the app is told of it. */
  tool: { name: string; title?: string; description: string; inputSchema: Record<string, unknown> };
  /** Portside's. */
  version: string;
};

/** A call whose arguments are still written. */
export type WrittenCall = { conversationId: string; serverId: number; toolName: string };

/** A result as MCP has it (CallToolResult), for an app. */
export type AppResult = {
  content: unknown[];
  structuredContent?: unknown;
  isError?: boolean;
  _meta?: Record<string, unknown>;
};

/** What there is of the call that an app shows. `cancelled`: why there is no result. */
export type AppInput = { arguments: Record<string, unknown>; result?: AppResult; cancelled?: string };

/** What an app puts before the model with the user's next message. */
export type AppContext = { content?: ContentBlock[]; structured?: Record<string, unknown> };

/** The tools that one open app offers. `appId`: the page's, of the frame; `callId`: of the call that it shows. */
export type OfferingApp = { appId: string; callId: string; tools: SaidTool[] };

/** What a page says of its apps' tools: all that are offered there, and what came of a call. `lost`: the app is gone. */
export type AppToolRequest =
  | { type: 'app_tools'; apps: OfferingApp[] }
  | { type: 'app_tool_answer'; id: string; answer: AppToolAnswer };
export type AppToolAnswer = { result: Record<string, unknown> } | { error: string } | 'lost';

/** What the worker says to the page of an app whose tool is called. */
export type AppToolEvent =
  | { type: 'call_app_tool'; id: string; appId: string; name: string; arguments: Record<string, unknown> }
  | { type: 'cancel_app_tool'; id: string; appId: string };
