import { webOriginsIn } from '../../../../lib/origins.ts';
import { OWN_CALLS } from '../../../../lib/protocol/chats.ts';
import { parseArguments } from '../../../../lib/agent/arguments.ts';
import type { Request } from '../../../../lib/protocol/commands.ts';
import type { GrantKey, ListedGrant, ListedSiteRule } from '../../../../lib/protocol/tools.ts';
import type { Database } from '../../../../lib/storage/schema.ts';
import { countUse, grantFor, revoke, revokeSite } from '../../../../lib/storage/configuration/grants.ts';
import {
  countSiteRules,
  deleteSiteRule,
  loadSiteRules,
  putSiteRule,
} from '../../../../lib/storage/configuration/site-rules.ts';
import { setTool } from '../../../../lib/storage/configuration/tools.ts';
import { fingerprint } from '../../../../lib/trust/fingerprint.ts';
import { rulesFor, sitesOf } from '../../../../lib/trust/site-rules.ts';
import { siteOf } from '../../../../lib/types/page.ts';
import { allowedBySite, RULINGS, type SiteUse, toolsOfKind } from '../../../../lib/types/site-rule.ts';
import type { CallTool } from '../../../../lib/types/tools/call-tool.ts';
import { isLive, OWN_NAME, OWN_TOOLS } from '../../../../lib/types/tools/tool-source.ts';
import { invalid } from '../../input.ts';
import { t } from '../../../../locales/texts/errors.ts';

/** The grants of tools. `changed`: the configuration that pages show is stale. */
export function createGrants(db: Database, changed: () => Promise<void>) {
  const list = async (): Promise<ListedGrant[]> =>
    together((await all()).filter((grant) => !isBySite(grant)));

  async function all(): Promise<ListedGrant[]> {
    const [servers, tools, chats] = await Promise.all([db.getAll('servers'), db.getAll('tools'), inChats()]);
    const names = new Map(servers.map(({ id, name }) => [id, name])).set(OWN_TOOLS, OWN_NAME);
    const always = tools.filter(({ permission }) => permission === 'allow');
    const found = [
      ...always.map(({ serverId, name, given }) => ({
        serverId,
        toolName: name,
        ...(given && { given }),
        isVoid: false,
      })),
      ...chats,
    ];
    return found
      .map((each) => ({ ...each, serverName: names.get(each.serverId) ?? '' }))
      .toSorted((a, b) => (b.given?.at ?? '').localeCompare(a.given?.at ?? ''));
  }

  /** Those of chats that are there. */
  async function inChats(): Promise<Omit<ListedGrant, 'serverName'>[]> {
    const listed = (await db.getAll('grants')).map(async ({ fingerprint: meant, ...grant }) => {
      const [chat, tool] = await Promise.all([
        db.get('conversations', grant.conversationId),
        db.get('tools', [grant.serverId, grant.toolName]),
      ]);
      if (!chat || chat.deletedAt !== undefined) return [];
      // What a page or an app offers is not known until the tool is called.
      const isVoid = !isLive(grant) && (!tool || (await fingerprint(tool)) !== meant);
      return [{ ...grant, chatTitle: chat.title, isVoid }];
    });
    return (await Promise.all(listed)).flat();
  }

  async function take({ grants }: { grants?: GrantKey[] }): Promise<void> {
    await revoke(db, grants ? requireKeys(grants) : [...(await all()), ...(await db.getAll('grants'))]);
    await changed();
  }

  async function onSites(): Promise<ListedSiteRule[]> {
    const [rules, granted] = await Promise.all([loadSiteRules(db), all()]);
    const decided = rules.map(({ site, kind, rule, at, used, usedAt }): ListedSiteRule => {
      return { site, kind, holds: rule, given: { at, used, ...(usedAt !== undefined && { usedAt }) } };
    });
    return [...decided, ...allowedOnSites(granted)].toSorted((a, b) => b.given.at.localeCompare(a.given.at));
  }

  /** @throws AppError `invalid_input` for what can't be decided of a site, and for what is none */
  async function setSite(request: Request<'setSiteRule'>): Promise<void> {
    const { kind, rule, conversationId } = request;
    const site = siteOf(String(request.site)) ?? '';
    const isKnown = Object.hasOwn(RULINGS, kind) && (rule === null || RULINGS[kind].includes(rule));
    if (!isKnown || !SITE.test(site)) throw invalid(t(($) => $.errors.setup.noSite));
    if (conversationId !== undefined) await revokeSite(db, { kind, site }, { conversationId });
    else {
      const ends = rule === 'ask' || rule === 'never';
      await revokeSite(db, { kind, site }, ends ? 'everywhere' : 'always');
      await deleteSiteRule(db, { site, kind });
      if (ends) await putSiteRule(db, { site, kind, rule });
      if (rule === 'always') await allow(toolsOfKind(kind), site);
    }
    await changed();
  }

  /** What the user blocked, or allowed for every site, stays so. */
  async function allow(tools: string[], site: string): Promise<void> {
    for (const name of tools) {
      const tool = await db.get('tools', [OWN_TOOLS, name]);
      if (tool && tool.permission !== 'block')
        await setTool(db, OWN_TOOLS, name, { permission: 'allow', origins: [site] }, tool);
    }
  }

  return { list, revoke: take, onSites, setSite };
}

