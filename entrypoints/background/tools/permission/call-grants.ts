import type { Database } from '../../../../lib/storage/schema.ts';
import { putGrant, revokeSite } from '../../../../lib/storage/configuration/grants.ts';
import { deleteSiteRule, putSiteRule } from '../../../../lib/storage/configuration/site-rules.ts';
import { setTool } from '../../../../lib/storage/configuration/tools.ts';
import { fingerprint } from '../../../../lib/trust/fingerprint.ts';
import { sitesOf } from '../../../../lib/trust/site-rules.ts';
import { actsOnPage, allowedTogether } from '../../../../lib/types/tools/own-tool-rules.ts';
import type { Tool } from '../../../../lib/types/tools/server-tool.ts';
import { isReadTool } from '../../../../lib/types/tools/tier.ts';
import type { ToolCall } from '../../../../lib/types/tools/tool-call.ts';
import { isLive, isServer } from '../../../../lib/types/tools/tool-source.ts';
import { siteOf } from '../../../../lib/types/page.ts';
import { isAddressed, type SiteKind, siteKindsOf } from '../../../../lib/types/site-rule.ts';
import { definitionChanged } from './call-refusals.ts';
import { argumentsOf, type CallTarget, isSandboxed, originsIn, reachedBy } from './call-sites.ts';

type CallGrantsDeps = {
  rowOf: (target: CallTarget) => Promise<Tool | undefined>;
  /** The configuration that pages show is stale. */
  changed: () => Promise<void>;
};

/** Writes down what the user decides of a call for longer than once. */
export function createCallGrants(db: Database, { rowOf, changed }: CallGrantsDeps) {
  /**
   * Allows calls like this one, in its chat or in all of them.
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
    // Nothing is granted for a tab whose site is not known, nor for a sandboxed frame.
    if (isActing && (origins.length === 0 || isSandboxed(toCall))) return;
    for (const name of allowedTogether(serverId, toolName)) {
      const each = name === toolName ? tool : await db.get('tools', [serverId, name]);
      // What the user blocked stays blocked.
      const byServer = readTools.length > 0 && origins.length === 0;
      if (each && each.permission !== 'block') await grantTool(each, toCall, scope, origins, byServer);
    }
    // The card showed the taint and the addresses of this call alone: its Allow covers neither for the other tools.
    const { taint: _its, ...untold } = toCall;
    for (const each of await othersThatRead(toCall, readTools))
      await grantTool(each, untold, 'chat', [], true);
    // An Allow for all chats replaces the user's Ask for these sites; a Never is lifted in the settings alone.
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

  /** Writes down the user's Never for the call's site; nothing for a kind of use that is not the call's. */
  async function forbid(toCall: ToolCall, kind: SiteKind): Promise<void> {
    const { url } = argumentsOf(toCall);
    const site = isAddressed(toCall) ? siteOf(String(url)) : toCall.reads;
    if (site === undefined || !siteKindsOf(toCall).includes(kind)) return;
    await revokeSite(db, { kind, site }, 'everywhere');
    await putSiteRule(db, { site, kind, rule: 'never', callId: toCall.callId });
    return changed();
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
    // A live tool has no row that could hold it.
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

  return { grant, forbid };
}
