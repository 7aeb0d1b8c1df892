import type { CallOptions } from '../types/tools/call-tool.ts';
import type { Binding, ToolCall } from '../types/tools/tool-call.ts';
import type { ToolResult } from '../types/tools/tool-result.ts';
import type { OfferedTool } from '../types/tools/tool.ts';

/** A call of one of them. */
export type OwnCall = Binding &
  Pick<ToolCall, 'callId' | 'conversationId'> & {
    /** Of the pages that its chat had read before. */
    originsRead: () => Promise<string[]>;
    /** Whose text may be behind it, as its card said. */
    from?: string[];
    /** What else than the user gives a page trusted input, as the end of a sentence; empty where nothing does. */
    trustedInput?: () => Promise<string>;
    /** Ends with the call, when it was cancelled or its time is up. */
    signal?: AbortSignal;
  };

/** One of Portside's own tools. */
export type EveryRunTool = {
  definition: OfferedTool;
  /** @throws AppError what the model is told instead of a result */
  run: (
    call: OwnCall,
    args: Record<string, unknown>,
    options: Pick<CallOptions, 'signal'>,
  ) => Promise<ToolResult>;
};

/** @param parameters a JSON schema's `properties`; those in `required` must be given */
export function ownDefinition(
  name: string,
  description: string,
  parameters: Record<string, unknown>,
  required: string[],
): OfferedTool {
  return {
    name,
    toolName: name,
    serverId: null,
    serverName: 'Portside',
    description,
    inputSchema: { type: 'object', properties: parameters, required, additionalProperties: false },
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
}
