import { AppError } from '../../../../lib/errors.ts';
import type { Tool } from '../../../../lib/types/tools/server-tool.ts';
import { t } from '../../../../locales/texts/errors.ts';

/** Also for a call that was approved before, or is run again without an approval. */
export function requireCallable(tool: Tool | undefined): asserts tool is Tool {
  if (!tool?.present) throw refusal('tool_gone', 'The server no longer offers this tool.');
  if (tool.problem !== undefined) throw refusal('tool_unusable', tool.problem);
  if (tool.permission === 'block') throw blocked();
}

const blocked = (): AppError => refusal('tool_blocked', 'The user has blocked this tool.');

export const blockedHere = (): AppError =>
  refusal('tool_blocked', 'The user has blocked this tool, or what it would do on this site.');

/** For the model. */
export const FORBIDDEN_TOOL = 'The user’s organisation does not allow this.';
export const forbidden = (): AppError => refusal('tool_blocked', FORBIDDEN_TOOL);

export const PAGE_TOOL_GONE =
  'The tab no longer offers this tool: its page took it back or changed it, the tab shows another page or is closed, or Portside lost access.';

export const APP_TOOL_GONE =
  'The app no longer offers this tool: it is closed, took it back or changed it, or its server is switched off.';

export function refusal(code: string, message: string): AppError {
  return new AppError({ code, message });
}

/** What it was asked about or shown is another by now. */
export function definitionChanged(toolName: string): AppError {
  return new AppError({
    code: 'definition_changed',
    ...t(($) => $.errors.setup.definitionChanged, { name: toolName }),
  });
}
