import { OWN_CALLS } from '../../../lib/protocol/chats.ts';
import type { GrantKey, ListedGrant } from '../../../lib/protocol/tools.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { countUse, grantFor, revoke } from '../../../lib/storage/configuration/grants.ts';
import { fingerprint } from '../../../lib/trust/fingerprint.ts';
import { type CallTool, OWN_NAME, OWN_TOOLS, PAGE_TOOLS } from '../../../lib/types/tool.ts';
import { invalid } from '../input.ts';
import { t } from '../../../locales/texts/errors.ts';

/** The grants of tools. `changed`: the configuration that pages show is stale. */
export function createGrants(db: Database, changed: () => Promise<void>) {
  async function list(): Promise<ListedGrant[]> {
    const [servers, tools, chats] = await Promise.all([db.getAll('servers'), db.getAll('tools'), inChats()]);
    const names = new Map(servers.map(({ id, name }) => [id, name])).set(OWN_TOOLS, OWN_NAME);
    const always = tools.filter(({ permission }) => permission === 'allow');
    const all = [
      ...always.map(({ serverId, name, given }) => ({
        serverId,
        toolName: name,
        ...(given && { given }),
        isVoid: false,
      })),
      ...chats,
    ];
    return all
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
      // What a page offers is not known until the tool is called.
      const isVoid = grant.serverId !== PAGE_TOOLS && (!tool || (await fingerprint(tool)) !== meant);
      return [{ ...grant, chatTitle: chat.title, isVoid }];
    });
    return (await Promise.all(listed)).flat();
  }

  async function take({ grants }: { grants?: GrantKey[] }): Promise<void> {
    await revoke(db, grants ? requireKeys(grants) : [...(await list()), ...(await db.getAll('grants'))]);
    await changed();
  }

  return { list, revoke: take };
}

/** Counts a call where its grant is, if it has one. */
export async function countCall(db: Database, wanted: Parameters<CallTool>[0]): Promise<void> {
  const { serverId, toolName, conversationId } = wanted;
  if (serverId === null || conversationId === OWN_CALLS) return;
  const tool = await db.get('tools', [serverId, toolName]);
  if (tool?.permission === 'allow') return countUse(db, { serverId, toolName });
  const grant = await grantFor(db, conversationId, serverId, toolName);
  const isKnown = serverId === PAGE_TOOLS || (tool && (await fingerprint(tool)) === grant?.fingerprint);
  if (!grant || !isKnown) return;
  await countUse(db, { serverId, toolName, conversationId });
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
