import { isSiteForbidden, isToolForbidden } from '../../../../lib/fleet/rules.ts';
import { webOriginsIn } from '../../../../lib/origins.ts';
import { OWN_CALLS } from '../../../../lib/protocol/chats.ts';
import { grantFor } from '../../../../lib/storage/configuration/grants.ts';
import { overridesOf } from '../../../../lib/storage/configuration/projects.ts';
import { loadSetting } from '../../../../lib/storage/configuration/settings.ts';
import { countSiteRules, loadSiteRules } from '../../../../lib/storage/configuration/site-rules.ts';
import type { Database } from '../../../../lib/storage/schema.ts';
import { checkArguments } from '../../../../lib/tools/check-arguments.ts';
import type { Targets } from '../../../../lib/tools/own/own-tool.ts';
import { type CallFacts, type Verdict, verdictOn } from '../../../../lib/trust/call-verdict.ts';
import { fingerprint } from '../../../../lib/trust/fingerprint.ts';
import { isPartlyCompared, quotesIn } from '../../../../lib/trust/quotes.ts';
import { rulesFor, sitesOf } from '../../../../lib/trust/site-rules.ts';
import { ALL_TABS, asksAgain, foreignTo } from '../../../../lib/trust/taint.ts';
import { isRepeatable } from '../../../../lib/trust/tool-permission.ts';
import { isBlockedSite } from '../../../../lib/types/blocked-site.ts';
import type { Permission, Taint } from '../../../../lib/types/tools/approval.ts';
import { actsOnPage, ownRules } from '../../../../lib/types/tools/own-tool-rules.ts';
import { isOn, type Tool } from '../../../../lib/types/tools/server-tool.ts';
import type { ToolCall } from '../../../../lib/types/tools/tool-call.ts';
import {
  isLive,
  isOwnTool,
  isServer,
  OWN_TOOLS,
  PAGE_TOOLS,
} from '../../../../lib/types/tools/tool-source.ts';
import { isAddressed } from '../../../../lib/types/site-rule.ts';
import { namedFiles } from '../call-files.ts';
import { createCallGrants } from './call-grants.ts';
import {
  APP_TOOL_GONE,
  blockedHere,
  forbidden,
  PAGE_TOOL_GONE,
  refusal,
  requireCallable,
} from './call-refusals.ts';
import {
  argumentsOf,
  type CallTarget,
  isSandboxed,
  type JudgedCall,
  originsIn,
  reachedBy,
  UNTOLD,
} from './call-sites.ts';
import { createReadBefore } from './read-before.ts';

/** The card looks for each of them in all of the arguments, at each drawing: of more the longest. */
const MOST_QUOTES = 100;

type CallPermissionDeps = {
  /** The origin of the page that one of Portside's own tools would read or act on; undefined where the browser hides it. */
  originOf: (
    call: CallTarget & Pick<ToolCall, 'at'>,
    args: Record<string, unknown>,
  ) => Promise<string | undefined>;
  /** What the elements are that one of them would act on, by their references. */
  targetsOf: (call: CallTarget & Pick<ToolCall, 'at'>, args: Record<string, unknown>) => Promise<Targets>;
  /** A tool of a page or an app, as that has it now. */
  liveTool: (call: CallTarget) => Promise<Tool | undefined>;
  /** What a server says of itself to models, while it is connected. */
  instructionsOf: (serverId: number) => string | undefined;
  /** The configuration that pages show is stale. */
  changed: () => Promise<void>;
};

