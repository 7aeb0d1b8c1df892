import type {
  McpUiHostContext,
  McpUiInitializeResult,
  McpUiRequestDisplayModeResult,
} from '@modelcontextprotocol/ext-apps/app-bridge';
import { AppError } from '../../errors.ts';
import { type AppContext, type AppInput, MOST_CONTEXT, type OpenedApp } from '../../types/app.ts';
import type { SaidTool } from '../../types/tools/tool.ts';
import type { WorkerLink } from '../panel-port.ts';
import { createAppRequests } from './app-requests.ts';
import { parseBegun } from './begun-json.ts';
import {
  type AppMessage,
  type AppRequests,
  cancelledShape,
  type DisplayMode,
  type DownloadedFile,
  messageShape,
  paramShapes,
  sizeShape,
} from './shapes.ts';
import { isLight } from './weight.ts';

/** Source: SEP-1865, "LATEST_PROTOCOL_VERSION". */
const PROTOCOL = '2026-01-26';
/** Messages of an app in such a time: more are a loop, or meant to keep the panel busy. */
const MOST_MESSAGES = 1000;
/** Milliseconds that the panel may take to read them: it does nothing else meanwhile. */
const MOST_READING_MS = 1000;
const WINDOW_MS = 5000;
/** Characters and parts of one message; a file that is to be saved may be as large. */
const MOST_WEIGHT = 20_000_000;
/** How long an app may take to put its things in order. */
const TEARDOWN_MS = 500;
/** By how much more of the arguments an app is told of them again: so what is read of them stays linear. */
const NEWS = 1.1;
/** After so many refusals the app is refused without a question. */
const MOST_DECLINED = 2;

/** What an app asks the user for. */
export type Wish =
  | { type: 'link'; url: string }
  | { type: 'message'; text: string }
  | { type: 'download'; files: DownloadedFile[] };

export type AppHost = {
  callId: string;
  opened: OpenedApp;
  /** What the model has written of the call's arguments, as long as the call has no row. */
  written: () => string | undefined;
  /** Into the frame. */
  post: (message: unknown) => void;
  ask: WorkerLink['send'];
  /** Theme, language, size, ... */
  context: () => McpUiHostContext;
  resize: (height: number) => void;
  /** Puts it before the user, and does it if they want it. */
  wish: (wish: Wish) => Promise<boolean>;
  /** @returns the mode that it is shown in then */
  show: (mode: DisplayMode) => DisplayMode;
  /** The app offers these tools from now on. */
  offer: (tools: SaidTool[]) => void;
  /** The app wants to be closed, or floods the panel. */
  close: (why: 'asked' | 'flood') => void;
  newId: () => string;
  now: () => number;
};

class Refusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Portside's side of one app: answers what it asks, and tells it of its call. All that comes from it is hostile data. */
export function createAppBridge(host: AppHost) {
  const { callId, ask } = host;
  let isReady = false;
  let isOver = false;
  let told = { isInput: false, isEnd: false };
  /** Characters of the arguments when the app was last told of them. */
  let toldAt = 0;
  let modes: DisplayMode[] | undefined;
  let seen = { since: host.now(), count: 0, readingMs: 0 };
  let declined = 0;
  let isAsking = false;
  let offersTools = false;
  /** Ids of the worker's for calls that the app may cancel, by its own. */
  const calls = new Map<string | number, string>();

  const app = createAppRequests(host.post, () => `portside ${host.newId()}`, host.offer);

  const notify = (method: string, params: object): void => {
    if (isReady && !isOver) host.post({ jsonrpc: '2.0', method, params });
  };

  /** @param data what came from the frame */
  function receive(data: () => unknown): void {
    if (isOver) return;
    const at = host.now();
    if (at - seen.since >= WINDOW_MS) seen = { since: at, count: 0, readingMs: 0 };
    seen.count += 1;
    if (seen.count > MOST_MESSAGES) return flooded();
    const value = data();
    const message = isLight(value, MOST_WEIGHT) ? messageShape.safeParse(value).data : undefined;
    seen.readingMs += host.now() - at;
    if (seen.readingMs > MOST_READING_MS) return flooded();
    if (!message) return;
    if (message.method === undefined) app.answer(message);
    else if (message.id === undefined) hear(message.method, message.params);
    else void answer({ ...message, id: message.id, method: message.method });
  }

  /** Nothing more of it is read. */
  function flooded(): void {
    drop();
    host.close('flood');
  }

  function hear(method: string, params: unknown): void {
    if (method === 'ui/notifications/initialized') {
      isReady = true;
      tellWritten();
      void tellInput();
      if (offersTools) app.toolsChanged();
    } else if (method === 'notifications/tools/list_changed') {
      if (isReady && offersTools) app.toolsChanged();
    } else if (method === 'ui/notifications/size-changed') {
      const { height } = sizeShape.safeParse(params).data ?? {};
      if (height !== undefined && Number.isFinite(height)) host.resize(height);
    } else if (method === 'notifications/cancelled') {
      const { requestId } = cancelledShape.safeParse(params).data ?? {};
      const known = requestId === undefined ? undefined : calls.get(requestId);
      if (known !== undefined) void quietly(ask('cancelAppTools', { callId, requestId: known }));
    } else if (method === 'ui/notifications/request-teardown') host.close('asked');
  }

  async function answer({ id, method, params }: AppMessage & { id: string | number; method: string }) {
    try {
      const result = await resultOf(id, method, params ?? {});
      if (!isOver) host.post({ jsonrpc: '2.0', id, result });
    } catch (error) {
      const { code, message } = error instanceof Refusal ? error : { code: -32_000, message: wordsOf(error) };
      if (!isOver) host.post({ jsonrpc: '2.0', id, error: { code, message } });
    }
  }

  async function resultOf(id: string | number, method: string, params: unknown): Promise<unknown> {
    if (!Object.hasOwn(handlers, method)) throw new Refusal(-32_601, 'Portside does not know this method.');
    const name = method as keyof AppRequests;
    const parsed = paramShapes[name].safeParse(params);
    if (!parsed.success) throw new Refusal(-32_602, 'The parameters do not fit the method.');
    const handle = handlers[name] as (params: unknown, id: string | number) => unknown;
    return handle(parsed.data, id);
  }

  const handlers: { [M in keyof AppRequests]: (params: AppRequests[M], id: string | number) => unknown } = {
    ping: () => ({}),
    'ui/initialize': ({ appCapabilities }): McpUiInitializeResult => {
      modes = appCapabilities?.availableDisplayModes;
      offersTools = appCapabilities?.tools !== undefined;
      return {
        protocolVersion: PROTOCOL,
        hostInfo: { name: 'Portside', version: host.opened.version },
        hostCapabilities: {
          openLinks: {},
          downloadFile: {},
          serverTools: {},
          serverResources: {},
          logging: {},
          updateModelContext: { text: {}, structuredContent: {} },
          message: { text: {} },
          sampling: { tools: {} },
        },
        hostContext: {
          ...host.context(),
          toolInfo: { tool: host.opened.tool } as McpUiHostContext['toolInfo'] & object,
        },
      };
    },
    'tools/call': ({ name, arguments: args = {} }, id) =>
      stoppable(id, (requestId) => ask('callAppTool', { callId, requestId, name, arguments: args })),
    'sampling/createMessage': (params, id) =>
      asking(() =>
        stoppable(id, (requestId) =>
          ask('sampleForApp', { callId, requestId, params }).catch((error: unknown) => {
            throw isDeclined(error) ? new Refusal(-1, DECLINED) : error;
          }),
        ),
      ),
    'resources/list': () => ask('listAppResources', { callId }),
    'resources/read': ({ uri }) => ask('readAppResource', { callId, uri }),
    'ui/open-link': ({ url }) => wished({ type: 'link', url }),
    'ui/message': ({ content }) => {
      const text = textIn([content].flat());
      if (text === '') throw new Refusal(-32_602, 'Portside takes text only.');
      if (text.length > MOST_CONTEXT) throw new Refusal(-32_602, 'The text is too long.');
      return wished({ type: 'message', text });
    },
    'ui/update-model-context': async ({ content = [], structuredContent: structured }) => {
      const text = textIn(content);
      const context: AppContext = {
        ...(text !== '' && { content: [{ type: 'text', text }] }),
        ...(structured && { structured }),
      };
      await ask('setAppContext', { callId, context });
      return {};
    },
    'ui/request-display-mode': ({ mode }): McpUiRequestDisplayModeResult => ({
      mode: host.show(modes && !modes.includes(mode) ? 'inline' : mode),
    }),
    'ui/download-file': ({ contents }) => wished({ type: 'download', files: contents }),
  };

  /** The app may cancel it. */
  async function stoppable<T>(id: string | number, job: (requestId: string) => Promise<T>): Promise<T> {
    const requestId = host.newId();
    calls.set(id, requestId);
    try {
      return await job(requestId);
    } finally {
      calls.delete(id);
    }
  }

  const wished = (wish: Wish): Promise<object> =>
    asking(async () => {
      if (!(await host.wish(wish))) throw new Refusal(-32_000, DECLINED);
      return {};
    });

  /** One question at a time, and none any more for an app that the user refused again and again. */
  async function asking<T>(job: () => Promise<T>): Promise<T> {
    if (isAsking) throw new Refusal(-32_000, 'The user is being asked about something else.');
    if (declined >= MOST_DECLINED) throw new Refusal(-32_000, DECLINED);
    isAsking = true;
    try {
      const done = await job();
      declined = 0;
      return done;
    } catch (error) {
      if (error instanceof Refusal) declined += 1;
      throw error;
    } finally {
      isAsking = false;
    }
  }

  /** Tells the app of the arguments as far as they are written; the longer they are, the more has to be new. */
  function tellWritten(): void {
    const text = host.written();
    if (!isReady || told.isInput || text === undefined || text.length <= toldAt * NEWS) return;
    toldAt = text.length;
    const begun = parseBegun(text);
    if (begun) notify('ui/notifications/tool-input-partial', { arguments: begun });
  }

  /** Tells the app of its call as it stands: the arguments once, then the end once. */
  async function tellInput(): Promise<void> {
    if (!isReady || told.isEnd) return;
    const input: AppInput | undefined = await ask('appInput', { callId }).catch(() => undefined);
    if (!input || told.isEnd) return;
    if (!told.isInput) notify('ui/notifications/tool-input', { arguments: input.arguments });
    const { result, cancelled } = input;
    told = { isInput: true, isEnd: result !== undefined || cancelled !== undefined };
    if (result) notify('ui/notifications/tool-result', result);
    else if (cancelled !== undefined) notify('ui/notifications/tool-cancelled', { reason: cancelled });
  }

  /** Ends it: the app may put its things in order, for a moment. */
  async function close(): Promise<void> {
    if (isOver) return;
    if (isReady) {
      const late = new Promise((resolve) => setTimeout(resolve, TEARDOWN_MS));
      await Promise.race([app.request('ui/resource-teardown', {}), late]);
    }
    drop();
  }

  /** The frame is gone, or about to be. */
  function drop(): void {
    if (isOver) return;
    isOver = true;
    app.drop();
    if (offersTools) host.offer([]);
    if (calls.size > 0) void quietly(ask('cancelAppTools', { callId }));
  }

  return {
    receive,
    callChanged: () => void tellInput(),
    writtenMore: tellWritten,
    contextChanged: (context: McpUiHostContext) => notify('ui/notifications/host-context-changed', context),
    /** Calls a tool that the app offers. `id`: by which it can be cancelled. */
    callTool: (id: string, name: string, args: Record<string, unknown>) =>
      app.request('tools/call', { name, arguments: args }, id),
    cancelTool: (requestId: string) => notify('notifications/cancelled', { requestId }),
    close,
    drop,
  };
}

export type AppBridge = ReturnType<typeof createAppBridge>;

const DECLINED = 'The user does not want this.';

const isDeclined = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'sampling_declined';

const textIn = (blocks: { type: string; text?: unknown }[]): string =>
  blocks
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('\n')
    .trim();

const wordsOf = (error: unknown): string =>
  error instanceof AppError ? error.message : 'Portside could not do that.';

const quietly = (asked: Promise<unknown>): Promise<unknown> => asked.catch(() => undefined);
