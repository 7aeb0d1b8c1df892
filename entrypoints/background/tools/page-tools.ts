import { browser } from 'wxt/browser';
import { visibleDefinition, withoutInvisible } from '../../../lib/invisible.ts';
import { failed } from '../../../lib/mcp/calls/outcome.ts';
import { isRecord } from '../../../lib/json.ts';
import { toToolResult } from '../../../lib/mcp/content/results.ts';
import { pageToolName } from '../../../lib/mcp/names.ts';
import { schemaProblem } from '../../../lib/mcp/offer/tool-schema.ts';
import {
  type FoundTool,
  webMcp,
  type WebMcpAnswer,
  type WebMcpRequest,
} from '../../../lib/tools/page/web-mcp.ts';
import { fingerprint } from '../../../lib/trust/fingerprint.ts';
import type { Tool } from '../../../lib/types/setup.ts';
import {
  type CallTool,
  type OfferedTool,
  PAGE_TOOLS,
  type ToolCall,
  type ToolResult,
} from '../../../lib/types/tool.ts';

/** Milliseconds for a tab to say what it offers; the request to the model waits for it. */
const LIST_MS = 1_000;
/** Milliseconds that a call may take: a form may wait for the user to send it. */
const CALL_MS = 60_000;
/** Characters of what a page says of a tool, and of its name. */
const MOST_DESCRIPTION = 2_000;
const MOST_TITLE = 200;
const MOST_NAME = 128;

type PageToolsDeps = {
  /** The tabs whose tools a chat may be offered. */
  tabsOf: (conversationId: string) => Promise<number[]>;
  wait: (ms: number) => Promise<void>;
  /** Whether no model may know what is in a tab. */
  isPrivate: (tab: { id: number }) => Promise<boolean>;
};

/** Where in a tab a tool is, and all that its document said of it. */
type Place = {
  tab: number;
  site: string;
  documentId: string | undefined;
  frameId: number;
  definition: string;
};
type PageTool = { tool: Tool; place: Place };

/** The tools that pages offer through WebMCP (docs/decisions/webmcp.md). Nothing of them is kept: pages are asked each time. */
export function createPageTools({ tabsOf, wait, isPrivate }: PageToolsDeps) {
  /** What the documents in a tab offer, the tab's own first. None where Portside has no access, or no answer comes in time. */
  async function toolsIn(tab: number): Promise<PageTool[]> {
    if (await isPrivate({ id: tab })) return [];
    const frames = (await listed({ tabId: tab, allFrames: true })) ?? (await listed({ tabId: tab })) ?? [];
    const main = frames.find(({ frameId }) => frameId === 0)?.site;
    const names = new Set<string>();
    return frames.flatMap(({ frameId, documentId, site, tools }) =>
      tools.flatMap((found) => {
        const tool = rowFor(tab, site, site === main, found);
        if (!tool || names.has(tool.offeredName)) return [];
        names.add(tool.offeredName);
        return [{ tool, place: { tab, site, documentId, frameId, definition: found.definition } }];
      }),
    );
  }

  /** Undefined where no answer came in time, as of a frame that hangs. */
  async function listed(target: { tabId: number; allFrames?: boolean }) {
    const asked = ask(target, { type: 'list' }).catch(() => []);
    const results = await Promise.race([asked, wait(LIST_MS)]);
    return results
      ?.flatMap(({ frameId, documentId, result }) =>
        result?.type === 'list' ? [{ ...result, frameId, documentId }] : [],
      )
      .toSorted((a, b) => a.frameId - b.frameId);
  }

  /** What the model may call now, in the tabs of its chat. */
  async function offer(conversationId: string): Promise<OfferedTool[]> {
    const tabs = await tabsOf(conversationId).catch(() => []);
    const found = await Promise.all(tabs.map(toolsIn));
    return found.flat().map(({ tool, place: { tab, site } }): OfferedTool => {
      const { name, offeredName, description, inputSchema, annotations } = tool;
      return {
        name: offeredName,
        toolName: name,
        serverId: PAGE_TOOLS,
        serverName: new URL(site).host,
        description: `A tool of the page ${site} in tab ${tab}, which says of it: ${description}`,
        inputSchema,
        annotations,
        page: { tab, site },
      };
    });
  }

  async function find({ tab, toolName, reads }: Wanted): Promise<PageTool | undefined> {
    if (tab === undefined) return undefined;
    return (await toolsIn(tab)).find(({ tool, place }) => tool.name === toolName && place.site === reads);
  }

  /**
   * Makes a call, once: that it was made is written down before the page is told.
   * @param judged the tool as it was when the call was found to be allowed; one that changed since is not called
   */
  async function call(
    judged: Tool,
    ...[wanted, args, { started, signal }]: Parameters<CallTool>
  ): ReturnType<CallTool> {
    const { toolName } = wanted;
    const found = await find(wanted);
    const isSame = found && (await fingerprint(found.tool)) === (await fingerprint(judged));
    if (!isSame) return failed('error', notOffered(toolName));
    await started();
    if (signal.aborted) return failed('cancelled', `${toolName} was cancelled.`);
    const { tab, documentId, frameId, site, definition } = found.place;
    const target = {
      tabId: tab,
      ...(documentId === undefined ? { frameIds: [frameId] } : { documentIds: [documentId] }),
    };
    const id = crypto.randomUUID();
    const over = AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]);
    const late = Promise.withResolvers<'over'>();
    const end = (): void => {
      late.resolve('over');
      ask(target, { type: 'cancel', id }).catch(() => undefined); // its page may be gone
    };
    over.addEventListener('abort', end, { once: true });
    const made = ask(target, { type: 'call', id, site, definition, args })
      .then(([first]) => first?.result ?? 'lost')
      .catch(() => 'lost' as const);
    const outcome = await Promise.race([made, late.promise]);
    over.removeEventListener('abort', end);
    if (outcome === 'lost')
      return failed('unknown', `The page went away while ${toolName} ran. ${MAY_BE_DONE}`);
    if (outcome !== 'over') return outcomeOf(toolName, outcome);
    return signal.aborted
      ? failed('cancelled', `${toolName} was cancelled. ${MAY_BE_DONE}`)
      : failed('timeout', `Tool execution timed out after ${CALL_MS}ms. ${MAY_BE_DONE}`);
  }

  return {
    offer,
    /** A tool as its page has it now; undefined once it is gone. */
    find: async (wanted: Wanted): Promise<Tool | undefined> => (await find(wanted))?.tool,
    call,
  };
}

