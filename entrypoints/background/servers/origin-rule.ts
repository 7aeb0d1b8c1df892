import { browser } from 'wxt/browser';
import type { Database } from '../../../lib/storage/schema.ts';

/** What both browsers have of declarativeNetRequest, and older ones lack. */
type Rules = {
  getSessionRules(): Promise<{ id: number }[]>;
  updateSessionRules(options: { removeRuleIds: number[]; addRules: object[] }): Promise<void>;
};

/**
 * Portside's requests carry `Origin: chrome-extension://…`, to which Ollama and many MCP servers answer 403. A session
 * rule for each origin (scheme, host and port) takes it off: only of Portside's own requests, and only to origins that the
 * user set up or has Portside ask. Requests of a sign-in keep it: by it an authorization server knows whom it answers.
 */
export function createOriginRule(db: Database) {
  const rules = (browser as { declarativeNetRequest?: Rules }).declarativeNetRequest;
  /** Origins that are asked now and need not be set up. */
  const asked: string[] = [];
  /** Origins at which a sign-in asks now. */
  const signingIn: string[] = [];
  let current: string | undefined;
  let updating: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const rows = await Promise.all([db.getAll('providers'), db.getAll('servers')]);
    const [providers, servers] = rows;
    const remote = servers.filter((server) => server.transport !== 'stdio');
    const urls = [...providers.map(({ baseUrl }) => baseUrl), ...remote.map(({ url }) => url)];
    const all = new Set([...urls.map(originOf), ...asked]);
    const origins = [...all].filter((origin) => !signingIn.includes(origin)).toSorted();
    if (origins.join() === current) return;
    // The rules outlive the worker.
    const before = (await rules?.getSessionRules()) ?? [];
    await rules?.updateSessionRules({
      removeRuleIds: before.map(({ id }) => id),
      addRules: origins.map(rule),
    });
    current = origins.join();
  }

  /** Makes the rules fit what is set up, one time after the other. Without them requests still go out, with their Origin. */
  function update(): Promise<void> {
    updating = updating
      .then(write)
      .catch((error: unknown) => console.warn('The rules for Origin headers were not updated.', error));
    return updating;
  }

  async function during<T>(list: string[], urls: string[], ask: () => Promise<T>): Promise<T> {
    const origins = urls.map(originOf);
    list.push(...origins);
    await update();
    try {
      return await ask();
    } finally {
      for (const origin of origins) list.splice(list.indexOf(origin), 1);
      void update();
    }
  }

  return {
    update,
    /** Does something for which these addresses are asked without an Origin, set up or not. */
    whileAsking: <T>(urls: string[], ask: () => Promise<T>): Promise<T> => during(asked, urls, ask),
    /** Does something for which an authorization server is asked with one. */
    whileSigningIn: <T>(url: string, ask: () => Promise<T>): Promise<T> => during(signingIn, [url], ask),
  };
}

export type OriginRule = ReturnType<typeof createOriginRule>;

const originOf = (url: string): string => new URL(url).origin;

function rule(origin: string, position: number): object {
  return {
    id: position + 1,
    action: { type: 'modifyHeaders', requestHeaders: [{ header: 'origin', operation: 'remove' }] },
    condition: {
      urlFilter: `|${origin}/`,
      initiatorDomains: [new URL(browser.runtime.getURL('/')).hostname],
      resourceTypes: ['xmlhttprequest', 'other'],
    },
  };
}
