import { createRefresher } from '../../async.ts';
import type { AppToolAnswer } from '../../types/app.ts';
import type { SaidTool } from '../../types/tools/tool.ts';
import { type AppMessage, resultShape, toolShape, toolsShape } from './shapes.ts';

/** Tools of an app, and characters of all that it says of one, and of all: the worker looks through them before each request. */
const MOST_TOOLS = 50;
const MOST_DEFINITION = 50_000;
const MOST_DEFINITIONS = 200_000;
const MOST_PAGES = 5;
const MOST_WORDS = 1000;

/**
 * What Portside asks of an app: its tools, calls of them, and to put its things in order.
 * @param post into the frame
 * @param found is told what the app offers
 */
export function createAppRequests(
  post: (message: object) => void,
  newId: () => string,
  found: (tools: SaidTool[]) => void,
) {
  const waiting = new Map<string, (answer: AppToolAnswer) => void>();
  let isOver = false;
  const refresher = createRefresher(async () => {
    const tools = await list();
    if (!isOver) found(tools);
  });

  function request(method: string, params: object, id = newId()): Promise<AppToolAnswer> {
    if (isOver) return Promise.resolve('lost');
    const { promise, resolve } = Promise.withResolvers<AppToolAnswer>();
    waiting.set(id, resolve);
    post({ jsonrpc: '2.0', id, method, params });
    return promise.finally(() => waiting.delete(id));
  }

  async function list(): Promise<SaidTool[]> {
    const tools: SaidTool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const answer = await request('tools/list', cursor === undefined ? {} : { cursor });
      const listed = typeof answer === 'object' && 'result' in answer && toolsShape.safeParse(answer.result);
      if (!listed || !listed.success) break;
      tools.push(...listed.data.tools.slice(0, MOST_TOOLS).flatMap(toSaid));
      cursor = listed.data.nextCursor;
      if (cursor === undefined || tools.length >= MOST_TOOLS) break;
    }
    let left = MOST_DEFINITIONS;
    return tools.slice(0, MOST_TOOLS).filter((tool) => (left -= JSON.stringify(tool).length) >= 0);
  }

  return {
    request,
    /** Its tools are others now: it is asked for them soon, and ever more rarely by an app that says so without end. */
    toolsChanged: refresher.poke,
    answer({ id, result, error }: AppMessage): void {
      const settle = waiting.get(String(id));
      if (error) settle?.({ error: error.message.slice(0, MOST_WORDS) });
      else settle?.({ result: resultShape.safeParse(result).data ?? {} });
    },
    /** The frame is gone. */
    drop(): void {
      isOver = true;
      refresher.stop();
      for (const settle of waiting.values()) settle('lost');
    },
  };
}

function toSaid(value: unknown): SaidTool[] {
  const tool = toolShape.safeParse(value).data;
  if (!tool || JSON.stringify(tool).length > MOST_DEFINITION) return [];
  const { name, title, description = '', inputSchema, annotations } = tool;
  const isConsequential = annotations?.destructiveHint === true;
  return [{ name, title: title ?? annotations?.title ?? '', description, inputSchema, isConsequential }];
}
