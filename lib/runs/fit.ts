import { parseArguments } from '../agent/arguments.ts';
import type { ToolCall } from '../types/tools/tool-call.ts';
import { isOwnTool } from '../types/tools/tool-source.ts';
import type { RunDeps } from './deps.ts';

/** What speaks against running the call with these arguments (JSON text) today, in one sentence; undefined when they fit. */
export async function problemWith(
  deps: Pick<RunDeps, 'schemaOf' | 'checkArguments'>,
  call: ToolCall,
  text: string,
): Promise<string | undefined> {
  const parsed = parseArguments(text);
  if (!parsed.ok) return parsed.problem;
  const schema = await deps.schemaOf(call);
  return schema && deps.checkArguments(schema, parsed.value, isOwnTool(call.serverId));
}
