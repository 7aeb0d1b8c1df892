import { answered, failed, type Outcome } from '../../../lib/mcp/calls/outcome.ts';
import { appToolName } from '../../../lib/mcp/names.ts';
import type { PanelPort } from '../../../lib/messaging.ts';
import { loadPath } from '../../../lib/storage/chats/messages.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import type { Message } from '../../../lib/types/message.ts';
import type { AppToolRequest, OfferingApp } from '../../../lib/types/app.ts';
import type { CallTool } from '../../../lib/types/tools/call-tool.ts';
import { isOn, type Tool } from '../../../lib/types/tools/server-tool.ts';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import type { OfferedTool } from '../../../lib/types/tools/tool.ts';
import { callLive, liveRow, type LiveTool } from '../tools/live-tools.ts';
import { type ShownCall, shownCall } from './shown-call.ts';

/** Characters of its call's arguments, by which the model tells an app from the others. */
const MOST_ARGUMENTS = 200;
const WORDS = { offeredBy: 'app', check: 'find out' } as const;

type Open = OfferingApp & { port: PanelPort };
type AppTool = ShownCall & { app: Open; said: string; tool: Tool };
type Wanted = Pick<ToolCall, 'toolName' | 'ofApp'>;

/**
 * The tools that open apps offer (SEP-1865). Only a cache: pages say what their apps offer whenever that changes and whenever
 * they connect, and with a page all of its apps are gone.
 */
export function createAppTools(db: Database) {
  const pages = new Map<PanelPort, OfferingApp[]>();
  const waiting = new Map<string, { port: PanelPort; settle: (outcome: Outcome | 'lost') => void }>();

  /** What a page says of the apps that it shows. */
  function heard(port: PanelPort, request: AppToolRequest): void {
    if (request.type === 'app_tools') {
      if (request.apps.length > 0 && port.open) pages.set(port, request.apps);
      else pages.delete(port);
      return;
    }
    const asked = waiting.get(request.id);
    if (asked?.port !== port) return;
    const { answer } = request;
    if (answer === 'lost') asked.settle('lost');
    else if ('error' in answer) asked.settle(failed('error', answer.error));
    else asked.settle(answered(answer.result));
  }

  function gone(port: PanelPort): void {
    pages.delete(port);
    for (const asked of waiting.values()) if (asked.port === port) asked.settle('lost');
  }

  /** Of the apps that may offer any, the latest call's first; each app once, in however many pages it is open. */
  async function toolsOf(wants: (shown: ShownCall) => boolean): Promise<AppTool[]> {
    const open = [...pages].flatMap(([port, apps]) => apps.map((app) => ({ ...app, port })));
    const each = [...new Map(open.map((app) => [app.callId, app])).values()];
    const looked = await Promise.all(
      each.map(async (app) => ({ app, shown: await shownCall(db, app.callId) })),
    );
    const names = new Set<string>();
    return looked
      .flatMap(({ app, shown }) => (shown?.server.enabled && wants(shown) ? [{ ...shown, app }] : []))
      .toSorted((a, b) => (a.call.createdAt < b.call.createdAt ? 1 : -1))
      .flatMap((shown) =>
        shown.app.tools.flatMap((said): AppTool[] => {
          const tool = liveRow(said, (named) => placeOf(shown, named, names));
          if (!tool || names.has(tool.offeredName) || !isOn(tool, shown.tools)) return [];
          names.add(tool.offeredName);
          return [{ ...shown, said: said.name, tool }];
        }),
      );
  }

  /**
   * What the model may call now, in the apps that show calls of its branch: a panel may show another one of the chat.
   * @param history the branch, from its last summary on
   */
  async function offer(conversationId: string, history: Message[]): Promise<OfferedTool[]> {
    if (pages.size === 0) return [];
    const older = history[0]?.parentId ?? null;
    const before = older === null ? [] : await loadPath(db, conversationId, older);
    const branch = new Set([...before, ...history].map(({ id }) => id));
    const tools = await toolsOf(({ call, chat }) => chat.id === conversationId && branch.has(call.messageId));
    return tools.map(({ tool, call: shown, server }): OfferedTool => {
      const { name: toolName, offeredName: name, description, inputSchema, annotations } = tool;
      const shows = `${shown.toolName} ${(shown.edited ?? shown.arguments).slice(0, MOST_ARGUMENTS)}`;
      return {
        name,
        toolName,
        serverId: server.id,
        serverName: server.name,
        description: `A tool of the open app of ${server.name} that shows the call ${shows}, which says of it: ${description}`,
        inputSchema,
        annotations,
        ofApp: shown.callId,
      };
    });
  }

  async function find({ ofApp, toolName }: Wanted): Promise<AppTool | undefined> {
    const tools = await toolsOf((shown) => shown.call.callId === ofApp);
    return tools.find(({ tool }) => tool.name === toolName);
  }

  /** @param judged the tool as it was when the call was found to be allowed */
  async function callTool(
    judged: Tool,
    ...[wanted, args, options]: Parameters<CallTool>
  ): ReturnType<CallTool> {
    const offered = await find(wanted);
    const live = offered && { tool: offered.tool, ...at(offered) };
    return callLive(live, judged, { toolName: wanted.toolName, args, words: WORDS }, options);
  }

  function at({ app: { port, appId }, said: name }: AppTool): Omit<LiveTool, 'tool'> {
    return {
      make: (id, args) => {
        const { promise, resolve } = Promise.withResolvers<Outcome | 'lost'>();
        if (!port.open) return Promise.resolve('lost');
        waiting.set(id, { port, settle: resolve });
        port.send({ type: 'call_app_tool', id, appId, name, arguments: args });
        return promise.finally(() => waiting.delete(id));
      },
      cancel: (id) => {
        waiting.get(id)?.settle('lost');
        port.send({ type: 'cancel_app_tool', id, appId });
      },
    };
  }

  return {
    heard,
    gone,
    offer,
    /** A tool as its app has it now; undefined once it is gone. */
    find: async (wanted: Wanted): Promise<Tool | undefined> => (await find(wanted))?.tool,
    call: callTool,
  };
}

/** @param taken names of tools of later calls' apps */
function placeOf({ call, server }: ShownCall, named: string, taken: ReadonlySet<string>) {
  const plain = appToolName(server.id, call.toolName, named);
  return {
    serverId: server.id,
    name: `${call.toolName}:${named}`,
    offeredName: taken.has(plain) ? appToolName(server.id, call.toolName, named, call.callId) : plain,
  };
}
