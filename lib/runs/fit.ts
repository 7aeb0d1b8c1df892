import { parseArguments } from '../agent/arguments.ts';
import { isOwnTool, type ToolCall } from '../types/tool.ts';
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
