import { parseArguments } from '../../agent/arguments.ts';
import { withDecision } from '../../agent/ledger.ts';
import { AppError } from '../../errors.ts';
import type { Request } from '../../protocol/commands.ts';
import { type Binding, type Decision, type ToolCall, unbound } from '../../types/tools/tool-call.ts';
import { OWN_TOOLS, isOwnTool } from '../../types/tools/tool-source.ts';
import type { Context } from '../context.ts';
import { isShownWhole } from '../panel-view.ts';
import { abandoned } from './app-calls.ts';
import { t } from '../../../locales/texts/errors.ts';
import type { RunDeps } from '../deps.ts';

/** Of a call whose tool, or what it would do on the site, was blocked while it waited. */
const BLOCKED: Decision = { decision: 'deny', blocked: true };

const sitesOf = ({ reads, targetSites = [] }: Binding): string[] => [reads ?? [], ...targetSites].flat();

const tabIn = (text: string): unknown => {
  const parsed = parseArguments(text);
  return parsed.ok ? parsed.value['tab'] : undefined;
};

/** The elements or files that arguments name: those that the card showed as it showed them, the others as they are now. */
const asShown = <T>(now: Record<string, T>, shown: Record<string, T> = {}): Record<string, T> =>
  Object.fromEntries(
    Object.entries(now).map(([name, each]) => [
      name,
      Object.hasOwn(shown, name) ? (shown[name] ?? each) : each,
    ]),
  );

/** The user's answers to calls that wait for them. */
export function createDecisions({ deps, lane, live, appCalls }: Context) {
  const { store } = deps;

  /** Writes the decision down, then hands it to the waiting call. A call that does not wait is left alone. */
  async function decide({ callId, conversationId }: ToolCall, decision: Decision): Promise<void> {
    const waited = await lane(conversationId, async () => {
      const current = await store.call(callId);
      if (current?.wait === undefined) return false;
      const isGone = current.byApp !== undefined && !appCalls.has(callId);
      await store.write({ calls: [isGone ? abandoned(current) : withDecision(current, decision)] });
      return true;
    });
    if (!waited) return;
    appCalls.get(callId)?.decide(decision);
    live.get(conversationId)?.decide(callId, decision);
  }

  /**
   * @throws AppError `bad_arguments` when edited arguments do not fit the tool's schema: nothing changes then;
   * `definition_changed` when there can be no grant: the call itself is decided all the same
   */
  async function resolve({
    callId,
    scope = 'once',
    readTools,
    never,
    ...decision
  }: Request<'resolveCall'>): Promise<void> {
    const call = await store.call(callId);
    if (call?.wait === undefined) return;
    const allows = decision.decision === 'allow';
    if (never !== undefined && !allows) {
      await deps.forbid(call, never);
      await decide(call, { ...decision, blocked: true });
      return reconsider();
    }
    if (allows && decision.arguments !== undefined) await requireFitting(call, decision.arguments);
    const bound = allows ? await boundTo(call, decision.arguments) : undefined;
    // Arguments that were not shown whole are allowed once only: the rest may hold other addresses.
    const isShown = isShownWhole(decision.arguments ?? call.edited ?? call.arguments);
    // So is a call that reaches sites that the card did not name.
    const isThere = !bound || sitesOf(bound).every((site) => sitesOf(call).includes(site));
    const reach = isShown && isThere && call.wait === 'permission' ? scope : 'once';
    const grants = allows && reach !== 'once';
    // Written first, so that a worker that dies in between asks about no call that is granted.
    const edited = decision.arguments !== undefined && { edited: decision.arguments };
    const refused = grants
      ? await grantOrWhyNot({ ...call, ...edited }, reach, ...(readTools ? [readTools] : []))
      : undefined;
    const isAllowed = allows && call.wait !== 'unknown';
    const answer = { ...decision, ...(bound && { bound }) };
    await decide(call, isAllowed ? { ...answer, scope: refused ? 'once' : reach } : answer);
    if (refused) throw refused;
  }

  /**
   * What in a page a call with the user's arguments is bound to: elements and files of the card as the card showed them,
   * others as they are now. Undefined where the arguments are unchanged, or the tool is not Portside's own.
   */
  async function boundTo(call: ToolCall, text: string | undefined): Promise<Binding | undefined> {
    const shown = call.edited ?? call.arguments;
    if (text === undefined || text === shown || call.serverId !== OWN_TOOLS) return undefined;
    const { reads, at } = call;
    const isSameTab = tabIn(text) === tabIn(shown);
    const kept = isSameTab ? { ...(reads !== undefined && { reads }), ...(at && { at }) } : {};
    const found = await deps.definitionOf({ ...unbound(call), ...kept, edited: text });
    if (!found) return undefined;
    const { fingerprint: _asked, annotations: _its, targets, files, ...bound } = found;
    return {
      ...bound,
      ...kept,
      ...(targets && { targets: isSameTab ? asShown(targets, call.targets) : targets }),
      ...(files && { files: asShown(files, call.files) }),
    };
  }

  /** An Allow is about the arguments that were shown: it holds for this call also where no later one can be allowed. */
  async function grantOrWhyNot(...grant: Parameters<typeof deps.grant>): Promise<AppError | undefined> {
    try {
      await deps.grant(...grant);
      return undefined;
    } catch (error) {
      if (error instanceof AppError && error.code === 'definition_changed') return error;
      throw error;
    }
  }

  /** Looks again at every call that waits for a permission: one that needs no approval any more is released. */
  async function reconsider(): Promise<void> {
    const ofRuns = [...live.values()].flatMap(({ state }) => [...state.open.values()]);
    const open = [...ofRuns, ...[...appCalls.values()].map(({ call }) => call)];
    await Promise.all(open.map(reconsiderCall));
  }

  async function reconsiderCall(call: ToolCall): Promise<void> {
    if (call.wait !== 'permission') return;
    const { permission, basis } = await deps.judge(call);
    const by = { scope: 'before' as const, ...(basis && { basis }) };
    if (permission === 'allow') await decide(call, { decision: 'allow', ...by });
    if (permission === 'block') await decide(call, BLOCKED);
  }

  async function requireFitting(call: ToolCall, text: string): Promise<void> {
    const problem = await problemWith(deps, call, text);
    if (problem === undefined) return;
    throw new AppError({ code: 'bad_arguments', ...t(($) => $.errors.chat.badArguments), cause: problem });
  }

  async function checkArguments(request: Request<'checkArguments'>): Promise<string | null> {
    const call = await store.call(request.callId);
    return (call && (await problemWith(deps, call, request.arguments))) ?? null;
  }

  return { resolve, reconsider, reconsiderCall, checkArguments };
}

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