/** Which calls may be made, by what the database has of their tools and of what their model has read. */
export function createCallPermission(
  db: Database,
  { originOf, targetsOf, liveTool, instructionsOf, changed }: CallPermissionDeps,
) {
  const { readBefore, readOn, originsRead } = createReadBefore(db, instructionsOf);

  async function rowOf(wanted: CallTarget): Promise<Tool | undefined> {
    const { serverId, toolName } = wanted;
    if (isLive(wanted)) return liveTool(wanted);
    return serverId === null ? undefined : db.get('tools', [serverId, toolName]);
  }

  /**
   * Looks at the tool as its server lists it now: since the call was allowed, approved or checked it may have become
   * another one.
   * @returns the tool as it was found
   * @throws AppError why the call must not be made
   */
  async function requireRunnable(wanted: CallTarget, args: Record<string, unknown>): Promise<Tool> {
    const tool = await rowOf(wanted);
    if (!tool && isLive(wanted))
      throw refusal('tool_gone', wanted.serverId === PAGE_TOOLS ? PAGE_TOOL_GONE : APP_TOOL_GONE);
    requireCallable(tool);
    if (isToolForbidden(tool, await db.get('servers', tool.serverId))) throw forbidden();
    if (isAddressed(wanted) && isSiteForbidden(webOriginsIn(args))) throw forbidden();
    // A call that the user tries in the settings may have any arguments.
    if (wanted.conversationId === OWN_CALLS) return tool;
    const chat = await db.get('conversations', wanted.conversationId);
    if (!isOn(tool, await overridesOf(db, chat))) throw refusal('tool_off', 'The tool was switched off.');
    const row = await db.get('toolCalls', wanted.callId);
    // What runs is `args`: the model’s or the user’s.
    const { edited: _edited, ...judged }: Partial<ToolCall> = row ?? {};
    const created = { createdAt: new Date().toISOString(), ...wanted, ...judged };
    const made = { ...created, arguments: JSON.stringify(args) };
    const now = (await judge(made, tool)).permission;
    if (now === 'block') throw blockedHere();
    // Any other must have been approved by the user, for the definition that the tool has now.
    const isApproved =
      row?.allowed !== undefined && row.allowed !== 'before' && row.fingerprint === (await fingerprint(tool));
    if (now !== 'allow' && !isApproved) {
      const why = `The definition of ${tool.name} changed since it was allowed, its tab shows another site, or the permission was withdrawn.`;
      throw refusal('definition_changed', `${why} Call it again to have the user asked.`);
    }
    const violation = checkArguments(tool.inputSchema, args, isOwnTool(tool.serverId));
    if (violation !== undefined) {
      throw refusal('bad_arguments', `The arguments do not fit the tool’s schema: ${violation}`);
    }
    return tool;
  }

  const permission = async (toCall: JudgedCall): Promise<Permission> => (await judge(toCall)).permission;

  /**
   * Tools that every run needs only read what is in the chat anyway: they need no permission.
   * @param found the tool, where what runs is this one
   * @returns also whether it is asked about only because of what its model had read
   */
  async function judge(toCall: JudgedCall, found?: Tool): Promise<Verdict & { again?: true }> {
    const { serverId } = toCall;
    if (serverId === null) return { permission: 'allow' };
    const tool = found ?? (await rowOf(toCall));
    // A live tool that is gone is not asked about: its call fails, and says why.
    if (!tool) return { permission: isLive(toCall) ? 'allow' : 'ask' };
    const facts = await factsOf({ ...toCall, serverId }, tool);
    if (!facts) return { permission: 'ask' };
    const { unlessTainted, ...verdict } = verdictOn(facts);
    const { reads, server } = facts;
    const isAgain = unlessTainted && asksAgain(tool, await readBefore(toCall), reads, server.trusted);
    return isAgain ? { permission: 'ask', again: true } : verdict;
  }

  /** Undefined where its server is gone. */
  async function factsOf(
    toCall: JudgedCall & { serverId: number },
    tool: Tool,
  ): Promise<CallFacts | undefined> {
    const { serverId, toolName, conversationId, ofApp } = toCall;
    const [server, given, tiers, blocked, rules, chat] = await Promise.all([
      isServer(serverId) ? db.get('servers', serverId) : { trusted: serverId === OWN_TOOLS },
      grantFor(db, conversationId, serverId, toolName),
      loadSetting(db, 'tierPermissions'),
      loadSetting(db, 'blockedSites'),
      loadSiteRules(db),
      db.get('conversations', conversationId),
    ]);
    if (!server) return undefined;
    const isActing = actsOnPage(tool.serverId, tool.name);
    const reads = await readBy(tool, toCall);
    // Leading a tab elsewhere acts on the page that it shows now, whatever it showed when the call was judged first.
    const isLed = ownRules(toCall)?.leadsTab === true;
    const left = isLed ? await originOf(toCall, argumentsOf(toCall)) : undefined;
    const reached = reachedBy({ ...toCall, reads: isLed ? left : reads });
    const sites = [...sitesOf({ ...toCall, reads }, originsIn(toCall)), ...(left ? [left] : [])];
    const acts = isActing || isLed;
    // A tab whose address the browser hides may show any site: no grant covers it.
    const isUntold = (isActing && reached.length === 0) || (isLed && left === undefined);
    // A server's tool and one of its apps' may have one name, and one definition.
    const isMeant = given?.ofApp === (ofApp !== undefined || undefined);
    return {
      call: toCall,
      tool,
      fingerprint: await fingerprint(tool),
      server,
      tiers,
      grant: isMeant ? given : undefined,
      reads,
      origins: isUntold ? [...reached, UNTOLD] : reached,
      isForbidden:
        isToolForbidden(tool, server) ||
        isSiteForbidden(acts ? [...sites, ...reached] : sites) ||
        (acts && isBlockedSite(reached, blocked)),
      isSandboxed: isSandboxed(toCall),
      alwaysAsks: ownRules(toCall)?.handsOver === true || ownRules(toCall)?.alwaysAsks === true,
      siteRules: rulesFor(rules, toCall, sites),
      press: toCall.presses && (await judge({ ...toCall, toolName: 'click', presses: undefined })),
      readsOnly: chat?.schedule?.readsOnly === true,
    };
  }

  /** Whose page one of Portside's own tools would read or act on: the one that it was first judged by, of which the user is asked. */
  async function readBy(tool: Tool, toCall: JudgedCall): Promise<string | undefined> {
    if (toCall.reads !== undefined) return toCall.reads;
    const { site, leadsTab } = ownRules({ ...tool, toolName: tool.name }) ?? {};
    if (site === undefined || site === 'none' || (site === 'argument' && !leadsTab)) return undefined;
    return site === 'all_tabs' ? ALL_TABS : originOf(toCall, argumentsOf(toCall));
  }

  /** What the card says of what may be behind a call. */
  async function taintOf(toCall: ToolCall): Promise<Taint | undefined> {
    const [{ again }, before] = await Promise.all([judge(toCall), readBefore(toCall)]);
    const from = [...new Set(foreignTo(toCall, before).map((each) => each.from))].toReversed();
    const args = argumentsOf(toCall);
    const found = quotesIn(args, before.foreign, before.written);
    const quotes = found.toSorted((a, b) => b.text.length - a.text.length).slice(0, MOST_QUOTES);
    const isMore = found.length > MOST_QUOTES || isPartlyCompared(args, before.foreign);
    const isPart = from.length > 0 && isMore;
    if (from.length + quotes.length === 0) return undefined;
    const hosts = [...new Set(before.foreign.flatMap((each) => (each.isHost ? each.from : [])))];
    return {
      from,
      ...(hosts.length > 0 && { hosts }),
      ...(again && { again }),
      ...(isPart && { isPart }),
      quotes,
    };
  }

  /** By the tool's hints, which only of servers that the user trusts, and as they saw them, permit to make a call a second time. */
  async function repetition({ serverId, ...wanted }: CallTarget): Promise<'allow' | 'ask'> {
    if (serverId === null) return 'allow';
    const tool = await rowOf({ ...wanted, serverId });
    return tool && !tool.review && (await isTrusted(serverId)) && isRepeatable(tool) ? 'allow' : 'ask';
  }

  const isTrusted = async (serverId: number): Promise<boolean> =>
    serverId === OWN_TOOLS || (await db.get('servers', serverId))?.trusted === true;

  /** What the user is asked about: the tool, and the page and elements that it is for, as they are now. Undefined when it is not known. */
  async function definitionOf(toCall: ToolCall) {
    const tool = await rowOf(toCall);
    if (!tool) return undefined;
    const rules = ownRules(toCall);
    const found = rules?.acts || rules?.leadsTab ? await targetsOf(toCall, argumentsOf(toCall)) : undefined;
    const { at } = found ?? {};
    const reads = await readBy(tool, { ...toCall, ...(at && { at }) });
    const others = found?.sites.filter((site) => site !== reads) ?? [];
    const titles = titlesIn(tool.inputSchema);
    return {
      fingerprint: await fingerprint(tool),
      annotations: tool.annotations,
      ...(titles && { titles }),
      ...(reads !== undefined && reads !== ALL_TABS && { reads }),
      ...(at && { at }),
      ...(found && { targets: found.targets }),
      ...(others.length > 0 && { targetSites: others }),
      ...(found?.submits && { submits: true as const }),
      ...(found?.downloads && !rules?.pressesNothing && { downloads: true as const }),
      ...(found?.presses && { presses: true as const }),
      ...(rules?.readsFiles && { files: await namedFiles(db, toCall, argumentsOf(toCall)) }),
    };
  }

  /** As `judge`, and counts the user's Never that blocks the call. */
  async function judgeCounted(toCall: ToolCall) {
    const judged = await judge(toCall);
    if (judged.never) await countSiteRules(db, judged.never, toCall.callId);
    return judged;
  }

  return {
    rowOf,
    requireRunnable,
    permission,
    judge,
    judgeCounted,
    repetition,
    definitionOf,
    readOn,
    originsRead,
    taintOf,
    ...createCallGrants(db, { rowOf, changed }),
  };
}

/** Characters of what a schema calls an argument, and of the name of one: it stands in the row of each call. */
const LONGEST_TITLE = 60;
const LONGEST_NAME = 200;
/** Arguments with such a title that are told of. */
const MOST_TITLES = 50;

/** What a schema calls a call's arguments where that is not their name; undefined where it says nothing of it. */
function titlesIn({ properties }: Record<string, unknown>): Record<string, string> | undefined {
  const titled = Object.entries(Object(properties) as object).flatMap(
    ([name, property]): [string, string][] => {
      const { title } = Object(property) as { title?: unknown };
      const isOther = typeof title === 'string' && title.trim() !== '' && title !== name;
      return isOther && name.length <= LONGEST_NAME ? [[name, title.slice(0, LONGEST_TITLE)]] : [];
    },
  );
  return titled.length > 0 ? Object.fromEntries(titled.slice(0, MOST_TITLES)) : undefined;
}
