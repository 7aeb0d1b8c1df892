import type { SaidTool } from '../../types/tools/tool.ts';

/** A tool as the browser lists it (https://webmachinelearning.github.io/webmcp/). Its words are the page's. */
type ListedTool = {
  name: string;
  title?: string;
  description?: string;
  /** A JSON text in Chromium 149 to 153, an object since; absent: without arguments. */
  inputSchema?: unknown;
  annotations?: Record<string, unknown>;
  window?: unknown;
};

type ModelContext = {
  getTools: () => Promise<ListedTool[]>;
  /** @returns null where the page gave way to another one */
  executeTool: (
    tool: ListedTool,
    args: unknown,
    options: { signal: AbortSignal },
  ) => Promise<string | null | undefined>;
};

/** What a document offers; `definition` is all that it says of the tool, as one text. */
export type FoundTool = SaidTool & { definition: string };

export type WebMcpRequest =
  | { type: 'list' }
  | { type: 'call'; id: string; site: string; definition: string; args: Record<string, unknown> }
  | { type: 'cancel'; id: string };

export type WebMcpAnswer =
  | { type: 'list'; site: string; tools: FoundTool[] }
  /** It was not called: the document is another one, or offers no tool with that definition. */
  | { type: 'gone' }
  | { type: 'answer'; text: string | null; url: string }
  | { type: 'failed'; text: string; url: string };

/**
 * Lists, calls and cancels the tools that this document offers through WebMCP; null where it can offer none. Injected by
 * itself, before each request of a chat, so it is small and refers to nothing outside of it.
 * A page can have an element named `modelContext`, hence the getters of the prototypes. A page's own property of that name,
 * as of a polyfill, is not seen from the world of extensions.
 */
export async function webMcp(request: WebMcpRequest): Promise<WebMcpAnswer | null> {
  const MOST_TOOLS = 100;
  const MOST_DEFINITION = 50_000;
  const MOST_TEXT = 1_000_000;
  /** From this Chromium on arguments are an object, also for tools whose schema does not tell. */
  const WITH_OBJECTS = 154;
  /** What the user alone may type: a model that calls the tool of its form would. */
  const SECRET =
    '[type="password" i], [autocomplete*="-password" i], [autocomplete*="one-time-code" i], [autocomplete*="cc-" i]';

  const get = (prototype: object, of: object): unknown =>
    Object.getOwnPropertyDescriptor(prototype, 'modelContext')?.get?.call(of);
  const context = (get(Document.prototype, document) ?? get(Navigator.prototype, navigator)) as
    | Partial<ModelContext>
    | undefined;
  const { getTools, executeTool } = context ?? {};
  if (!context || typeof getTools !== 'function' || typeof executeTool !== 'function') return null;
  if (self.origin === 'null') return null;

  if (!Object.hasOwn(globalThis, 'portsideToolCalls'))
    Object.defineProperty(globalThis, 'portsideToolCalls', { value: new Map() });
  const { portsideToolCalls: calls } = globalThis as unknown as {
    portsideToolCalls: Map<string, AbortController>;
  };
  if (request.type === 'cancel') {
    calls.get(request.id)?.abort();
    return null;
  }

  const all = await getTools.call(context);
  const definitionOf = ({ name, title, description, inputSchema, annotations }: ListedTool): string =>
    JSON.stringify([name, title, description, inputSchema, annotations]);
  const locked = new Set<string | null>();
  for (const field of Document.prototype.querySelectorAll.call(document, SECRET)) {
    // It may stand elsewhere and name its form.
    const form = (field as HTMLInputElement).form ?? Element.prototype.closest.call(field, 'form');
    if (form) locked.add(Element.prototype.getAttribute.call(form, 'toolname'));
  }
  // Those of frames of the same origin are listed too; the frames list them themselves.
  const own = all.filter(
    (tool) => (tool.window === undefined || tool.window === window) && !locked.has(tool.name),
  );

  if (request.type === 'list') {
    const schemaIn = (schema: unknown): unknown => {
      if (typeof schema !== 'string') return schema;
      try {
        return JSON.parse(schema);
      } catch {
        return null;
      }
    };
    const found = own.slice(0, MOST_TOOLS).map((tool): FoundTool => {
      const { name, title = '', description = '', inputSchema, annotations = {} } = tool;
      const isConsequential =
        annotations['destructiveHint'] === true || annotations['consequentialHint'] === true;
      const definition = definitionOf(tool);
      return { name, title, description, inputSchema: schemaIn(inputSchema), isConsequential, definition };
    });
    const tools = found.filter(({ definition }) => definition.length <= MOST_DEFINITION);
    return { type: 'list', site: self.origin, tools };
  }

  const tool = own.find((each) => definitionOf(each) === request.definition);
  if (!tool || self.origin !== request.site) return { type: 'gone' };
  const schemas = all.flatMap(({ inputSchema }) => (inputSchema ? [typeof inputSchema] : []));
  const version = /Chrome\/(\d+)/.exec(navigator.userAgent)?.[1] ?? WITH_OBJECTS;
  const isObject = schemas.length > 0 ? schemas.includes('object') : Number(version) >= WITH_OBJECTS;
  const stop = new AbortController();
  calls.set(request.id, stop);
  const url = location.href;
  try {
    const args = isObject ? request.args : JSON.stringify(request.args);
    const text = await executeTool.call(context, tool, args, { signal: stop.signal });
    return { type: 'answer', text: text?.slice(0, MOST_TEXT) ?? null, url };
  } catch (error) {
    return { type: 'failed', text: String(error).slice(0, 1_000), url };
  } finally {
    calls.delete(request.id);
  }
}
