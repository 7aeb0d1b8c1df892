import type { ToolSummary } from '../../../lib/protocol/setup.ts';

export type ToolFilter = 'all' | 'on' | 'off';

/** Whether models may be offered it. */
export const isOffered = ({ enabled, problem, present }: ToolSummary): boolean =>
  enabled && present && problem === undefined;

/** The tools that are on or off as asked and hold the text in their name, title or description. */
export function filterTools(tools: ToolSummary[], show: ToolFilter, text: string): ToolSummary[] {
  const wanted = text.trim().toLowerCase();
  return tools.filter(({ name, title = '', description, enabled, problem }) => {
    const isOn = enabled && problem === undefined;
    if (show !== 'all' && isOn !== (show === 'on')) return false;
    return [name, title, description].some((part) => part.toLowerCase().includes(wanted));
  });
}

/** How many tools models may be offered, and what these cost in tokens. */
export function offeredSum(tools: ToolSummary[]): { on: number; price: number } {
  const offered = tools.filter(isOffered);
  return { on: offered.length, price: offered.reduce((sum, { tokens }) => sum + tokens, 0) };
}

/** The tools as they are now; one that is the same as before is the same object, so that its row is not drawn again. */
export function withKept(before: ToolSummary[], now: ToolSummary[]): ToolSummary[] {
  const known = new Map(before.map((tool) => [tool.name, tool]));
  return now.map((tool) => {
    const kept = known.get(tool.name);
    return kept && JSON.stringify(kept) === JSON.stringify(tool) ? kept : tool;
  });
}
