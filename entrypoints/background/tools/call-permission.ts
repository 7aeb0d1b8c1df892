import { parseArguments } from '../../../lib/agent/arguments.ts';
import { AppError } from '../../../lib/errors.ts';
import { isSiteForbidden, isToolForbidden } from '../../../lib/fleet/rules.ts';
import { webOriginsIn } from '../../../lib/origins.ts';
import { OWN_CALLS } from '../../../lib/protocol/chats.ts';
import { overridesOf } from '../../../lib/storage/configuration/projects.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { grantFor, putGrant, revokeSite } from '../../../lib/storage/configuration/grants.ts';
import { loadSetting } from '../../../lib/storage/configuration/settings.ts';
import {
  countSiteRules,
  deleteSiteRule,
  loadSiteRules,
  putSiteRule,
} from '../../../lib/storage/configuration/site-rules.ts';
import { setTool } from '../../../lib/storage/configuration/tools.ts';
import type { Targets } from '../../../lib/tools/own/own-tool.ts';
import { checkArguments } from '../../../lib/tools/check-arguments.ts';
import { fingerprint } from '../../../lib/trust/fingerprint.ts';
import { isRepeatable } from '../../../lib/trust/tool-permission.ts';
import { rulesFor, sitesOf } from '../../../lib/trust/site-rules.ts';
import { isPartlyCompared, quotesIn } from '../../../lib/trust/quotes.ts';
import { ALL_TABS, asksAgain, foreignTo } from '../../../lib/trust/taint.ts';
import { type CallFacts, type Verdict, verdictOn } from '../../../lib/trust/call-verdict.ts';
import { isBlockedSite } from '../../../lib/types/blocked-site.ts';
import { isReadTool } from '../../../lib/types/tier.ts';
import { SANDBOXED, siteOf } from '../../../lib/types/page.ts';
import { isOn, type Tool } from '../../../lib/types/server-tool.ts';
import { isAddressed, type SiteKind, siteKindsOf } from '../../../lib/types/site-rule.ts';
import { isServer, OWN_TOOLS, ownRules } from '../../../lib/types/own-tool-rules.ts';
import {
  actsOnPage,
  allowedTogether,
  type Binding,
  type CallTool,
  isLive,
  isOwnTool,
  PAGE_TOOLS,
  type Permission,
  type Taint,
  type ToolCall,
} from '../../../lib/types/tool.ts';

import { namedFiles } from './call-files.ts';
import { createReadBefore } from './read-before.ts';
import { t } from '../../../locales/texts/errors.ts';

/** A call, as far as it says what is to be called. */
type Wanted = Parameters<CallTool>[0];

/** A call that may be asked about. */
type Made = Wanted &
  Pick<ToolCall, 'createdAt' | 'arguments' | 'edited' | 'at' | 'byApp'> & {
    [K in Exclude<keyof Binding, 'at'>]?: Binding[K] | undefined;
  };

