import { untilAborted } from '../../../lib/async.ts';
import { AppError } from '../../../lib/errors.ts';
import { errorLine, failed, lostTask } from '../../../lib/mcp/calls/outcome.ts';
import { whileUnreached } from '../../../lib/mcp/tasks/follow.ts';
import { isSiteForbidden, isToolForbidden } from '../../../lib/fleet/rules.ts';
import type { Message } from '../../../lib/types/message.ts';
import { loadBefore } from '../../../lib/storage/chats/messages.ts';
import { overridesOf } from '../../../lib/storage/configuration/projects.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { loadSiteRules } from '../../../lib/storage/configuration/site-rules.ts';
import { syncTools } from '../../../lib/storage/configuration/tools.ts';
import { createOwnToolCalls } from '../../../lib/tools/own-tool-calls.ts';
import { isNeverRead } from '../../../lib/trust/site-rules.ts';
import { mayBeTold } from '../../../lib/trust/taint.ts';
import type { CallToolInRun } from '../../../lib/runs/deps.ts';
import { prefetch } from '../../../lib/runs/prefetch.ts';
import type { ToolOverrides } from '../../../lib/types/conversation.ts';
import type { CallOptions, CallTool } from '../../../lib/types/tools/call-tool.ts';
import type { Tool } from '../../../lib/types/tools/server-tool.ts';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { isLive, OWN_TOOLS, PAGE_TOOLS } from '../../../lib/types/tools/tool-source.ts';
import type { OfferedTool } from '../../../lib/types/tools/tool.ts';
import { ownToolList } from '../../../lib/tools/own/own-tools.ts';
import type { OwnToolDeps } from '../../../lib/tools/own/own-tool.ts';
import { connectedTools } from './connected-tools.ts';
import { countCall } from './permission/grants.ts';
import type { createElicitation } from '../servers/elicitation.ts';
import { createCallPermission } from './permission/call-permission.ts';
import { forbidden } from './permission/call-refusals.ts';
import { createToolReviews } from './permission/tool-reviews.ts';
import { ownSkillTools, readOwnSkill } from '../chat/own-skills.ts';
import { createToolLists } from './tool-lists.ts';
import { callSkill, fileOf, findSkill, isUnlistedSkill, offerOfSkills } from './skills.ts';
import type { createAppTools } from '../apps/app-tools.ts';
import type { createPageTools } from './page-tools.ts';
import type { ServerConnections } from '../servers/server-connections.ts';

type Schema = Record<string, unknown>;

export type ToolsDeps = {
  tabs: OwnToolDeps;
  pageTools: ReturnType<typeof createPageTools>;
  appTools: ReturnType<typeof createAppTools>;
  servers: Pick<
    ServerConnections,
    'status' | 'reach' | 'revive' | 'synced' | 'call' | 'offer' | 'readSkill' | 'addSkill'
  >;
  showsApps?: boolean;
  /** The configuration that pages show is stale. */
  changed: () => Promise<void>;
  /** Puts a server's elicitations before the user for this call. */
  elicitFor: ReturnType<typeof createElicitation>;
};

