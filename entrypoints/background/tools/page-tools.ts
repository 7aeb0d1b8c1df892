import { browser } from 'wxt/browser';
import { isRecord } from '../../../lib/json.ts';
import { failed, type Outcome } from '../../../lib/mcp/calls/outcome.ts';
import { toToolResult } from '../../../lib/mcp/content/results.ts';
import { pageToolName } from '../../../lib/mcp/names.ts';
import {
  type FoundTool,
  webMcp,
  type WebMcpAnswer,
  type WebMcpRequest,
} from '../../../lib/tools/page/web-mcp.ts';
import type { CallTool } from '../../../lib/types/tools/call-tool.ts';
import type { Tool } from '../../../lib/types/tools/server-tool.ts';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import type { ToolResult } from '../../../lib/types/tools/tool-result.ts';
import { PAGE_TOOLS } from '../../../lib/types/tools/tool-source.ts';
import type { OfferedTool } from '../../../lib/types/tools/tool.ts';
import { callLive, liveRow, type LiveTool, notOffered } from './live-tools.ts';

/** Milliseconds for a tab to say what it offers; the request to the model waits for it. */
const LIST_MS = 1_000;
/** Tools of all documents of a tab, and characters of what these say of them: they are looked through before each request. */
const MOST_TOOLS = 200;
const MOST_DEFINITIONS = 200_000;

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
    let left = MOST_DEFINITIONS;
    return frames.flatMap(({ frameId, documentId, site, tools }) =>
      tools.flatMap((found) => {
        left -= found.definition.length;
        if (left < 0 || names.size >= MOST_TOOLS) return [];
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

  /** What the model may call now in these tabs. */
  async function offer(tabs: number[]): Promise<OfferedTool[]> {
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

  /** @param judged the tool as it was when the call was found to be allowed */
  async function call(judged: Tool, ...[wanted, args, options]: Parameters<CallTool>): ReturnType<CallTool> {
    const { toolName } = wanted;
    const found = await find(wanted);
    const live = found && { tool: found.tool, ...at(found.place, toolName) };
    return callLive(live, judged, { toolName, args, words: WORDS }, options);
  }

  return {
    /** Those whose tools a chat may be offered. */
    tabsOf: (conversationId: string): Promise<number[]> => tabsOf(conversationId).catch(() => []),
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

/** How a tool is called where it is. */
function at({ tab, documentId, frameId, site, definition }: Place, toolName: string): Omit<LiveTool, 'tool'> {
  const target = {
    tabId: tab,
    ...(documentId === undefined ? { frameIds: [frameId] } : { documentIds: [documentId] }),
  };
  /** Whether another document is where the tool's was: the answer that says so is often gone with the one that gave it. */
  const hasGivenWay = async (): Promise<boolean> => {
    const look = () => ask({ tabId: tab, frameIds: [frameId] }, { type: 'list' });
    // The first look may still meet the one that goes, and fail with it.
    const [now] = await look()
      .catch(look)
      .catch(() => []);
    return now?.documentId !== undefined && now.documentId !== documentId;
  };
  return {
    make: async (id, args) => {
      const request = { type: 'call', id, site, definition, args } as const;
      const [first] = await ask(target, request).catch(() => []);
      if (first?.result) return outcomeOf(toolName, first.result);
      return (await hasGivenWay()) ? { result: NO_ANSWER, status: 'success' } : 'lost';
    },
    cancel: (id) => void ask(target, { type: 'cancel', id }).catch(() => undefined), // its page may be gone
  };
}

const rowFor = (tab: number, site: string, isOfTab: boolean, found: FoundTool): Tool | undefined =>
  liveRow(found, (named) => ({
    serverId: PAGE_TOOLS,
    name: `${new URL(site).host}:${named}`,
    offeredName: pageToolName(tab, named, isOfTab ? undefined : site),
  }));

const WORDS = { offeredBy: 'page', check: 'look at the page' } as const;
const NO_ANSWER: ToolResult = {
  text: 'The page gave no answer, as one does that leads to another page: look at what its tab shows now.',
  isError: false,
};

function outcomeOf(toolName: string, answer: WebMcpAnswer): Outcome {
  if (answer.type === 'failed') {
    const text = `${toolName} failed: ${answer.text}`;
    return { result: { text, isError: true, url: answer.url }, status: 'error' };
  }
  if (answer.type !== 'answer') return failed('error', notOffered(toolName, WORDS));
  if (answer.text === null) return { result: NO_ANSWER, status: 'success' };
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