type CallPermissionDeps = {
  /** Of the page that one of Portside's own tools would read or act on; undefined where the browser does not tell. */
  originOf: (
    call: Wanted & Pick<ToolCall, 'at'>,
    args: Record<string, unknown>,
  ) => Promise<string | undefined>;
  /** What the elements are that one of them would act on, by their references. */
  targetsOf: (call: Wanted & Pick<ToolCall, 'at'>, args: Record<string, unknown>) => Promise<Targets>;
  /** A tool of a page or an app, as that has it now. */
  liveTool: (call: Wanted) => Promise<Tool | undefined>;
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
  const { readBefore, originsRead } = createReadBefore(db, instructionsOf);

  async function rowOf(wanted: Wanted): Promise<Tool | undefined> {
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
  async function requireRunnable(wanted: Wanted, args: Record<string, unknown>): Promise<Tool> {
    const tool = await rowOf(wanted);
    if (!tool && isLive(wanted))
      throw refusal('tool_gone', wanted.serverId === PAGE_TOOLS ? PAGE_TOOL_GONE : APP_TOOL_GONE);
    requireCallable(tool);
    if (isToolForbidden(tool, await db.get('servers', tool.serverId))) throw forbidden();
    if (isAddressed(wanted) && isSiteForbidden(webOriginsIn(args))) throw forbidden();
    // The user tries it: with whatever they want to see what the server makes of it.
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
    // Else approved by the user, who was asked about just what the tool is now.
    const isApproved =
      row?.allowed !== undefined && row.allowed !== 'before' && row.fingerprint === (await fingerprint(tool));
    if (now !== 'allow' && !isApproved) {
      const why = `The definition of ${tool.name} changed since it was allowed, or the permission was withdrawn.`;
      throw refusal('definition_changed', `${why} Call it again to have the user asked.`);
    }
    const violation = checkArguments(tool.inputSchema, args, isOwnTool(tool.serverId));
    if (violation !== undefined) {
      throw refusal('bad_arguments', `The arguments do not fit the tool’s schema: ${violation}`);
    }
    return tool;
  }

  const permission = async (toCall: Made): Promise<Permission> => (await judge(toCall)).permission;

  /**
   * Tools that every run needs only read what is in the chat anyway: they need no permission.
   * @param found the tool, where what runs is this one
   * @returns also whether it is asked about only because of what its model had read
   */
  async function judge(toCall: Made, found?: Tool): Promise<Verdict & { again?: true }> {
    const { serverId } = toCall;
    if (serverId === null) return { permission: 'allow' };
    const tool = found ?? (await rowOf(toCall));
    // What is gone with its page or its app is not asked about: the call says so.
    if (!tool) return { permission: isLive(toCall) ? 'allow' : 'ask' };
    const facts = await factsOf({ ...toCall, serverId }, tool);
    if (!facts) return { permission: 'ask' };
    const { unlessTainted, ...verdict } = verdictOn(facts);
    const { reads, server } = facts;
    const isAgain = unlessTainted && asksAgain(tool, await readBefore(toCall), reads, server.trusted);
    return isAgain ? { permission: 'ask', again: true } : verdict;
  }

  /** Undefined where its server is gone. */
  async function factsOf(toCall: Made & { serverId: number }, tool: Tool): Promise<CallFacts | undefined> {
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
    // To lead a tab elsewhere is to do something to the page that it shows, whatever that was when it was judged first.
    const isLed = ownRules(toCall)?.leadsTab === true;
    const left = isLed ? await originOf(toCall, argumentsOf(toCall)) : undefined;
    const reached = reachedBy({ ...toCall, reads: isLed ? left : reads });
    const sites = [...sitesOf({ ...toCall, reads }, originsIn(toCall)), ...(left ? [left] : [])];
    const acts = isActing || isLed;
    // A tab whose site the browser does not tell may show any: no grant was given for it.
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
  async function readBy(tool: Tool, toCall: Made): Promise<string | undefined> {
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
    const quotes = quotesIn(args, before.foreign, before.written);
    const isPart = from.length > 0 && isPartlyCompared(args, before.foreign);
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
  async function repetition({ serverId, ...wanted }: Wanted): Promise<'allow' | 'ask'> {
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

  /**
   * @param readTools other tools of its server that the card named: what of them only reads is allowed in this chat
   * @throws AppError `definition_changed` when the tool is not any more what the user was asked about
   */
  async function grant(toCall: ToolCall, scope: 'chat' | 'always', readTools: string[] = []): Promise<void> {
    const { serverId, toolName } = toCall;
    const tool = await rowOf(toCall);
    if (serverId === null || !tool) return;
    if (toCall.fingerprint !== (await fingerprint(tool))) throw definitionChanged(toolName);
    const isActing = actsOnPage(serverId, toolName);
    const origins = reachedBy(toCall);
    // In a tab of a site that is not told, and in a sandbox: this once.
    if (isActing && (origins.length === 0 || isSandboxed(toCall))) return;
    for (const name of allowedTogether(serverId, toolName)) {
      const each = name === toolName ? tool : await db.get('tools', [serverId, name]);
      // What the user blocked stays blocked.
      const byServer = readTools.length > 0 && origins.length === 0;
      if (each && each.permission !== 'block') await grantTool(each, toCall, scope, origins, byServer);
    }
    // Only of the tool that was asked about the card said what may be behind it, and which addresses are in its call.
    const { taint: _its, ...untold } = toCall;
    for (const each of await othersThatRead(toCall, readTools))
      await grantTool(each, untold, 'chat', [], true);
    // An Ask gives way to what the user says of the same site later; a Never only where that is decided of.
    if (scope === 'always') {
      for (const site of sitesOf(toCall, originsIn(toCall)))
        for (const kind of siteKindsOf(toCall)) await deleteSiteRule(db, { site, kind }, 'ask');
    }
    return changed();
  }

  /** Those of its server that may be allowed with it. What the user set to Ask asks. */
  async function othersThatRead({ serverId, toolName }: ToolCall, named: string[]): Promise<Tool[]> {
    if (!isServer(serverId)) return [];
    const others = named.filter((name) => name !== toolName);
    const found = await Promise.all(others.map((name) => db.get('tools', [serverId, name])));
    return found
      .filter((tool) => tool !== undefined)
      .filter((tool) => isReadTool(tool) && !tool.skill && tool.permission !== 'ask');
  }

  /** Never does on the call's site what the user does not want there. A kind that is none of the call's is left alone. */
  async function forbid(toCall: ToolCall, kind: SiteKind): Promise<void> {
    const { url } = argumentsOf(toCall);
    const site = isAddressed(toCall) ? siteOf(String(url)) : toCall.reads;
    if (site === undefined || !siteKindsOf(toCall).includes(kind)) return;
    await revokeSite(db, { kind, site }, 'everywhere');
    await putSiteRule(db, { site, kind, rule: 'never', callId: toCall.callId });
    return changed();
  }

  /** As `judge`; of a call that the user's Never blocks it is counted there. */
  async function judgeCounted(toCall: ToolCall) {
    const judged = await judge(toCall);
    if (judged.never) await countSiteRules(db, judged.never, toCall.callId);
    return judged;
  }

  /** @throws AppError `definition_changed` */
  async function grantTool(
    tool: Tool,
    { conversationId, taint, ofApp }: Pick<ToolCall, 'conversationId' | 'taint' | 'ofApp'>,
    scope: 'chat' | 'always',
    origins: string[],
    byServer: boolean,
  ): Promise<void> {
    const { serverId, name } = tool;
    // What a page or an app offers has no row that could say so.
    const isAlways = scope === 'always' && !isLive({ serverId, ofApp });
    if (isAlways && !(await setTool(db, serverId, name, { permission: 'allow', origins }, tool)))
      throw definitionChanged(name);
    const isTold = taint !== undefined && taint.from.length > 0;
    if (isAlways && !isTold) return;
    const reach = { at: new Date().toISOString(), origins };
    const bound = { conversationId, serverId, toolName: name, fingerprint: await fingerprint(tool) };
    await putGrant(db, {
      ...bound,
      given: { ...reach, used: 0 },
      ...(byServer && { byServer }),
      ...(isTold && { despite: reach }),
      ...(ofApp !== undefined && { ofApp: true as const }),
    });
  }

  return {
    rowOf,
    requireRunnable,
    permission,
    judge,
    judgeCounted,
    forbid,
    repetition,
    definitionOf,
    originsRead,
    taintOf,
    grant,
  };
}

function argumentsOf({ arguments: text, edited }: Pick<ToolCall, 'arguments' | 'edited'>) {
  const parsed = parseArguments(edited ?? text);
  return parsed.ok ? parsed.value : {};
}

const originsIn = (call: Pick<ToolCall, 'arguments' | 'edited'>): string[] => webOriginsIn(argumentsOf(call));

/** Stands for the site of a tab that the browser does not tell, among origins. */
const UNTOLD = '';

const isSandboxed = ({ targetSites = [] }: Pick<Made, 'targetSites'>): boolean =>
  targetSites.includes(SANDBOXED);

/**
 * The sites that a call needs to be allowed for: of the tab and the frames that it acts on, what is typed there may have
 * addresses in it, which it reaches not; else of its addresses, and of the tab that it leads away.
 */
function reachedBy(
  call: Pick<ToolCall, 'serverId' | 'toolName' | 'arguments' | 'edited'> & {
    [K in 'reads' | 'targetSites']?: Made[K] | undefined;
  },
): string[] {
  const { serverId, toolName, reads, targetSites = [] } = call;
  const ofTab = reads === undefined ? [] : [reads, ...targetSites];
  if (actsOnPage(serverId, toolName)) return ofTab;
  return ownRules(call)?.leadsTab ? [...new Set([...originsIn(call), ...ofTab])] : originsIn(call);
}

/** Also for a call that was approved before, or is run again without an approval. */
export function requireCallable(tool: Tool | undefined): asserts tool is Tool {
  if (!tool?.present) throw refusal('tool_gone', 'The server no longer offers this tool.');
  if (tool.problem !== undefined) throw refusal('tool_unusable', tool.problem);
  if (tool.permission === 'block') throw blocked();
}

const blocked = (): AppError => refusal('tool_blocked', 'The user has blocked this tool.');

const blockedHere = (): AppError =>
  refusal('tool_blocked', 'The user has blocked this tool, or what it would do on this site.');

/** For the model. */
export const FORBIDDEN_TOOL = 'The user’s organisation does not allow this.';
const forbidden = (): AppError => refusal('tool_blocked', FORBIDDEN_TOOL);

const PAGE_TOOL_GONE =
  'The tab no longer offers this tool: its page took it back or changed it, the tab shows another page or is closed, or Portside lost access.';

const APP_TOOL_GONE =
  'The app no longer offers this tool: it is closed, took it back or changed it, or its server is switched off.';

function refusal(code: string, message: string): AppError {
  return new AppError({ code, message });
}

/** What it was asked about or shown is another by now. */
export function definitionChanged(toolName: string): AppError {
  return new AppError({
    code: 'definition_changed',
    ...t(($) => $.errors.setup.definitionChanged, { name: toolName }),
  });
}

/** Characters of what a schema calls an argument. */
const LONGEST_TITLE = 60;
/** Arguments with such a title that are told of. */
const MOST_TITLES = 50;

/** What a schema calls a call's arguments where that is not their name; undefined where it says nothing of it. */
function titlesIn({ properties }: Record<string, unknown>): Record<string, string> | undefined {
  const titled = Object.entries(Object(properties) as object).flatMap(
    ([name, property]): [string, string][] => {
      const { title } = Object(property) as { title?: unknown };
      const isOther = typeof title === 'string' && title.trim() !== '' && title !== name;
      return isOther ? [[name, title.slice(0, LONGEST_TITLE)]] : [];
    },
  );
  return titled.length > 0 ? Object.fromEntries(titled.slice(0, MOST_TITLES)) : undefined;
}