/** The tools of the connected servers and Portside's own, as runs see them. */
export function createTools(
  db: Database,
  { tabs, pageTools, appTools, servers, showsApps, changed, elicitFor }: ToolsDeps,
) {
  /** What each conversation's latest run was offered: what it searches in. */
  const offered = new Map<string, OfferedTool[]>();
  const sameList = createStableList();
  const connected = (overrides: ToolOverrides | undefined) =>
    connectedTools(db, servers, overrides, showsApps);
  const liveTools = ({ ofApp }: Pick<ToolCall, 'ofApp'>) => (ofApp === undefined ? pageTools : appTools);
  const permissions = createCallPermission(db, {
    originOf: tabs.originOf,
    targetsOf: tabs.targetsOf,
    liveTool: (wanted) => liveTools(wanted).find(wanted),
    instructionsOf: (serverId) => servers.offer(serverId)?.info.instructions,
    changed,
  });
  const reviews = createToolReviews(db, changed);
  const builtIn = createOwnToolCalls({
    tabs,
    readCall: (callId) => db.get('toolCalls', callId),
    originsRead: permissions.originsRead,
    messagesBefore: (wanted) => loadBefore(db, wanted),
    toolsOf: async (conversationId) =>
      offered.get(conversationId) ??
      (await connected(await overridesOf(db, await db.get('conversations', conversationId)))).tools,
  });
  const { searchTool } = builtIn;

  /**
   * What a run may call, in a stable order: Portside's own, the servers' by server and name, `read_more`. And the servers
   * that were not there in time, and why tools that exist may not be called. `live`: those of pages and of apps, as they are
   * when it is called; of no page in a chat that may read none, or of a site that is never read or would be asked about first,
   * since what pages say of them is their text. `skillServers`: whose skills it may load.
   * @param overrides what its chat has on or off
   */
  async function offer(conversationId: string, overrides: ToolOverrides | undefined) {
    const tabsNow = pageTools.tabsOf(conversationId); // the browser tells them while the servers are looked at
    await servers.revive('run');
    const { missing, withheld, skills, reachable, ...usable } = await connected(overrides);
    const tools = sameList(usable.tools);
    offered.set(conversationId, tools);
    const readsPages = tools.some(
      ({ serverId, toolName }) => serverId === OWN_TOOLS && toolName === 'read_page',
    );
    const ofPages = async (itsTabs = pageTools.tabsOf(conversationId)): Promise<OfferedTool[]> => {
      const [all, rules] = await Promise.all([itsTabs.then(pageTools.offer), loadSiteRules(db)]);
      return all.filter(
        ({ page, ...tool }) =>
          !isToolForbidden({ serverId: PAGE_TOOLS, name: tool.toolName }, undefined) &&
          (!page || (!isNeverRead(rules, page.site) && !isSiteForbidden([page.site]))),
      );
    };
    // Of a run that begins they are asked while its message is being written: nothing is left to wait for then.
    let first = readsPages ? prefetch(ofPages(tabsNow)) : undefined;
    const toldOfPages = async (history: Message[]): Promise<OfferedTool[]> => {
      const pages = readsPages ? (first ?? ofPages()) : [];
      first = undefined;
      const all = await pages;
      if (all.length === 0) return all;
      const leaf = history.findLast(({ role }) => role !== 'tool');
      const { foreign } = await permissions.readOn(conversationId, leaf?.id ?? null);
      return all.filter(({ page }) => !page || mayBeTold(page.site, foreign));
    };
    const live = async (history: Message[]): Promise<OfferedTool[]> => {
      const ofApps = appTools.offer(conversationId, history);
      const found = (await Promise.all([toldOfPages(history), ofApps])).flat();
      offered.set(conversationId, found.length > 0 ? [...tools, ...found] : tools);
      return found;
    };
    const ofSkills = offerOfSkills(servers, skills, reachable);
    return {
      tools: [...tools, ...builtIn.definitions, ...(ofSkills ? [ofSkills.definition] : [])],
      ...(ofSkills && { skillOf: ofSkills.skillOf }),
      skillServers: ofSkills?.skillServers ?? [],
      live,
      searchTool,
      missing,
      withheld,
    };
  }

  /** Makes a call, on a server that may have to be connected first: the worker may be a new one. */
  const call: CallToolInRun = async (wanted, args, { channel, ...options }) => {
    if (wanted.serverId === null) return builtIn.call(wanted, args, options);
    const { serverId, toolName } = wanted;
    try {
      if (serverId === OWN_TOOLS) return await callOwn(wanted, args, options);
      if (isLive(wanted)) {
        const judged = await permissions.requireRunnable(wanted, args);
        return await liveTools(wanted).call(judged, wanted, args, counted(wanted, options));
      }
      const { task } = wanted;
      const mayRun = async (): Promise<Tool> => {
        await servers.synced();
        return permissions.requireRunnable(wanted, args);
      };
      const elicit = elicitFor({ ...wanted, serverId }, channel);
      const reach = () => servers.reach(serverId);
      // First, so that no other call waits for it. A task was allowed, and goes on whether its server can be reached or not.
      if (task === undefined) await untilAborted(reach().then(servers.synced), options.signal);
      else await whileUnreached(reach, options.signal).catch(unlessStopped(options.signal));
      const row = await permissions.rowOf(wanted);
      if (!row?.present && isUnlistedSkill(toolName)) {
        if (isToolForbidden({ serverId, name: toolName }, await db.get('servers', serverId)))
          throw forbidden();
        return await findSkill(servers, { serverId, toolName }, { ...options, elicit });
      }
      if (row?.skill)
        return await callSkill(servers, { serverId, toolName }, args, {
          ...counted(wanted, options),
          elicit,
          mayRun,
        });
      if (task === undefined) await untilAborted(mayRun(), options.signal);
      const idempotent = (await permissions.repetition(wanted)) === 'allow';
      return await servers.call(serverId, toolName, args, {
        ...counted(wanted, options),
        mayRun: async () => void (await mayRun()),
        elicit,
        idempotent,
        task,
      });
    } catch (error) {
      if (options.signal.aborted) return failed('cancelled', `${toolName} was cancelled.`);
      const reason = error instanceof AppError ? errorLine(error) : String(error);
      return wanted.task === undefined
        ? failed('error', `${toolName} was not run: ${reason}`)
        : lostTask(toolName, reason);
    }
  };

  const callOwn: CallTool = async (wanted, args, options) => {
    const tool = await permissions.requireRunnable(wanted, args);
    if (!tool.skill) return builtIn.call(wanted, args, counted(wanted, options));
    await counted(wanted, options).started();
    const text = await readOwnSkill(db, tool, fileOf(args));
    return { result: { text, isError: false }, status: 'success' };
  };

  /** Has the call counted as soon as it is made, which need not wait for that. */
  const counted = (wanted: Parameters<CallTool>[0], options: CallOptions): CallOptions => ({
    ...options,
    started: async () => {
      await options.started();
      countCall(db, wanted).catch((error: unknown) => console.warn('A call was not counted.', error));
    },
  });

  async function schemaOf(toCall: ToolCall): Promise<Schema | undefined> {
    const own = [...builtIn.definitions, searchTool].find(({ toolName }) => toolName === toCall.toolName);
    return (toCall.serverId === null ? own : await permissions.rowOf(toCall))?.inputSchema;
  }

  const { judgeCounted, repetition, definitionOf, taintOf, grant, forbid } = permissions;
  /** Writes Portside's own tools, and the user's own skills, down as a server's that has listed them. */
  const syncOwn = async (): Promise<void> =>
    syncTools(db, OWN_TOOLS, [...ownToolList, ...(await ownSkillTools(db))]);

  return {
    ...createToolLists(db, { servers, connected }),
    offer,
    call,
    judge: judgeCounted,
    repetition,
    definitionOf,
    taintOf,
    grant,
    forbid,
    ...reviews,
    schemaOf,
    syncOwn,
  };
}

/** A task that is stopped before its server could be reached is to be cancelled there all the same. */
const unlessStopped = (signal: AbortSignal) => (error: unknown) => {
  if (!signal.aborted) throw error;
};

/** Gives the list from before when nothing changed, so that it is held, and the index of its search built, only once. */
function createStableList(): (tools: OfferedTool[]) => OfferedTool[] {
  let last: { tools: OfferedTool[]; text: string } | undefined;
  return (tools) => {
    const text = JSON.stringify(tools);
    if (last?.text !== text) last = { tools, text };
    return last.tools;
  };
}
