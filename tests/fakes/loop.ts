import type { AgentDeps, Prepared, RunInput } from '../../lib/agent/deps.ts';
import { createStreamModel, type StreamModelOptions } from '../../lib/models/stream-model.ts';
import type { StreamModel } from '../../lib/types/model.ts';
import { FENCE, offered, userMessage } from './rows.ts';

/** What the loop needs, in its plainest form: every call is allowed and succeeds, nothing waits, nothing steers. */
export function loopDeps(
  prepared: Pick<Prepared, 'model'> & Partial<Prepared>,
  deps: Partial<AgentDeps> = {},
): AgentDeps {
  let id = 0;
  return {
    prepare: async () => ({
      modelName: 'test-model',
      tools: [],
      searchTool: { ...offered('search_tools'), name: 'search_tools', serverId: null },
      toolLimit: { count: 128, share: 0.1 },
      callsTools: true,
      contextWindow: 128_000,
      fence: FENCE,
      ...prepared,
    }),
    callTool: async (_call, _args, { started }) => {
      await started();
      return { status: 'success', result: { text: 'Done.', isError: false } };
    },
    approve: async () => 'allow',
    checkArguments: () => undefined,
    nearNames: () => [],
    takeSteers: async () => [],
    wait: async () => {},
    random: () => 0,
    now: () => Date.now(),
    newId: () => `m${++id}`,
    maxIterations: 10,
    ...deps,
  };
}

/** An unknown model at this address. */
export function unknownModel(baseUrl: string, options: Partial<StreamModelOptions> = {}): StreamModel {
  return createStreamModel({
    preset: 'custom',
    baseUrl,
    model: 'test-model',
    traits: {},
    settings: {},
    learned: {},
    learn: () => {},
    ...options,
  });
}

/** A run that answers `ask` in a new conversation. */
export function loopInput(ask: string): RunInput {
  return { runId: 'r1', conversationId: 'c1', history: [userMessage(ask)], ledger: [], iteration: 0 };
}
