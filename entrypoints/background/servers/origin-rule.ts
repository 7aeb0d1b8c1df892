import { browser } from 'wxt/browser';
import type { Database } from '../../../lib/storage/schema.ts';

const RULE_ID = 1;

/** What both browsers have of declarativeNetRequest, and older ones lack. */
type Rules = {
  updateSessionRules(options: { removeRuleIds: number[]; addRules: object[] }): Promise<void>;
};

/**
 * Portside's requests carry `Origin: chrome-extension://…`, to which Ollama and many MCP servers answer 403. One session
 * rule takes it off: only of Portside's own requests, and only to hosts that the user set up or has Portside ask.
 */
export function createOriginRule(db: Database) {
  const rules = (browser as { declarativeNetRequest?: Rules }).declarativeNetRequest;
  /** Hosts that are asked now and need not be set up. */
  const asked: string[] = [];
  let current: string | undefined;
  let updating: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const rows = await Promise.all([db.getAll('providers'), db.getAll('servers')]);
    const [providers, servers] = rows;
    const remote = servers.filter((server) => server.transport !== 'stdio');
    const urls = [...providers.map(({ baseUrl }) => baseUrl), ...remote.map(({ url }) => url)];
    const hosts = [...new Set([...urls.map(hostOf), ...asked])].toSorted();
    if (hosts.join() === current) return;
    await rules?.updateSessionRules({
      removeRuleIds: [RULE_ID],
      addRules: hosts.length > 0 ? [rule(hosts)] : [],
    });
    current = hosts.join();
  }

  /** Makes the rule fit what is set up, one time after the other. Without it requests still go out, with their Origin. */
  function update(): Promise<void> {
    updating = updating
      .then(write)
      .catch((error: unknown) => console.warn('The rule for Origin headers was not updated.', error));
    return updating;
  }

  /** Does something for which these hosts are asked without an Origin, set up or not. */
  async function whileAsking<T>(hosts: string[], ask: () => Promise<T>): Promise<T> {
    asked.push(...hosts);
    await update();
    try {
      return await ask();
    } finally {
      for (const host of hosts) asked.splice(asked.indexOf(host), 1);
      void update();
    }
  }

  return { update, whileAsking };
}

export type OriginRule = ReturnType<typeof createOriginRule>;

export const hostOf = (url: string): string => new URL(url).hostname;

function rule(requestDomains: string[]): object {
  return {
    id: RULE_ID,
    action: { type: 'modifyHeaders', requestHeaders: [{ header: 'origin', operation: 'remove' }] },
    condition: {
      requestDomains,
      initiatorDomains: [hostOf(browser.runtime.getURL('/'))],
      resourceTypes: ['xmlhttprequest', 'other'],
    },
  };
}
