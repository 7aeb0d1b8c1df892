import type { AssistantMessage, ToolCallRequest } from '../types/message.ts';
import { USE_SKILL } from '../types/tools/skill.ts';
import { type Decision, newCall, type ToolCall, unbound } from '../types/tools/tool-call.ts';
import { isOwnTool } from '../types/tools/tool-source.ts';
import type { OfferedTool } from '../types/tools/tool.ts';
import { parseArguments } from './arguments.ts';
import type { AgentDeps, Prepared } from './deps.ts';
import { blocked, declined, denied, failure, skipped } from './refusals.ts';

/** Characters of a tool's name that are repeated to the model; no offered one is as long. */
const LONGEST_NAME = 100;

/** What knows whether a call fits its tool. */
export type Checks = Pick<AgentDeps, 'checkArguments' | 'nearNames'> & Pick<Prepared, 'withheld' | 'skillOf'>;

/**
 * The ledger rows of a whole assistant message. A call that can't be executed (no such tool, cut off, arguments that
 * are malformed, mixed up with another call's or don't fit the tool's schema) is born finished: `refused`, its result
 * in the row. Every other one is `pending`.
 * @param tools everything that exists, whether or not the model was shown it
 */
export function ledgerRows(message: AssistantMessage, tools: OfferedTool[], checks: Checks): ToolCall[] {
  const requests = message.tool_calls ?? [];
  if (requests.length === 0) return [];
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return requests.map((request, position) => {
    const called = byName.get(request.name);
    const isForSkill = called?.name === USE_SKILL;
    const tool = isForSkill ? skillIn(request, checks) : called;
    const problem =
      cutOff(message, position) ??
      (request.broken && MIXED_UP) ??
      (tool
        ? misfit(request, tool, checks)
        : isForSkill
          ? NO_SUCH_SKILL
          : noSuchTool(request.name, tools, checks));
    return {
      ...newCall(message, position, request, tool),
      ...(tool?.app !== undefined && { app: tool.app }),
      ...(tool?.ofApp !== undefined && { ofApp: tool.ofApp }),
      ...(tool?.page && { tab: tool.page.tab, reads: tool.page.site }),
      ...(problem !== undefined && { status: 'error', refused: true, result: failure(problem) }),
    };
  });
}

/** The skill that a call of the one tool for all of them is for: it is that which is asked about, and allowed. */
function skillIn({ arguments: text }: ToolCallRequest, { skillOf }: Checks): OfferedTool | undefined {
  const parsed = parseArguments(text);
  return parsed.ok ? skillOf?.(parsed.value) : undefined;
}

const NO_SUCH_SKILL = `There is no such skill here. Use one that ${USE_SKILL} lists, or an address with the server that has it. The call was not executed.`;

function cutOff(message: AssistantMessage, position: number): string | undefined {
  const isLast = position + 1 === message.tool_calls?.length;
  if (message.finish === undefined || !isLast) return undefined;
  return 'The answer was cut off inside this call, so it was not executed.';
}

const MIXED_UP =
  'The pieces of several calls came mixed up, so it is not known which arguments belong to this one. It was not executed.';

function noSuchTool(name: string, tools: OfferedTool[], { nearNames, withheld }: Checks): string {
  const reason = withheld?.get(name);
  if (reason !== undefined) return `${name} cannot be called. ${reason} The call was not executed.`;
  const near = nearNames(name, tools);
  const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
  return `There is no tool named ${name.slice(0, LONGEST_NAME)}.${hint} The call was not executed.`;
}

function misfit({ arguments: text }: ToolCallRequest, tool: OfferedTool, checks: Checks): string | undefined {
  const parsed = parseArguments(text);
  if (!parsed.ok) return `${parsed.problem} The call was not executed.`;
  const violation = checks.checkArguments(tool.inputSchema, parsed.value, isOwnTool(tool.serverId));
  return violation && `The arguments do not fit the tool’s schema: ${violation}. The call was not executed.`;
}

/**
 * The row once the user has decided. A denied or skipped call has its result at once, so that the decision holds
 * whatever happens before the loop takes it up.
 */
export function withDecision(call: ToolCall, answer: Decision): ToolCall {
  const { decision, arguments: text, word } = answer;
  const { wait, ...rest } = call;
  if (decision === 'deny') {
    if (wait === 'unknown') return { ...rest, status: 'unknown', result: skipped(word) };
    const refused = wait === 'hand_over' ? declined(word) : denied(word);
    return { ...rest, status: 'denied', result: answer.blocked ? blocked : refused };
  }
  const isEdited = text !== undefined && text !== (call.edited ?? call.arguments);
  const { scope, basis, bound } = answer;
  return {
    ...(bound ? { ...unbound(rest), ...bound } : rest),
    status: 'approved',
    ...(isEdited && { edited: text }),
    ...(scope && { allowed: scope }),
    ...(basis && { basis }),
    ...(wait === 'hand_over' && word && { word }),
  };
}
