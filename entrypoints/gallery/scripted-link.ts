import { type ListedConversation, NEW_CHAT } from '../../lib/protocol/chats.ts';
import type { Commands, Reply } from '../../lib/protocol/commands.ts';
import {
  emptySnapshot,
  type PanelEvent,
  type PanelRequest,
  type Snapshot,
} from '../../lib/protocol/panel.ts';
import type { Setup } from '../../lib/protocol/setup.ts';
import type { LanguageModelApi } from '../../lib/language-model.ts';
import type { WorkerLink } from '../../lib/state/panel-port.ts';
import type { Panel } from '../../lib/state/panel.ts';
import type { LocalServer } from '../../lib/types/model.ts';
import type { Step } from './press.ts';

export type Script = {
  setup: Setup;
  snapshot?: Partial<Snapshot>;
  conversations?: ListedConversation[];
  localServers?: LocalServer[];
  /** The browser's own model; absent: it has none. */
  languageModel?: LanguageModelApi;
  /** What a schema says against any edited arguments. */
  badArguments?: string;
  /** What commands answer. */
  replies?: Partial<{ [K in keyof Commands]: Reply<K> }>;
  /** What is done in the panel once it is there. */
  act?: (panel: Panel) => void;
  /** What is then pressed in it. */
  press?: Step[];
  /** Commands that fail, and with what. */
  failures?: Partial<Record<keyof Commands, Error>>;
};

export const revision = { epoch: 'gallery', number: 0 };
/** As often as a worker does whose run goes on. */
const BEAT_MS = 2000;

/** A worker that shows a script's snapshot; commands are only told to the console. */
export function scriptedLink(script: Script): WorkerLink {
  const snapshot = { ...emptySnapshot, ...script.snapshot };
  const replies: Partial<Record<keyof Commands, unknown>> = {
    listConversations: {
      conversations: script.conversations ?? [],
      hasMore: false,
      count: script.conversations?.length ?? 0,
    },
    nextIntent: null,
    listShortcuts: [
      { name: '_execute_action', keys: 'Alt+Shift+O' },
      { name: 'selection-ask', keys: 'Alt+Shift+S' },
      { name: 'page-ask', keys: '' },
    ],
    frontPage: null,
    findLocalServers: script.localServers ?? [],
    nativeHost: { state: 'not_allowed' },
    checkArguments: script.badArguments ?? null,
    olderMessages: { messages: [], toolCalls: [], hasOlder: false, versions: {} },
    startRun: 'started',
    removeQueued: true,
    listModels: [
      { id: 'qwen3:14b', traits: { tools: true, contextWindow: 32_768 } },
      { id: 'gpt-oss:20b', traits: {} },
    ],
    addServer: { ok: true, id: 2 },
    listTools: [],
    serverOffer: null,
    listPrompts: [],
    listSkills: [],
    listResources: { resources: [], templates: [] },
    complete: { values: [], hasMore: false },
    previewAttachment: null,
    readResource: [],
    reconnectServer: { ok: true },
    saveProvider: { id: 1 },
    ...script.replies,
  };
  return {
    send: ((command: keyof Commands, request: unknown) => {
      console.debug('asked', command, JSON.stringify(request));
      const failure = script.failures?.[command];
      return failure ? Promise.reject(failure) : Promise.resolve(replies[command]);
    }) as WorkerLink['send'],
    open: (first, handlers) => {
      let subscription = 0;
      const beat = (): void => handlers.event({ type: 'revision', subscription, revision });
      const answer = (request: PanelRequest): void => {
        if (request.type !== 'subscribe') return;
        ({ subscription } = request);
        const conversationId = snapshot.conversation?.id ?? NEW_CHAT;
        const events: PanelEvent[] = [
          { type: 'setup', revision, setup: script.setup },
          { type: 'snapshot', subscription, conversationId, revision, snapshot },
        ];
        queueMicrotask(() => events.forEach(handlers.event));
      };
      answer(first);
      const beating = setInterval(beat, BEAT_MS);
      return { send: answer, close: () => clearInterval(beating) };
    },
    announcements: () => undefined,
  };
}
