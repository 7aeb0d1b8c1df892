import type { AgentDeps, Prepared, RunInput } from '../../lib/agent/deps.ts';
import { ledgerRows } from '../../lib/agent/ledger.ts';
import { runAgent } from '../../lib/agent/run.ts';
import type { AssistantMessage, Message } from '../../lib/types/message.ts';
import type { RunEvent } from '../../lib/types/run.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import { NOW, offered, unfenced, userMessage } from '../fakes/rows.ts';
import { prepared, type scriptedModel } from '../fakes/scripted-model.ts';

export const tools = [
  offered('echo'),
  offered('look', { readOnlyHint: true, openWorldHint: false }),
  offered('note'),
];

/** Everything fits, nothing is near. */
export const noChecks = { checkArguments: () => undefined, nearNames: () => [] };

type Changes = Partial<AgentDeps> & { given?: Partial<Prepared> };

/** Runs the loop against a script, everything allowed, unless told otherwise. */
export function run(
  script: Pick<ReturnType<typeof scriptedModel>, 'model'>,
  input: Partial<RunInput> = {},
  { given, ...deps }: Changes = {},
  signal = new AbortController().signal,
): AsyncGenerator<RunEvent, void> {
  let id = 0;
  return runAgent(
    {
      runId: 'r1',
      conversationId: 'c1',
      history: [userMessage('Hello')],
      ledger: [],
      iteration: 0,
      ...input,
    },
    {
      prepare: async () => prepared(script.model, tools, given),
      callTool: async ({ toolName }, args, { started }) => {
        await started();
        return { status: 'success', result: { text: `${toolName} ${JSON.stringify(args)}`, isError: false } };
      },
      approve: async () => 'allow',
      ...noChecks,
      takeSteers: async () => [],
      wait: async () => undefined,
      random: () => 1,
      now: () => NOW,
      newId: () => `m${++id}`,
      maxIterations: 10,
      ...deps,
    },
    signal,
  );
}

export async function collect(events: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const all: RunEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

export const types = (events: RunEvent[]) => events.map(({ type }) => type);

type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

export function only<T extends RunEvent['type']>(events: RunEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

export const contents = (messages: Message[] = []) => messages.map(({ content }) => content);
/** Without the blocks that results stand in. */
export const toolContents = (messages: Message[] = []) =>
  contents(messages.filter(({ role }) => role === 'tool')).map(unfenced);

/** An assistant's message with these calls, whole. */
export function callsMessage(...names: string[]): AssistantMessage {
  return {
    ...userMessage(''),
    id: 'm0',
    parentId: 'u1',
    seq: 1,
    role: 'assistant',
    runId: 'r1',
    tool_calls: names.map((name, index) => ({ id: `call_${index}`, name, arguments: '{}' })),
  };
}

/** A history that ends in an assistant message with calls, and the rows of these calls. */
export function cutOff(...names: string[]): { history: Message[]; rows: ToolCall[] } {
  const message = callsMessage(...names);
  return { history: [userMessage('Hello'), message], rows: ledgerRows(message, tools, noChecks) };
}
