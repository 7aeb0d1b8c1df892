import { OWN_CALLS } from '../../lib/protocol/chats.ts';
import type { Commands, Request } from '../../lib/protocol/commands.ts';
import { emptySnapshot } from '../../lib/protocol/panel.ts';
import type { ModelSummary, Setup } from '../../lib/protocol/setup.ts';
import type { WorkerLink } from '../../lib/state/panel-port.ts';
import type { ServerRequest } from '../../lib/types/request.ts';
import { dataReplies } from './options-data.ts';
import { nativeHostReplies } from './options-native-host.ts';
import { serverReplies, serverVariant } from './options-server.ts';
import { savedAs, withServers } from './options-servers.ts';
import { importReplies, logReplies } from './options-replies.ts';
import { fleet, fullOptions, localServers, noOptions, withSync, workingTest } from './options-setups.ts';
import { pause } from './press.ts';
import { revision } from './scripted-link.ts';

/** A worker behind the settings, whose commands change what it tells. @param query what is set up: `empty`, `servers`, `server=many`, `lock=open`, `sync=failed`, `fleet`, `damaged` */
export function optionsLink(query: URLSearchParams, delayMs: number): WorkerLink {
  const variant = query.get('server') ?? '';
  let setup: Setup = query.has('empty') ? noOptions : serverVariant(fullOptions, variant);
  if (query.has('servers')) setup = withServers(setup);
  if (query.has('sync')) setup = withSync(setup, query.get('sync') === 'failed');
  if (query.has('fleet')) setup = { ...setup, fleet };
  if (query.has('damaged')) setup = { ...setup, damaged: true };
  if (query.has('lock')) setup = { ...setup, lock: query.get('lock') === 'open' ? 'open' : 'locked' };
  const pages: (() => void)[] = [];
  let requests: ServerRequest[] = [];

  const said = (model: ModelSummary): ModelSummary => ({
    ...model,
    traits: { ...model.found, ...model.learned.traits, ...model.chosen },
  });

  const replies: Partial<{ [K in keyof Commands]: (request: never) => unknown }> = {
    findLocalServers: () => localServers,
    listModels: () =>
      setup.models
        .filter(({ providerId }) => providerId === 3)
        .map(({ id, found }) => ({ id, traits: found })),
    testModel: () => workingTest,
    refreshModels: () => ({ count: 4 }),
    saveProvider: () => ({ id: 9 }),
    addServer: savedAs,
    saveAssistant: () => ({ id: 1 }),
    ...importReplies,
    ...nativeHostReplies(query.get('host') ?? ''),
    ...serverReplies(variant, (request) => {
      requests = [request];
      pages.forEach((tell) => tell());
    }),
    ...logReplies(query.has('empty')),
    ...dataReplies(query.has('empty')),
    setModel: ({ forget, ...change }: Request<'setModel'>) => {
      const models = setup.models.map((model) =>
        model.providerId === change.providerId && model.id === change.id
          ? said({ ...model, ...change, ...(forget && { learned: {} }) })
          : model,
      );
      setup = { ...setup, models };
      for (const tell of pages) tell();
    },
  };

  return {
    send: (async (command: keyof Commands, request: never) => {
      await pause(delayMs);
      return replies[command]?.(request);
    }) as WorkerLink['send'],
    open: (first, handlers) => {
      let page = first;
      const tell = (): void => {
        if (page.type !== 'subscribe') return;
        const { subscription } = page;
        const snapshot = { ...emptySnapshot, requests };
        handlers.event({ type: 'setup', revision, setup });
        handlers.event({ type: 'snapshot', subscription, conversationId: OWN_CALLS, revision, snapshot });
      };
      pages.push(tell);
      queueMicrotask(tell);
      return {
        send(next) {
          page = next;
          tell();
        },
        close: () => undefined,
      };
    },
    announcements: () => undefined,
  };
}
