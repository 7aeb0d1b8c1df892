import type { UserMessage } from '../../types/message.ts';
import type { ChatSettings, Learned, ModelEvent, ModelTest, ModelTurn, Traits } from '../../types/model.ts';
import type { OfferedTool } from '../../types/tools/tool.ts';
import { describeFailure } from '../refusals/failure.ts';
import { createStreamModel, type StreamModelOptions } from '../stream-model.ts';

const TIMEOUT_MS = 60_000;
const WORD = 'ahoy';

const tool: OfferedTool = {
  name: 'say_word',
  toolName: 'say_word',
  serverId: null,
  serverName: 'Portside',
  description: 'Says a word.',
  inputSchema: {
    type: 'object',
    properties: { word: { type: 'string', description: 'The word to say' } },
    required: ['word'],
  },
  annotations: { readOnlyHint: true },
};

const question: UserMessage = {
  id: 'test',
  conversationId: 'test',
  parentId: null,
  seq: 0,
  sub: 0,
  timestamp: new Date(0).toISOString(),
  status: 'complete',
  role: 'user',
  content: `Call the tool ${tool.name} with the word “${WORD}”. Do not answer in text.`,
};

export type TestOptions = Omit<StreamModelOptions, 'learn'> & {
  learn?: StreamModelOptions['learn'];
  /** Milliseconds for the whole test, default 60 000. */
  timeoutMs?: number;
};

/**
 * Sends one tiny request with one tool that the model is told to call; what it shows of the model goes to `learn` too.
 * The tool is offered even to a model that was found unable to use any: this is how to find out. Never throws.
 */
export async function testModel(options: TestOptions): Promise<ModelTest> {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const signal = AbortSignal.timeout(timeoutMs);
  const start = performance.now();
  const { learned, relearn } = forgetful(options);
  let streams = false;
  const model = createStreamModel({
    ...options,
    traits: { ...options.traits, tools: true },
    settings: withoutLimits(options.settings),
    learned: learned(),
    learn: relearn,
    idleTimeoutMs: timeoutMs,
    fetch: async (input, init) => {
      const response = await (options.fetch ?? fetch)(input, init);
      streams = response.ok && isEventStream(response);
      return response;
    },
  });
  let last: ModelEvent | undefined;
  for await (const event of model({ messages: [question], tools: [tool] }, signal)) last = event;
  const totalMs = Math.round(performance.now() - start);
  if (last?.type === 'end') {
    const result = resultOf(last.turn, learned());
    if (result.calledTool && options.learned.traits?.tools === false) options.learn?.(able(learned()));
    return { totalMs, streams, ...result };
  }
  const error =
    last?.type === 'error' && !signal.aborted
      ? last.error
      : describeFailure({ type: 'timeout', ms: timeoutMs }, options);
  return { totalMs, streams, calledTool: false, reasoned: false, traits: learnedTraits(learned()), error };
}

/** What was learnt of abilities is put to the test again; the rest stays. */
function forgetful({ learned: before, learn }: TestOptions) {
  const { contextWindow } = before.traits ?? {};
  let now: Learned = { ...before, traits: contextWindow === undefined ? {} : { contextWindow } };
  return {
    learned: () => now,
    relearn(learned: Learned) {
      now = learned;
      learn?.(learned);
    },
  };
}

/** Said, not left out: what was learned before is only added to. */
function able(learned: Learned): Learned {
  return { ...learned, traits: { ...learned.traits, tools: true } };
}

/** A limit on the answer could cut off the call, or the thinking before it. */
function withoutLimits({ maxTokens: _maxTokens, ...settings }: ChatSettings) {
  return settings;
}

function resultOf(turn: ModelTurn, learned: Learned): Omit<ModelTest, 'totalMs' | 'streams'> {
  const calledTool = turn.toolCalls.some(({ name }) => name === tool.name);
  const reasoned = turn.reasoning !== undefined && turn.reasoning !== '';
  return {
    calledTool,
    reasoned,
    ...(turn.usage && { usage: turn.usage }),
    // That it did not call this once does not mean that it can't.
    traits: {
      ...learnedTraits(learned),
      ...(calledTool && { tools: true }),
      ...(reasoned && { reasoning: true }),
    },
  };
}

function learnedTraits({ traits }: Learned): Traits {
  return { ...traits };
}

function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.includes('text/event-stream') === true;
}