/** Chromium makes a host of any text, and encodes what can't stand in one. */
const SITE = /^https?:[^%]+$/;

/** Whether something is allowed for sites alone, of which there is a list of its own. */
const isBySite = ({ serverId, toolName, given }: ListedGrant): boolean =>
  allowedBySite(serverId, toolName) !== undefined && given?.origins !== undefined && !given.withoutOrigin;

/** What was given for a server's tools that only read as one, as far as it still holds. */
function together(granted: ListedGrant[]): ListedGrant[] {
  const rows = new Map<string, ListedGrant>();
  for (const grant of granted) {
    const { serverId, toolName, conversationId, byServer, given, isVoid } = grant;
    const isOne = byServer && !isVoid;
    const key = JSON.stringify([serverId, conversationId, isOne ? null : toolName]);
    const row = rows.get(key);
    const tools = [...(row?.readTools ?? []), toolName].toSorted();
    const use = given && both(row?.given, given);
    rows.set(key, isOne ? { ...grant, readTools: tools, ...(use && { given: use }) } : grant);
  }
  return [...rows.values()];
}

/** The tools of a kind as one, for each site and chat. */
function allowedOnSites(granted: ListedGrant[]): ListedSiteRule[] {
  const rows = new Map<string, ListedSiteRule>();
  for (const { serverId, toolName, conversationId, chatTitle, given, isVoid } of granted) {
    const kind = allowedBySite(serverId, toolName);
    if (kind === undefined || isVoid) continue;
    for (const site of given?.origins ?? []) {
      const use: SiteUse | undefined = given?.bySite?.[site] ?? given;
      const key = JSON.stringify([site, kind, conversationId]);
      const row = rows.get(key);
      const chat = conversationId !== undefined && {
        conversationId,
        ...(chatTitle !== undefined && { chatTitle }),
      };
      if (use)
        rows.set(key, { site, kind, holds: chat ? 'chat' : 'always', ...chat, given: both(row?.given, use) });
    }
  }
  return [...rows.values()];
}

/** The use of two tools together. */
function both(one: SiteUse | undefined, { at, used, usedAt }: SiteUse): SiteUse {
  const last = [one?.usedAt ?? '', usedAt ?? ''].toSorted()[1];
  return {
    at: one && one.at < at ? one.at : at,
    used: (one?.used ?? 0) + used,
    ...(last && { usedAt: last }),
  };
}

/** Counts a call where its grant is, if it has one, and where its sites have an Ask. */
export async function countCall(db: Database, wanted: Parameters<CallTool>[0]): Promise<void> {
  const { serverId, toolName, conversationId, callId } = wanted;
  if (serverId === null || conversationId === OWN_CALLS) return;
  const row = await db.get('toolCalls', callId);
  const args = row && parseArguments(row.edited ?? row.arguments);
  const sites = row && args?.ok ? sitesOf(row, webOriginsIn(args.value)) : [];
  const asked = row ? rulesFor(await loadSiteRules(db), row, sites) : [];
  if (asked.length > 0) await countSiteRules(db, asked, callId);
  const tool = isLive(wanted) ? undefined : await db.get('tools', [serverId, toolName]);
  if (tool?.permission === 'allow') return countUse(db, { serverId, toolName }, sites);
  const grant = await grantFor(db, conversationId, serverId, toolName);
  const isKnown = isLive(wanted) || (tool && (await fingerprint(tool)) === grant?.fingerprint);
  if (!grant || !isKnown) return;
  await countUse(db, { serverId, toolName, conversationId }, sites);
}

function requireKeys(grants: unknown): GrantKey[] {
  if (Array.isArray(grants) && grants.every(isKey)) return grants;
  throw invalid(t(($) => $.errors.setup.noGrant));
}

function isKey(value: unknown): value is GrantKey {
  const { serverId, toolName, conversationId } = Object(value) as Partial<GrantKey>;
  const isChat = conversationId === undefined || typeof conversationId === 'string';
  return Number.isSafeInteger(serverId) && typeof toolName === 'string' && isChat;
}