type Wanted = Pick<ToolCall, 'tab' | 'toolName' | 'reads'>;
type Target = Parameters<typeof browser.scripting.executeScript>[0]['target'];
type Answer = { frameId: number; documentId?: string; result?: WebMcpAnswer | null };

/** Runs it in documents of a tab. @throws Error where Portside has no access */
const ask = async (target: Target, request: WebMcpRequest): Promise<Answer[]> =>
  (await browser.scripting.executeScript({
    target,
    injectImmediately: true,
    func: webMcp,
    args: [request],
  })) as Answer[];

/**
 * As the row of a server's tool, in words that can be seen; undefined for one that no model can call. That it only reads is
 * believed of no page; that it destroys is.
 */
function rowFor(tab: number, site: string, isOfTab: boolean, found: FoundTool): Tool | undefined {
  const { inputSchema = { type: 'object', properties: {} }, isConsequential } = found;
  const named = seen(found.name, MOST_NAME);
  if (named === '' || !isRecord(inputSchema) || schemaProblem(inputSchema) !== undefined) return undefined;
  const title = seen(found.title, MOST_TITLE);
  const described = visibleDefinition({
    description: found.description.slice(0, MOST_DESCRIPTION),
    inputSchema,
  });
  return {
    serverId: PAGE_TOOLS,
    name: `${new URL(site).host}:${named}`,
    offeredName: pageToolName(tab, named, isOfTab ? undefined : site),
    ...described,
    annotations: {
      ...(title !== '' && { title }),
      openWorldHint: true,
      ...(isConsequential && { destructiveHint: true }),
    },
    enabled: true,
    present: true,
  };
}

/** On one line. */
const seen = (text: string, most: number): string =>
  withoutInvisible(text).text.replaceAll(/\s+/g, ' ').trim().slice(0, most);

const MAY_BE_DONE = 'It may have been done: look at the page before you call it again.';
const notOffered = (toolName: string): string =>
  `${toolName} was not run: its page does not offer it any more, or has changed it.`;
const NO_ANSWER =
  'The page gave no answer, as one does that leads to another page: look at what its tab shows now.';

function outcomeOf(toolName: string, answer: WebMcpAnswer): Awaited<ReturnType<CallTool>> {
  if (answer.type === 'failed') {
    const text = `${toolName} failed: ${answer.text}`;
    return { result: { text, isError: true, url: answer.url }, status: 'error' };
  }
  if (answer.type !== 'answer') return failed('error', notOffered(toolName));
  if (answer.text === null) return { result: { text: NO_ANSWER, isError: false }, status: 'success' };
  const result = { ...resultIn(answer.text), url: answer.url };
  return { result, status: result.isError ? 'error' : 'success' };
}

/** What a tool answers is a text, or what MCP has for it. */
function resultIn(text: string): ToolResult {
  try {
    const raw: unknown = JSON.parse(text);
    if (isRecord(raw) && Array.isArray(raw['content'])) return toToolResult(raw);
  } catch {
    // a text
  }
  return { text, isError: false };
}
